//! Criteo's tab-separated text: a label, 13 integers I1..I13, 26 categories C1..C26.

use super::parser::{Labels, LineError, Parser, shown};
use super::{Block, Field, MISSING, Namer};
use crate::real::Real;

pub const INTEGERS: usize = 13;
pub const CATEGORIES: usize = 26;
pub const FIELDS: usize = INTEGERS + CATEGORIES;
const BUCKET: &[u8] = b"bucket";

/// Every cell is a category. An integer above 2 is the floor of its squared logarithm, as the
/// winners of Criteo's competition had it; a missing cell is a category of its own.
pub struct Criteo {
    namer: Namer,
    labels: Labels,
    fields: Vec<Field>,
    constant: Field,
    learns: bool,
}

impl Criteo {
    /// Files of rows to predict may have no column for the label.
    pub fn new(namer: Namer, learns: bool) -> Self {
        let integers = (1..=INTEGERS).map(|i| format!("I{i}"));
        let categories = (1..=CATEGORIES).map(|i| format!("C{i}"));
        let fields = integers.chain(categories).map(|name| namer.field(name.as_bytes())).collect();
        let constant = namer.field(b"");
        Criteo { namer, labels: Labels::default(), fields, constant, learns }
    }

    fn row<T: Real>(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        let tabs = memchr::memchr_iter(b'\t', line).count();
        let (label, mut rest) = match (tabs, self.learns) {
            (FIELDS, _) => {
                let (label, rest) = cell(line);
                let is_missing = label.is_empty() && !self.learns;
                (if is_missing { 0 } else { self.labels.label(label)? }, rest)
            }
            (tabs, false) if tabs + 1 == FIELDS => (0, line),
            (tabs, _) => return Err(self.wrong_columns(tabs + 1)),
        };
        for (place, field) in self.fields.iter().enumerate() {
            let text;
            (text, rest) = cell(rest);
            if text.is_empty() {
                self.namer.push(field, MISSING, T::one(), block);
            } else if place < INTEGERS {
                let mut bucket = [0; BUCKET.len() + 4];
                let token = integer(text, place, &mut bucket)?;
                self.namer.push(field, token, T::one(), block);
            } else {
                self.namer.push(field, text, T::one(), block);
            }
        }
        self.namer.push(&self.constant, b"constant", T::one(), block);
        self.namer.cross(block);
        block.end_row(label, 1.0);
        Ok(())
    }

    fn wrong_columns(&self, found: usize) -> LineError {
        let expected = match (self.learns, found) {
            (true, FIELDS) => {
                format!("{} tab-separated columns of which the first is the label", FIELDS + 1)
            }
            (true, _) => format!("{} tab-separated columns", FIELDS + 1),
            (false, _) => {
                format!("{} tab-separated columns, or {FIELDS} without the label", FIELDS + 1)
            }
        };
        LineError::Expected { expected, found: found.to_string() }
    }
}

impl<T: Real> Parser<T> for Criteo {
    fn line(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        if line.is_empty() {
            return Ok(());
        }
        self.row(line, block).inspect_err(|_| {
            block.abandon_row();
            self.namer.abandon_row();
        })
    }
}

/// The first cell, and what follows its tab.
#[inline]
fn cell(line: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b'\t', line) {
        Some(tab) => (&line[..tab], &line[tab + 1..]),
        None => (line, &line[line.len()..]),
    }
}

/// The category of an integer: itself, or the bucket of its logarithm.
fn integer<'a>(
    text: &'a [u8],
    place: usize,
    bucket: &'a mut [u8; BUCKET.len() + 4],
) -> Result<&'a [u8], LineError> {
    let refuse = || LineError::Expected {
        expected: format!("a whole number or nothing in column I{}", place + 1),
        found: shown(text),
    };
    let number: i64 =
        std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or_else(refuse)?;
    if number <= 2 {
        return Ok(text);
    }
    let log = libm::log(number as f64);
    // At most 43.7 squared: four digits.
    let mut rest = (log * log) as u32;
    let mut start = bucket.len();
    while rest > 0 {
        start -= 1;
        bucket[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    start -= BUCKET.len();
    bucket[start..start + BUCKET.len()].copy_from_slice(BUCKET);
    Ok(&bucket[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Naming;

    fn criteo(learns: bool) -> Criteo {
        let naming = Naming { keeps_names: true, ..Naming::default() };
        Criteo::new(Namer::new(&naming).unwrap(), learns)
    }

    fn line(label: &str, first: &str) -> String {
        let integers = format!("{first}{}", "\t5".repeat(INTEGERS - 1));
        format!("{label}\t{integers}{}", "\t68fd1e64".repeat(CATEGORIES))
    }

    fn names(line: &str) -> Vec<String> {
        let mut block = Block::<f32>::default();
        criteo(true).line(line.as_bytes(), &mut block).unwrap();
        assert!(block.values.iter().all(|&x| x == 1.0));
        block.new_names.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn cells_are_categories_and_integers_buckets_of_their_logarithm() {
        let found = names(&line("1", "20"));
        assert_eq!(found.len(), FIELDS + 1);
        assert_eq!(found[..2], ["I1=bucket8", "I2=bucket2"]);
        assert_eq!(found[INTEGERS..INTEGERS + 2], ["C1=68fd1e64", "C2=68fd1e64"]);
        assert_eq!(found[FIELDS], "constant");
        for (cell, name) in [
            ("", "I1=NA"),
            ("0", "I1=0"),
            ("-3", "I1=-3"),
            ("2", "I1=2"),
            ("3", "I1=bucket1"),
            ("1000000", "I1=bucket190"),
            ("9223372036854775807", "I1=bucket1906"),
        ] {
            assert_eq!(names(&line("0", cell))[0], name);
        }
        assert_eq!(names(&format!("1{}", "\t".repeat(FIELDS)))[INTEGERS], "C1=NA");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let told = |line: &str, learns| {
            let mut block = Block::<f32>::default();
            let error = criteo(learns).line(line.as_bytes(), &mut block).unwrap_err();
            assert_eq!((block.rows(), block.features.len()), (0, 0));
            error.to_string()
        };
        let good = line("1", "3");
        let (short, long) = (&good[2..], format!("{good}\tx"));
        assert_eq!(
            told(short, true),
            "expected 40 tab-separated columns of which the first is the label, found 39"
        );
        assert_eq!(told(&long, true), "expected 40 tab-separated columns, found 41");
        assert_eq!(
            told(&long, false),
            "expected 40 tab-separated columns, or 39 without the label, found 41"
        );
        assert_eq!(told("1 |a b", true), "expected 40 tab-separated columns, found 1");
        assert_eq!(
            told(&line("1", "1.5"), true),
            "expected a whole number or nothing in column I1, found \"1.5\""
        );
        assert_eq!(
            told(&line("2", "1"), true),
            "the label is \"2\"; labels are 0 and 1, or -1 and 1"
        );
        assert_eq!(
            told(&line("", "1"), true),
            "the label is \"\"; labels are 0 and 1, or -1 and 1"
        );
    }

    #[test]
    fn rows_to_predict_need_no_label() {
        let mut block = Block::<f32>::default();
        let mut parser = criteo(false);
        let labelled = line("1", "3");
        parser.line(labelled.as_bytes(), &mut block).unwrap();
        parser.line(&labelled.as_bytes()[2..], &mut block).unwrap();
        parser.line(&labelled.as_bytes()[1..], &mut block).unwrap();
        assert_eq!(block.labels, [1, 0, 0]);
        assert_eq!(block.features[..40], block.features[40..80]);
    }
}
