use super::Evidence;
use super::joint::{JointRule, Step};
use crate::likelihood::{Likelihood, Probit};
use crate::prediction::probability;
use std::marker::PhantomData;

/// Assumed density filtering (Appendix D.2; Minka 2001): the first two moments of the posterior.
/// Exact for the probit; for the sigmoid, with the paper's `F(z) = Phi(sqrt(pi/8) z)`
/// (eq. `sigmoid_normal`) in its place.
#[derive(Default)]
pub struct Adf<L>(PhantomData<L>);

impl<L: Likelihood<f64>> JointRule for Adf<L> {
    fn step(&self, row: &Evidence) -> (f64, Step) {
        let c = L::SHRINK;
        let spread = 1.0 + c * row.s;
        let k = (c / spread).sqrt();
        let (slope, curvature) = Probit::slope_and_curvature(row.y * k * row.m);
        let kept = (1.0 + c * row.s * (1.0 - curvature)) / spread;
        let step = Step { g: row.y * k * slope, h: k * k * curvature, kept };
        (probability::<L>(row.m, row.s), step.to_the_power(row.weight))
    }
}
