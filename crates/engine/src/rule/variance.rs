//! The two ways the paper matches the variance once the mean is found.

use super::Evidence;
use super::marginal::Marginal;
use crate::likelihood::Likelihood;
use crate::prediction::shrunk_score;
use crate::real::Real;

pub trait VarianceRule<C, L>: Default {
    /// Whether a loop over features becomes vector code with this rule in it.
    const IN_LANES: bool;

    #[inline(always)]
    fn begin(&mut self, _row: &Evidence) {}

    /// The variance after the mean took a step of `slope`, which brought the score to `z_plus`;
    /// `curvature` is that of the log likelihood there.
    fn variance(
        &self,
        marginal: &Marginal<C>,
        slope: C,
        z_plus: C,
        curvature: impl FnOnce() -> C,
    ) -> C;
}

/// The curvature of the posterior at its peak (eq. `sigito_laplace`, `sigito_laplace_probit`).
#[derive(Default)]
pub struct Laplace;

impl<C: Real, L: Likelihood<C>> VarianceRule<C, L> for Laplace {
    const IN_LANES: bool = true;

    #[inline(always)]
    fn variance(
        &self,
        marginal: &Marginal<C>,
        _slope: C,
        _z_plus: C,
        curvature: impl FnOnce() -> C,
    ) -> C {
        marginal.v / (C::one() + marginal.t() * curvature())
    }
}

/// The height of the posterior at its peak (eq. `sigsito`).
#[derive(Default)]
pub struct Height {
    /// `log p_t` of the label, the normaliser.
    log_p: f64,
}

impl<L: Likelihood<f64>> VarianceRule<f64, L> for Height {
    const IN_LANES: bool = false;

    fn begin(&mut self, row: &Evidence) {
        self.log_p = L::log_cdf(shrunk_score::<L>(row.y * row.m, row.s));
    }

    fn variance(
        &self,
        marginal: &Marginal<f64>,
        slope: f64,
        z_plus: f64,
        _curvature: impl FnOnce() -> f64,
    ) -> f64 {
        let t = marginal.t();
        let rise = marginal.weight * (self.log_p - L::log_cdf(z_plus));
        // (mu+ - mu)^2 / (2 v), the peak's fall on the prior's flank.
        let fall = 0.5 * marginal.weight * t * slope * slope;
        marginal.v * bounded_ratio::<L>((2.0 * (rise + fall)).exp(), t)
    }
}

/// Keeps the ratio of a new variance to the old one where heights can be trusted.
///
/// The posterior of a normal prior and a log-concave likelihood is at least as wide as one whose
/// likelihood bends everywhere as sharply as it can: that is the lower bound, and a theorem. It is
/// also never wider than the prior, but `p_t` is an approximation for the sigmoid: its errors, of
/// either sign, balance over labels, and cutting all growth off would bias the variance of rare
/// events downwards. Deep in the tail `p_t` is wrong by powers of e, so growth ends at fourfold.
pub fn bounded_ratio<L: Likelihood<f64>>(ratio: f64, t: f64) -> f64 {
    ratio.clamp(lowest_ratio::<L>(t), HIGHEST_RATIO)
}

pub const HIGHEST_RATIO: f64 = 4.0;

pub fn lowest_ratio<L: Likelihood<f64>>(t: f64) -> f64 {
    1.0 / (1.0 + t * L::SHARPEST)
}
