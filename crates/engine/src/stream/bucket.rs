//! Logarithmic buckets, four to a doubling: what lies between two of them is about equally large.
//!
//! A number's bucket is the floor of `4 log2 |x|`, its sign, or a bucket of its own for zero. The
//! floor is read off the number's own bits: no logarithm is rounded, so a bucket begins where it
//! begins on every machine.

use std::sync::OnceLock;

/// Every finite double lies in one: powers 2^-1074 to 2^1023, four buckets each.
const LOWEST: i32 = -1074 * 4;
const HIGHEST: i32 = 1023 * 4 + 3;
const PER_SIGN: usize = (HIGHEST - LOWEST + 1) as usize;

/// The least doubles that are not below 2^(1/4), 2^(1/2) and 2^(3/4), which are irrational.
const QUARTERS: [f64; 3] =
    [1.189_207_115_002_721_2, std::f64::consts::SQRT_2, 1.681_792_830_507_429_2];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    Zero,
    /// All numbers of this sign with this floor of `4 log2 |x|`.
    Quarter {
        negative: bool,
        floor: i32,
    },
}

impl Bucket {
    /// Of a finite number.
    pub fn of(x: f64) -> Self {
        if x == 0.0 {
            return Bucket::Zero;
        }
        let (power, mantissa) = parts(x.abs());
        let quarters = QUARTERS.iter().filter(|&&quarter| mantissa >= quarter).count();
        Bucket::Quarter { negative: x < 0.0, floor: 4 * power + quarters as i32 }
    }

    /// Its bounds as people read them, after the tilde that marks a bucket: `~724..861`.
    pub fn name(self) -> &'static str {
        static POSITIVE: [OnceLock<String>; PER_SIGN] = [const { OnceLock::new() }; PER_SIGN];
        static NEGATIVE: [OnceLock<String>; PER_SIGN] = [const { OnceLock::new() }; PER_SIGN];
        match self {
            Bucket::Zero => "~0",
            Bucket::Quarter { negative, floor } => {
                let names = if negative { &NEGATIVE } else { &POSITIVE };
                let place = (floor.clamp(LOWEST, HIGHEST) - LOWEST) as usize;
                names[place].get_or_init(|| {
                    let (low, high) = (readable(bound(floor)), readable(bound(floor + 1)));
                    if negative { format!("~-{high}..-{low}") } else { format!("~{low}..{high}") }
                })
            }
        }
    }
}

/// `x = mantissa 2^power` with a mantissa from 1 up to 2, for a positive double.
fn parts(x: f64) -> (i32, f64) {
    const FRACTION: u64 = (1 << 52) - 1;
    const ONE: u64 = 1023 << 52;
    const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
    if x < f64::MIN_POSITIVE {
        let (power, mantissa) = parts(x * TWO_TO_52);
        return (power - 52, mantissa);
    }
    let power = (x.to_bits() >> 52) as i32 - 1023;
    (power, f64::from_bits(x.to_bits() & FRACTION | ONE))
}

/// Where a bucket begins: 2^(floor/4).
fn bound(floor: i32) -> f64 {
    let mantissa = [1.0, QUARTERS[0], QUARTERS[1], QUARTERS[2]][floor.rem_euclid(4) as usize];
    libm::ldexp(mantissa, floor.div_euclid(4))
}

/// Three digits, or all of a whole number up to a million.
fn readable(x: f64) -> String {
    if (100.0..1e6).contains(&x) {
        return format!("{x:.0}");
    }
    if !(1e-3..1e6).contains(&x) {
        return format!("{x:.2e}");
    }
    let digits =
        [100.0, 10.0, 1.0, 0.1, 0.01, 0.001].iter().take_while(|&&least| x < least).count();
    let text = format!("{x:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn floor_of(x: f64) -> i32 {
        match Bucket::of(x) {
            Bucket::Quarter { floor, .. } => floor,
            Bucket::Zero => panic!("{x} is in the bucket of zero"),
        }
    }

    #[test]
    fn names_are_read_by_people() {
        let name = |x| Bucket::of(x).name();
        assert_eq!(name(733.0), "~724..861");
        assert_eq!(name(-733.0), "~-861..-724");
        assert_eq!(name(0.0), "~0");
        assert_eq!(name(-0.0), "~0");
        assert_eq!(name(1.0), "~1..1.19");
        assert_eq!(name(90.5), "~76.1..90.5");
        assert_eq!(name(90.6), "~90.5..108");
        assert_eq!(name(0.013), "~0.011..0.0131");
        assert_eq!(name(1e30), "~8.96e29..1.07e30");
        assert_eq!(name(f64::MAX), "~1.51e308..inf");
        assert_eq!(name(f64::from_bits(1)), "~4.94e-324..4.94e-324");
    }

    #[test]
    fn a_bucket_begins_exactly_at_its_bound() {
        for power in -1074..=1023 {
            let x = libm::ldexp(1.0, power);
            assert_eq!(floor_of(x), 4 * power, "2^{power}");
            if power > -1022 {
                assert_eq!(floor_of(x.next_down()), 4 * power - 1, "just below 2^{power}");
                for (quarter, mantissa) in (1..).zip(QUARTERS) {
                    let x = libm::ldexp(mantissa, power);
                    assert_eq!(floor_of(x), 4 * power + quarter);
                    assert_eq!(floor_of(x.next_down()), 4 * power + quarter - 1);
                }
            }
        }
    }

    /// Whether `x^4 >= 2^power`, in whole numbers of 2^-52: nothing is rounded.
    fn fourth_power_reaches(x: f64, power: u32) -> bool {
        let whole = (x * 2_f64.powi(52)) as u128;
        let square = whole * whole;
        let (high, low) = (square >> 64, square & u128::from(u64::MAX));
        // The square of (high 2^64 + low), but for the part below 2^64 that cannot reach further.
        let above = high * high + (((high * low) << 1) >> 64);
        above >= 1 << (208 + power - 128)
    }

    #[test]
    fn the_quarters_are_the_least_doubles_above_the_roots() {
        for (power, quarter) in (1..).zip(QUARTERS) {
            assert!(fourth_power_reaches(quarter, power), "{quarter}");
            assert!(!fourth_power_reaches(quarter.next_down(), power), "{quarter}");
        }
    }

    #[test]
    fn different_buckets_have_different_names() {
        let names: HashSet<&str> = (-1022 * 4..=HIGHEST)
            .flat_map(|floor| [true, false].map(|negative| Bucket::Quarter { negative, floor }))
            .map(Bucket::name)
            .collect();
        assert_eq!(names.len(), 2 * (HIGHEST + 1022 * 4 + 1) as usize);
    }

    proptest! {
        #[test]
        fn the_bucket_is_the_floor_of_the_logarithm(x: f64) {
            prop_assume!(x.is_finite() && x != 0.0);
            let quarters = 4.0 * libm::log2(x.abs());
            let nearest = quarters.round();
            // Where a logarithm is that close to a bound, its own rounding decides.
            prop_assume!((quarters - nearest).abs() > 1e-9);
            prop_assert_eq!(floor_of(x), quarters.floor() as i32);
        }
    }
}
