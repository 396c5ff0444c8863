//! The two number types beliefs are stored and moved in.

use num_traits::Float;
use std::fmt::Debug;
use std::iter::Sum;

/// `f32` or `f64`.
pub trait Real: Float + Sum + Debug + Default + Send + Sync + 'static {
    /// A Newton step smaller than this, relative to its place, is the last one: the next error is
    /// about its square, below one rounding.
    const LAST_STEP: Self;

    fn of(x: f64) -> Self;
    fn f64(self) -> f64;

    /// `e^self` without branches or calls where that lets a loop over features become vector code.
    fn exp_lane(self) -> Self;
}

impl Real for f64 {
    const LAST_STEP: f64 = 1e-8;

    fn of(x: f64) -> f64 {
        x
    }

    fn f64(self) -> f64 {
        self
    }

    /// As for `f32`, with thirteen terms: a relative error of 2e-16 and a few roundings. Saturates
    /// outside of [-708, 709].
    #[inline(always)]
    fn exp_lane(self) -> f64 {
        // Adding 1.5 * 2^52 rounds to a whole number and leaves it in the low bits.
        const ROUND: f64 = 6_755_399_441_055_744.0;
        const LN2_HIGH: f64 = 0.693_359_375;
        const LN2_LOW: f64 = -2.121_944_400_546_905_8e-4;
        /// 1/13! down to 1/0!.
        const TERMS: [f64; 14] = inverse_factorials();
        let x = self.clamp(-708.0, 709.0);
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = (x - n * LN2_HIGH) - n * LN2_LOW;
        let mut series = TERMS[0];
        for term in &TERMS[1..] {
            series = series * r + term;
        }
        let power_of_two =
            f64::from_bits((shifted.to_bits() << 52).wrapping_add(0x3ff0_0000_0000_0000));
        series * power_of_two
    }
}

const fn inverse_factorials() -> [f64; 14] {
    let mut terms = [1.0; 14];
    let mut k = 12;
    let mut factorial = 1.0;
    let mut n = 1.0;
    loop {
        factorial *= n;
        terms[k] = 1.0 / factorial;
        if k == 0 {
            return terms;
        }
        k -= 1;
        n += 1.0;
    }
}

impl Real for f32 {
    const LAST_STEP: f32 = 1e-4;

    #[inline(always)]
    fn of(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn f64(self) -> f64 {
        f64::from(self)
    }

    /// `2^n e^r` with `r` within half a `ln 2` of zero, where seven terms of the series leave a
    /// relative error of 5e-9. Saturates outside of [-87, 88], where `f32` ends.
    #[inline(always)]
    fn exp_lane(self) -> f32 {
        // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits.
        const ROUND: f32 = 12_582_912.0;
        const LN2_HIGH: f32 = 0.693_359_4;
        const LN2_LOW: f32 = (std::f64::consts::LN_2 - 0.693_359_375) as f32;
        let x = self.clamp(-87.0, 88.0);
        let shifted = x * std::f32::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = (x - n * LN2_HIGH) - n * LN2_LOW;
        let series = 1.0 / 5040.0;
        let series = series * r + 1.0 / 720.0;
        let series = series * r + 1.0 / 120.0;
        let series = series * r + 1.0 / 24.0;
        let series = series * r + 1.0 / 6.0;
        let series = series * r + 0.5;
        let series = series * r + 1.0;
        let series = series * r + 1.0;
        let power_of_two = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
        series * power_of_two
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lane_exponential_is_within_two_roundings() {
        for i in -870_000..=880_000 {
            let x = i as f32 * 1e-4;
            let exact = f64::from(x).exp();
            let error = (f64::from(x.exp_lane()) / exact - 1.0).abs();
            assert!(error < 2.0 * f64::from(f32::EPSILON), "e^{x}: {error:e}");
        }
    }

    #[test]
    fn the_lane_exponential_of_double_precision_is_within_two_roundings() {
        for i in -708_000..=709_000 {
            let x = f64::from(i) * 1e-3;
            let error = (x.exp_lane() / x.exp() - 1.0).abs();
            assert!(error < 2.0 * f64::EPSILON, "e^{x}: {error:e}");
        }
    }

    #[test]
    fn the_lane_exponential_saturates() {
        assert_eq!(f64::NEG_INFINITY.exp_lane(), (-708.0_f64).exp_lane());
        assert_eq!(f32::NEG_INFINITY.exp_lane(), (-87.0_f32).exp_lane());
        assert_eq!(f32::INFINITY.exp_lane(), 88.0_f32.exp_lane());
        assert!(1e9_f32.exp_lane().is_finite());
    }
}
