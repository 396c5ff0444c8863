//! A cell of a table: missing, a number, or text. Each is judged by itself, wherever it comes from.

use std::borrow::Cow;

/// What stands for a missing value among the names of a column. No text is called so, for these
/// two letters are one of the ways to write that a value is missing.
pub const MISSING: &[u8] = b"NA";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Missing,
    /// A whole number that 64 bits hold, however it was written: `5`, `5.0`, `5e0`.
    Whole(i64),
    /// Any other finite number.
    Number(f64),
    /// Never empty.
    Text(&'a [u8]),
}

impl<'a> Cell<'a> {
    /// A cell of a text format, where a number is what is written as one.
    pub fn read(text: &'a [u8]) -> Self {
        let text = text.trim_ascii();
        match text.first() {
            None => Cell::Missing,
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => read_number(text).unwrap_or(Cell::Text(text)),
            Some(_) => Cell::text(text),
        }
    }

    /// A cell that is text whatever it looks like.
    pub fn text(text: &'a [u8]) -> Self {
        let text = text.trim_ascii();
        match text {
            b"" | b"NA" | b"N/A" | b"NaN" | b"nan" | b"null" | b"NULL" | b"None" => Cell::Missing,
            _ => Cell::Text(text),
        }
    }

    /// A cell of a text format in a column of categories: whole numbers have one name however they
    /// are written, everything else is named as it stands.
    pub fn category(text: &'a [u8]) -> Self {
        match Cell::read(text) {
            Cell::Number(_) => Cell::Text(text.trim_ascii()),
            cell => cell,
        }
    }

    pub fn number(x: f64) -> Self {
        /// Below it, a float that is whole is an `i64`.
        const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
        if x.is_nan() {
            Cell::Missing
        } else if x.is_infinite() {
            Cell::Text(if x > 0.0 { b"inf" } else { b"-inf" })
        } else if x.abs() < TWO_TO_63 && x.trunc() == x {
            Cell::Whole(x as i64)
        } else {
            Cell::Number(x)
        }
    }

    /// As it is named in a column of categories.
    pub fn to_text(&self) -> Cow<'a, [u8]> {
        match self {
            Cell::Missing => MISSING.into(),
            Cell::Whole(n) => n.to_string().into_bytes().into(),
            Cell::Number(x) => format!("{x:?}").into_bytes().into(),
            Cell::Text(text) => (*text).into(),
        }
    }
}

/// Plain decimals and exponents: no `0x`, no `1_000`, and no `007`, which is more likely a code.
fn read_number(text: &[u8]) -> Option<Cell<'_>> {
    let (negative, unsigned) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let whole = digits(unsigned);
    if whole > 1 && unsigned[0] == b'0' {
        return None;
    }
    if whole == unsigned.len() && (1..=18).contains(&whole) {
        let n = unsigned.iter().fold(0, |n, digit| 10 * n + i64::from(digit - b'0'));
        return Some(Cell::Whole(if negative { -n } else { n }));
    }
    let rest = &unsigned[whole..];
    let (fraction, rest) = match rest.split_first() {
        Some((b'.', rest)) => (digits(rest), &rest[digits(rest)..]),
        _ => (0, rest),
    };
    if whole + fraction == 0 {
        return None;
    }
    let is_complete = match rest.split_first() {
        None => true,
        Some((b'e' | b'E', power)) => {
            let power = power.strip_prefix(b"-").or(power.strip_prefix(b"+")).unwrap_or(power);
            !power.is_empty() && digits(power) == power.len()
        }
        Some(_) => false,
    };
    if !is_complete {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    if let Ok(n) = text.parse::<i64>() {
        return Some(Cell::Whole(n));
    }
    let x = text.parse::<f64>().ok()?;
    x.is_finite().then(|| Cell::number(x))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cell_is_missing_or_a_number_or_text() {
        for text in ["", " ", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", " NA "] {
            assert_eq!(Cell::read(text.as_bytes()), Cell::Missing, "{text}");
        }
        for (text, n) in [("0", 0), ("-0", 0), ("+7", 7), ("5.0", 5), ("5.", 5), ("1e3", 1000)] {
            assert_eq!(Cell::read(text.as_bytes()), Cell::Whole(n), "{text}");
        }
        for (text, x) in [("0.5", 0.5), (".5", 0.5), ("-1.25e-3", -0.00125), ("1E+30", 1e30)] {
            assert_eq!(Cell::read(text.as_bytes()), Cell::Number(x), "{text}");
        }
        let texts = [
            "007",
            "-01",
            "1,000",
            "1_000",
            "0x10",
            "1e",
            "1e+",
            ".",
            "-",
            "+",
            "-.",
            "1.2.3",
            "inf",
            "-inf",
            "1e999",
            "1 2",
            "--1",
            "na",
            "1e5x",
            "2013-01-05",
            "١",
        ];
        for text in texts {
            assert_eq!(Cell::read(text.as_bytes()), Cell::Text(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_exact_as_far_as_64_bits_reach() {
        assert_eq!(Cell::read(b"9007199254740993"), Cell::Whole(9_007_199_254_740_993));
        assert_eq!(Cell::read(b"-9223372036854775808"), Cell::Whole(i64::MIN));
        assert_eq!(Cell::read(b"9223372036854775807"), Cell::Whole(i64::MAX));
        assert_eq!(Cell::read(b"9223372036854775808"), Cell::Number(9_223_372_036_854_775_808.0));
        assert_eq!(Cell::category(b"18446744073709551615"), Cell::Text(b"18446744073709551615"));
    }

    #[test]
    fn a_category_is_its_text_but_for_whole_numbers() {
        assert_eq!(Cell::category(b"5.0"), Cell::Whole(5));
        assert_eq!(Cell::category(b" 1.50 "), Cell::Text(b"1.50"));
        assert_eq!(Cell::category(b"NA"), Cell::Missing);
    }

    proptest! {
        #[test]
        fn a_float_is_the_same_cell_as_its_text(x: f64) {
            for text in [format!("{x:?}"), format!("{x:e}"), format!("{x}")] {
                prop_assert_eq!(Cell::number(x), Cell::read(text.as_bytes()));
            }
        }

        #[test]
        fn a_whole_number_is_the_same_cell_as_its_text(n: i64) {
            let text = n.to_string();
            prop_assert_eq!(Cell::Whole(n), Cell::read(text.as_bytes()));
        }

        #[test]
        fn any_bytes_are_a_cell(text: Vec<u8>) {
            let cell = Cell::read(&text);
            if let Cell::Text(text) = cell {
                prop_assert!(!text.is_empty());
            }
            if let Cell::Number(x) = cell {
                prop_assert!(x.is_finite());
            }
        }
    }
}
