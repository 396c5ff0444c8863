use super::Evidence;
use super::joint::{JointRule, Step};
use crate::likelihood::average;
use crate::prediction::open_interval;

/// The first two moments of the logistic posterior, exactly: assumed density filtering without the
/// paper's normal in place of the sigmoid. (For the probit that is `Adf`.)
pub struct Moments;

impl Moments {
    /// `P(y = 1 | x)`: the sigmoid's average itself.
    pub fn probability(m: f64, s: f64) -> f64 {
        open_interval(average(m, s).log_z.exp())
    }
}

impl JointRule for Moments {
    fn step(&self, row: &Evidence) -> (f64, Step) {
        let average = average(row.y * row.m, row.s);
        // A normal prior and a log-concave likelihood leave some variance.
        let h = average.curvature.min(1.0 / row.s);
        let kept = (1.0 - h * row.s).max(f64::EPSILON);
        let step = Step { g: row.y * average.slope, h, kept };
        (Self::probability(row.m, row.s), step.to_the_power(row.weight))
    }
}
