use super::Likelihood;
use crate::real::Real;
use libm::erfc;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// `F(z) = Phi(z)`, the normal CDF (eq. `probit`). Always evaluated in double precision: in the
/// left tail single precision would lose the curvature to cancellation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probit;

impl<T: Real> Likelihood<T> for Probit {
    const SHRINK: f64 = 1.0;
    const SHARPEST: f64 = 1.0;

    fn cdf(z: T) -> T {
        T::of(0.5 * erfc(-z.f64() * FRAC_1_SQRT_2))
    }

    fn log_cdf(z: T) -> T {
        T::of(log_normal_cdf(z.f64()))
    }

    /// `r = phi(z) / Phi(z)` and `r (z + r)`.
    fn slope_and_curvature(z: T) -> (T, T) {
        let (r, excess) = inverse_mills(z.f64());
        (T::of(r), T::of(r * excess))
    }
}

/// Left of this the continued fraction is used.
const TAIL: f64 = -4.0;

/// `r = phi(z) / Phi(z)` and `r + z`, each to full relative precision.
fn inverse_mills(z: f64) -> (f64, f64) {
    if z < TAIL {
        let excess = tail_excess(-z);
        (excess - z, excess)
    } else {
        let r = normal_density(z) / (0.5 * erfc(-z * FRAC_1_SQRT_2));
        (r, r + z)
    }
}

/// `phi(x) / Phi(-x) - x = 1/(x + 2/(x + 3/(x + ...)))`, Laplace's continued fraction for the
/// Mills ratio. Sixty terms are exact to rounding for `x >= 4`; nothing cancels.
fn tail_excess(x: f64) -> f64 {
    let inner = (2..60).rev().fold(0.0, |below, k| f64::from(k) / (x + below));
    1.0 / (x + inner)
}

fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

fn log_normal_cdf(z: f64) -> f64 {
    if z < TAIL {
        -0.5 * z * z - 0.5 * (2.0 * PI).ln() - (tail_excess(-z) - z).ln()
    } else if z < 0.0 {
        (0.5 * erfc(-z * FRAC_1_SQRT_2)).ln()
    } else {
        (-0.5 * erfc(z * FRAC_1_SQRT_2)).ln_1p()
    }
}

/// The `z` with `Phi(z) = p`: Newton's method on `log Phi`, which is concave, so that every step
/// after the first approaches the root from the left.
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let target = p.ln();
    let mut z = 0.0;
    for _ in 0..100 {
        let step = (target - log_normal_cdf(z)) / inverse_mills(z).0;
        z += step;
        if step.abs() <= 1e-9 * (1.0 + z.abs()) {
            break;
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_two_forms_meet_at_the_tail() {
        let (r, excess) = inverse_mills(TAIL);
        let continued = tail_excess(-TAIL);
        assert!((continued / excess - 1.0).abs() < 1e-12);
        assert!(((continued - TAIL) / r - 1.0).abs() < 1e-14);
        let below = log_normal_cdf(TAIL.next_down());
        assert!((log_normal_cdf(TAIL) / below - 1.0).abs() < 1e-14);
    }

    proptest! {
        #[test]
        fn the_quantile_inverts_the_cdf(p in 1e-300..1.0_f64) {
            let z = normal_quantile(p);
            let back: f64 = Probit::cdf(z);
            prop_assert!((back / p - 1.0).abs() < 1e-12, "{p} -> {z} -> {back}");
        }

        #[test]
        fn the_curvature_lies_between_zero_and_one(z in -1e6..40.0_f64) {
            let (slope, curvature) = Probit::slope_and_curvature(z);
            prop_assert!(slope >= 0.0);
            prop_assert!((0.0..=1.0).contains(&curvature), "{curvature}");
        }
    }
}
