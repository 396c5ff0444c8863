use crate::likelihood::Likelihood;
use crate::real::Real;

/// Solves `z+ = z + t slope(z+)`: where the posterior of a weight peaks, as seen by the score
/// (eq. `muito`, `muito_probit`, and with `t = s` eq. `mu_multi`).
///
/// Newton's method of Appendix C, kept inside a bracket: the slope is positive and falling, so the
/// root lies between `z` and `z + t slope(z)`, and where a step would leave the bracket (a surprise
/// at a wide prior makes plain Newton swing for ever) it is halved instead.
#[inline]
pub fn peak<C: Real, L: Likelihood<C>>(z: C, t: C) -> C {
    let mut low = z;
    let mut high = z + t * L::slope(z);
    let mut at = z;
    for _ in 0..200 {
        let (slope, curvature) = L::slope_and_curvature(at);
        let gap = at - z - t * slope;
        if gap > C::zero() {
            high = at;
        } else {
            low = at;
        }
        let step = gap / (C::one() + t * curvature);
        let next = at - step;
        if step.abs() <= C::LAST_STEP * at.abs().max(C::one()) {
            return next;
        }
        at = if low < next && next < high { next } else { (low + high) / C::of(2.0) };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::{Logistic, Probit};
    use proptest::prelude::*;

    fn solves<L: Likelihood<f64>>(z: f64, t: f64) -> Result<(), TestCaseError> {
        let root = peak::<f64, L>(z, t);
        let gap = root - z - t * L::slope(root);
        let scale = (1.0 + t * L::curvature(root)) * root.abs().max(1.0);
        // What one rounding of z or of t slope does to the equation.
        let rounding = z.abs().max(t * L::slope(root)) * 1e-15;
        prop_assert!(gap.abs() <= 1e-13 * scale + rounding, "{root}: {gap:e}");
        Ok(())
    }

    proptest! {
        #[test]
        fn the_peak_solves_its_equation(z in -500.0..500.0_f64, exponent in -12.0..12.0_f64) {
            let t = 10.0_f64.powf(exponent);
            solves::<Logistic>(z, t)?;
            solves::<Probit>(z, t)?;
        }
    }
}
