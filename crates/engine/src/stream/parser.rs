use super::namer::MOST_CROSSED;
use super::{Block, Encoder};
use crate::real::Real;
use thiserror::Error;

/// One text format: lines to rows.
pub trait Parser<T: Real>: Send {
    /// Takes one line, without its end, into the block: one row, or none (blank, comment, header).
    /// After an error the block and the namer have the rows they had before the line.
    fn line(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError>;

    /// At the beginning of every file, for headers.
    fn begin_file(&mut self) {}

    /// Whether the next line says what the others mean: it cannot be passed over.
    fn expects_header(&self) -> bool {
        false
    }

    /// What is known about columns after the lines so far, where the format has columns.
    fn encoder(&self) -> Option<Encoder> {
        None
    }
}

/// What is wrong with a line. The file and the line's number are the reader's to add.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LineError {
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String },

    #[error("the value of feature {feature} is {value}; it must be {rule}")]
    Value { feature: String, value: String, rule: &'static str },

    #[error("the weight of the row is {weight}; it must be a number between 0 and {limit}")]
    Weight { weight: String, limit: f64 },

    #[error(
        "\"{text}\" touches the \"|\": VW takes that for a tag; write \"{text} |\" for a label or \
         \"'{text}|\" for a tag"
    )]
    LabelOrTag { text: String },

    #[error("a cross of this row has more than {MOST_CROSSED} features: leave it out")]
    Crosses,

    #[error("{0}")]
    Header(String),

    #[error("there is a NUL byte at column {column}; text has none")]
    Nul { column: usize },

    #[error("the label is {label}; labels are 0 and 1, or -1 and 1")]
    Label { label: String },

    /// The reader knows where the other label was.
    #[error("the label is {label}, and another row of this stream has {other}")]
    MixedLabels { label: &'static str, other: &'static str },
}

/// Labels of one stream: 0 and 1, or -1 and 1, never both kinds.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    zero_or_minus: Option<Negative>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Negative {
    Zero,
    MinusOne,
}

impl Labels {
    /// -1 or 1 for `0`, `1`, `-1`, `+1`, and for the same as decimals: `1.0`.
    pub fn label(&mut self, text: &[u8]) -> Result<i8, LineError> {
        let negative = match text {
            b"1" | b"+1" => return Ok(1),
            b"0" => Negative::Zero,
            b"-1" => Negative::MinusOne,
            _ => match std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()) {
                Some(1.0) => return Ok(1),
                Some(0.0) => Negative::Zero,
                Some(-1.0) => Negative::MinusOne,
                _ => return Err(LineError::Label { label: shown(text) }),
            },
        };
        let known = *self.zero_or_minus.get_or_insert(negative);
        match (negative, known) {
            (Negative::Zero, Negative::MinusOne) => {
                Err(LineError::MixedLabels { label: "0", other: "-1" })
            }
            (Negative::MinusOne, Negative::Zero) => {
                Err(LineError::MixedLabels { label: "-1", other: "0" })
            }
            _ => Ok(-1),
        }
    }
}

/// Some bytes of a line as a sentence shows them: short and readable, whatever they are.
pub fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let start = &text[..text.len().min(LONGEST)];
    let cut = if text.len() > LONGEST { "…" } else { "" };
    let readable = String::from_utf8_lossy(start);
    format!("\"{}{cut}\"", readable.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_zero_and_one_or_minus_one_and_one() {
        let mut labels = Labels::default();
        let read: Vec<i8> = ["1", "+1", "0", "1.0", "0.0"]
            .map(|text| labels.label(text.as_bytes()).unwrap())
            .into();
        assert_eq!(read, [1, 1, -1, 1, -1]);
        let mixed = labels.label(b"-1").unwrap_err();
        assert_eq!(mixed, LineError::MixedLabels { label: "-1", other: "0" });
        assert_eq!(Labels::default().label(b"-1.0"), Ok(-1));
        for odd in ["2", "", "nan", "yes", "1e999", "\u{0}\u{ff}", "0.5"] {
            assert!(matches!(labels.label(odd.as_bytes()), Err(LineError::Label { .. })), "{odd}");
        }
    }

    #[test]
    fn what_is_shown_is_short_and_readable() {
        assert_eq!(shown(b"a\tb\0\xff"), "\"a\\tb\\0\u{fffd}\"");
        assert_eq!(shown(&[b'x'; 1000]).chars().count(), 43);
    }
}
