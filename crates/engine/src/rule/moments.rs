use super::Evidence;
use super::joint::{JointRule, Step};
use crate::likelihood::average;

/// The first two moments of the logistic posterior, exactly: assumed density filtering without the
/// paper's normal in place of the sigmoid. (For the probit that is `Adf`.)
pub struct Moments;

impl JointRule for Moments {
    fn step(&self, row: &Evidence) -> Step {
        let average = average(row.y * row.m, row.s);
        // A normal prior and a log-concave likelihood leave some variance.
        let h = average.curvature.min(1.0 / row.s);
        let kept = (1.0 - h * row.s).max(f64::EPSILON);
        Step { g: row.y * average.slope, h, kept }.to_the_power(row.weight)
    }
}
