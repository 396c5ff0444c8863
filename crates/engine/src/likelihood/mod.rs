//! What one number knows: the probability of a label as a function of its score, and how its
//! logarithm slopes and bends there.
//!
//! Everything a rule needs of a link is in this trait, so every rule serves both links. The score
//! is `z = y w`: the likelihood of the label is `F(z)`.

mod logistic;
mod logistic_normal;
mod probit;

pub use logistic::Logistic;
pub use logistic_normal::LogisticNormal;
pub use probit::{Probit, normal_quantile};

/// `F(z)`, the probability of the observed label at score `z`, and the derivatives of its log.
pub trait Likelihood<T>: Copy + Default + Send + Sync + 'static {
    /// `c` such that averaging over a weight of variance `s` turns `F(z)` into
    /// `F(z / sqrt(1 + c s))`: pi/8 for the sigmoid (eq. `mixture_prediction`), exactly 1 for the
    /// normal CDF (eq. `probit_mixture_prediction`).
    const SHRINK: f64;

    /// The least upper bound of [`Self::curvature`].
    const SHARPEST: f64;

    fn cdf(z: T) -> T;

    fn log_cdf(z: T) -> T;

    /// `d/dz log F(z)`, positive and decreasing, and `-d^2/dz^2 log F(z)`, positive.
    fn slope_and_curvature(z: T) -> (T, T);

    /// The same, made for loops that become vector code; alone it is slower.
    #[inline(always)]
    fn slope_and_curvature_in_lanes(z: T) -> (T, T) {
        Self::slope_and_curvature(z)
    }

    #[inline(always)]
    fn slope(z: T) -> T {
        Self::slope_and_curvature(z).0
    }

    #[inline(always)]
    fn curvature(z: T) -> T {
        Self::slope_and_curvature(z).1
    }
}
