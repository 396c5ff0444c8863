use super::Evidence;
use super::joint::{JointRule, Step};
use crate::likelihood::LogisticNormal;
use crate::prediction::open_interval;

/// The first two moments of the logistic posterior: assumed density filtering without the paper's
/// single normal in place of the sigmoid. (For the probit that is `Adf`.)
pub struct Moments;

impl Moments {
    /// `P(y = 1 | x)`: the sigmoid's average itself.
    pub fn probability(m: f64, s: f64) -> f64 {
        open_interval(LogisticNormal::new(m, s).probability())
    }
}

impl JointRule for Moments {
    fn step(&self, row: &Evidence) -> (f64, Step) {
        let average = LogisticNormal::new(row.m, row.s);
        let (slope, h) = average.slope_and_curvature(row.y);
        let step = Step { g: row.y * slope, h, kept: 1.0 - h * row.s };
        (open_interval(average.probability()), step.to_the_power(row.weight))
    }
}
