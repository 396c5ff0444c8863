use super::Likelihood;
use crate::real::Real;

/// `F(z) = 1 / (1 + e^-z)` (eq. `sigmoid`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Logistic;

impl<T: Real> Likelihood<T> for Logistic {
    const SHRINK: f64 = std::f64::consts::PI / 8.0;
    const SHARPEST: f64 = 0.25;

    #[inline(always)]
    fn cdf(z: T) -> T {
        <Self as Likelihood<T>>::slope(-z)
    }

    #[inline(always)]
    fn log_cdf(z: T) -> T {
        z.min(T::zero()) - (-z.abs()).exp().ln_1p()
    }

    /// `1 - p` and `p (1 - p)` for `p = F(z)`, neither by subtraction: both keep their relative
    /// precision in both tails.
    #[inline(always)]
    fn slope_and_curvature(z: T) -> (T, T) {
        from_exponential(z, (-z.abs()).exp())
    }

    #[inline(always)]
    fn slope_and_curvature_in_lanes(z: T) -> (T, T) {
        from_exponential(z, (-z.abs()).exp_lane())
    }
}

/// With `e = e^-|z|`.
#[inline(always)]
fn from_exponential<T: Real>(z: T, e: T) -> (T, T) {
    let larger = T::one() / (T::one() + e);
    let smaller = e * larger;
    let slope = if z >= T::zero() { smaller } else { larger };
    (slope, smaller * larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn f(z: f64) -> f64 {
        <Logistic as Likelihood<f64>>::cdf(z)
    }

    proptest! {
        #[test]
        fn probabilities_of_the_two_labels_add_to_one(z in -700.0..700.0_f64) {
            prop_assert!((f(z) + f(-z) - 1.0).abs() < 1e-15);
        }

        #[test]
        fn single_precision_follows_double(z in -80.0..80.0_f32) {
            let (slope, curvature) = Logistic::slope_and_curvature_in_lanes(z);
            let (slope64, curvature64) = Logistic::slope_and_curvature(f64::from(z));
            prop_assert!((f64::from(slope) / slope64 - 1.0).abs() < 1e-6);
            prop_assert!((f64::from(curvature) / curvature64 - 1.0).abs() < 1e-6);
        }
    }
}
