//! svmlight's text: `label [qid:n] feature:value ... [# comment]`, features as numbers.

use super::Block;
use super::number::value;
use super::parser::{Labels, LineError, Parser, shown};
use crate::real::Real;

/// Feature numbers are kept as they are, whether they start at 0 or at 1.
#[derive(Default)]
pub struct Svmlight {
    labels: Labels,
}

impl Svmlight {
    fn row<T: Real>(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        let mut words = line.split(|&b| b == b' ' || b == b'\t').filter(|word| !word.is_empty());
        let Some(first) = words.next() else { return Ok(()) };
        // A row to predict may have no label.
        let label = match first.contains(&b':') {
            true => 0,
            false => self.labels.label(first)?,
        };
        if label == 0 {
            pair(first, block)?;
        }
        for word in words {
            pair(word, block)?;
        }
        block.end_row(label, 1.0);
        Ok(())
    }
}

impl<T: Real> Parser<T> for Svmlight {
    fn line(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        let content = memchr::memchr(b'#', line).map_or(line, |comment| &line[..comment]);
        self.row(content, block).inspect_err(|_| block.abandon_row())
    }
}

fn pair<T: Real>(word: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
    let refuse = || LineError::Expected {
        expected: format!("feature:value with a feature from 0 to {}", u32::MAX),
        found: shown(word),
    };
    let colon = word.iter().position(|&b| b == b':').ok_or_else(refuse)?;
    let (name, given) = (&word[..colon], &word[colon + 1..]);
    if name == b"qid" {
        return Ok(());
    }
    let x = value(given, name)?;
    let feature = index(name).ok_or_else(refuse)?;
    if x != 0.0 {
        block.push(feature, T::of(x));
    }
    Ok(())
}

#[inline]
fn index(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let mut number: u64 = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = 10 * number + u64::from(digit);
    }
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Result<Block<f64>, LineError> {
        let (mut parser, mut block) = (Svmlight::default(), Block::default());
        lines.iter().try_for_each(|line| parser.line(line.as_bytes(), &mut block)).map(|()| block)
    }

    #[test]
    fn rows_are_numbers_with_values() {
        let block = read(&[
            "+1 3:1 10:0.5 # a comment 7:1",
            "# only a comment",
            "",
            "-1 qid:4 10:2 3:-1 3:1.5 0:1e-3 5:0",
            "-1",
            "1\t4294967295:1 ",
            "7:2",
        ])
        .unwrap();
        assert_eq!(block.labels, [1, -1, -1, 1, 0]);
        assert_eq!(block.starts, [0, 2, 6, 6, 7, 8]);
        assert_eq!(block.features, [3, 10, 10, 3, 3, 0, u32::MAX, 7]);
        assert_eq!(block.values, [1.0, 0.5, 2.0, -1.0, 1.5, 1e-3, 1.0, 2.0]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (line, sentence) in [
            ("1 2:1 x", "expected feature:value with a feature from 0 to 4294967295, found \"x\""),
            ("1 4294967296:1", "expected feature:value"),
            ("1 -1:1", "expected feature:value"),
            ("1 a:1", "expected feature:value"),
            ("1 :1", "expected feature:value"),
            ("1 3:", "the value of feature \"3\" is \"\"; it must be a finite number"),
            ("1 3:4:5", "the value of feature \"3\" is \"4:5\""),
            ("1 3:1e999", "the value of feature \"3\" is \"1e999\""),
            ("3 1:1", "the label is \"3\"; labels are"),
        ] {
            let error = read(&[line]).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{line}: {error}");
        }
        assert!(matches!(read(&["0 1:1", "-1 1:1"]), Err(LineError::MixedLabels { .. })));
    }

    #[test]
    fn a_bad_line_leaves_the_block_as_it_was() {
        let (mut parser, mut block) = (Svmlight::default(), Block::<f32>::default());
        parser.line(b"1 2:1", &mut block).unwrap();
        parser.line(b"1 3:1 4:1 x", &mut block).unwrap_err();
        parser.line(b"0 5:1", &mut block).unwrap();
        assert_eq!(block.features, [2, 5]);
    }
}
