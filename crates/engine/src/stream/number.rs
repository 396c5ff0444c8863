//! Numbers in text.

use super::parser::{LineError, shown};
use crate::rows::{LARGEST_VALUE, LARGEST_WEIGHT};

/// A finite number in plain decimal or exponent notation, rounded correctly.
#[inline]
pub fn number(text: &[u8]) -> Option<f64> {
    match text {
        [digit @ b'0'..=b'9'] => Some(f64::from(digit - b'0')),
        _ => short_decimal(text).or_else(|| any_number(text)),
    }
}

/// A value that rows may have.
#[inline]
pub fn value(text: &[u8], feature: &[u8]) -> Result<f64, LineError> {
    match number(text) {
        Some(x) if x.abs() <= LARGEST_VALUE => Ok(x),
        found => Err(LineError::Value {
            feature: shown(feature),
            value: shown(text),
            rule: if found.is_none() { NOT_A_NUMBER } else { TOO_LARGE },
        }),
    }
}

/// A value after it was multiplied.
#[inline]
pub fn in_bounds(x: f64, feature: &[u8]) -> Result<f64, LineError> {
    if x.abs() <= LARGEST_VALUE {
        return Ok(x);
    }
    Err(LineError::Value { feature: shown(feature), value: format!("\"{x}\""), rule: TOO_LARGE })
}

/// A weight that rows may have.
pub fn weight(text: &[u8]) -> Result<f64, LineError> {
    match number(text) {
        Some(w) if (0.0..=LARGEST_WEIGHT).contains(&w) => Ok(w),
        _ => Err(LineError::Weight { weight: shown(text), limit: LARGEST_WEIGHT }),
    }
}

const NOT_A_NUMBER: &str = "a finite number";
const TOO_LARGE: &str = "at most 1000000000 in magnitude: scale the feature";

/// Fifteen digits are whole in a double, and so are ten's powers up to 22: one division rounds once.
#[inline]
fn short_decimal(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > 16 {
        return None;
    }
    let mut whole: u64 = 0;
    let mut count = 0;
    let mut point = None;
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                whole = 10 * whole + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    if !(1..=15).contains(&count) {
        return None;
    }
    let x = whole as f64 / POWERS[point.map_or(0, |point| count - point) & 15];
    Some(if negative { -x } else { x })
}

/// The standard library also reads "inf" and "nan".
#[cold]
fn any_number(text: &[u8]) -> Option<f64> {
    let x: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    x.is_finite().then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_finite_and_whole_texts() {
        for (text, x) in [("1", 1.0), ("-0.5", -0.5), ("+3", 3.0), (".25", 0.25), ("7.", 7.0)] {
            assert_eq!(number(text.as_bytes()), Some(x));
        }
        assert_eq!(number(b"1e-3"), Some(1e-3));
        assert_eq!(
            number(b"123456789012345678901234567890"),
            Some(123456789012345678901234567890.0)
        );
        for odd in [
            "",
            "-",
            ".",
            "nan",
            "inf",
            "-Infinity",
            "1e999",
            "1x",
            "1.2.3",
            "0x10",
            "1_0",
            "--1",
            " 1",
        ] {
            assert_eq!(number(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(number(b"\xff"), None);
    }

    #[test]
    fn values_and_weights_have_limits() {
        let told = |text: &str| value(text.as_bytes(), b"age").unwrap_err().to_string();
        assert_eq!(
            told("1e999"),
            "the value of feature \"age\" is \"1e999\"; it must be a finite number"
        );
        assert!(
            told("-1000000001").ends_with("at most 1000000000 in magnitude: scale the feature")
        );
        assert_eq!(value(b"-1e9", b""), Ok(-1e9));
        assert!(weight(b"-1").unwrap_err().to_string().contains("between 0 and 1000000"));
        assert_eq!(weight(b"0.5"), Ok(0.5));
    }

    proptest! {
        #[test]
        fn the_short_way_rounds_as_the_long_way(whole in -99_999_999_999_i64..99_999_999_999, places in 0_usize..8) {
            let text = format!("{:.places$}", whole as f64 / 1e4);
            prop_assert_eq!(number(text.as_bytes()), any_number(text.as_bytes()));
            let text = format!("{whole}e-{places}");
            prop_assert_eq!(number(text.as_bytes()), any_number(text.as_bytes()));
        }

        #[test]
        fn every_double_comes_back(bits: u64) {
            let x = f64::from_bits(bits);
            let expected = x.is_finite().then_some(x);
            prop_assert_eq!(number(format!("{x:?}").as_bytes()), expected);
            prop_assert_eq!(number(format!("{x:e}").as_bytes()), expected);
        }
    }
}
