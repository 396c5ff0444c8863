use crate::stream::LineError;
use crate::stream::shown;

const QUOTE: u8 = b'"';

/// The cells of a line, without their quotes.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Where each begins, and one past the end, as if a delimiter followed the last.
    starts: Vec<usize>,
    /// The line without quotes, if it has any.
    unquoted: Option<Vec<u8>>,
}

impl Cells {
    /// A quote that begins a cell ends it too; within, two stand for one. Every line is a row: a
    /// quoted cell ends on its line.
    #[inline]
    pub fn split(&mut self, line: &[u8], delimiter: u8) -> Result<(), LineError> {
        self.starts.clear();
        self.starts.push(0);
        if memchr::memchr(QUOTE, line).is_some() {
            return self.split_quoted(line, delimiter);
        }
        self.unquoted = None;
        self.starts.extend(memchr::memchr_iter(delimiter, line).map(|place| place + 1));
        self.starts.push(line.len() + 1);
        Ok(())
    }

    fn split_quoted(&mut self, line: &[u8], delimiter: u8) -> Result<(), LineError> {
        let mut text = self.unquoted.take().unwrap_or_default();
        text.clear();
        let mut rest = Some(line);
        while let Some(cell) = rest {
            rest = match cell.strip_prefix(&[QUOTE]) {
                Some(quoted) => {
                    let after = unquote(quoted, &mut text).ok_or_else(|| LineError::Expected {
                        expected: "a quote that ends the cell on this line".to_string(),
                        found: shown(cell),
                    })?;
                    match after.split_first() {
                        None => None,
                        Some((&next, after)) if next == delimiter => Some(after),
                        Some(_) => {
                            return Err(LineError::Expected {
                                expected: format!("{} after a quoted cell", name_of(delimiter)),
                                found: shown(after),
                            });
                        }
                    }
                }
                None => {
                    let end = memchr::memchr(delimiter, cell).unwrap_or(cell.len());
                    text.extend_from_slice(&cell[..end]);
                    cell.get(end + 1..)
                }
            };
            text.push(delimiter);
            self.starts.push(text.len());
        }
        self.unquoted = Some(text);
        Ok(())
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// A cell of the line that was split.
    #[inline]
    pub fn get<'a>(&'a self, place: usize, line: &'a [u8]) -> &'a [u8] {
        let text = self.unquoted.as_deref().unwrap_or(line);
        match self.starts.get(place..place + 2) {
            Some(&[start, next]) => &text[start..next - 1],
            _ => b"",
        }
    }
}

/// Adds what stands before the closing quote; gives what stands behind it.
fn unquote<'a>(mut quoted: &'a [u8], text: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let end = memchr::memchr(QUOTE, quoted)?;
        text.extend_from_slice(&quoted[..end]);
        quoted = &quoted[end + 1..];
        match quoted.strip_prefix(&[QUOTE]) {
            Some(rest) => quoted = rest,
            None => return Some(quoted),
        }
        text.push(QUOTE);
    }
}

pub fn name_of(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "a comma",
        b'\t' => "a tab",
        b';' => "a semicolon",
        _ => "a \"|\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(line: &str) -> Result<Vec<String>, String> {
        let mut cells = Cells::default();
        cells.split(line.as_bytes(), b',').map_err(|error| error.to_string())?;
        let text = |place| String::from_utf8(cells.get(place, line.as_bytes()).to_vec()).unwrap();
        Ok((0..cells.len()).map(text).collect())
    }

    #[test]
    fn cells_may_be_quoted() {
        let told = |line| split(line).unwrap();
        assert_eq!(told("a,b"), ["a", "b"]);
        assert_eq!(told(""), [""]);
        assert_eq!(told(",,"), ["", "", ""]);
        assert_eq!(told("\"a,b\",c"), ["a,b", "c"]);
        assert_eq!(told("\"say \"\"ah\"\"\",\"\",x"), ["say \"ah\"", "", "x"]);
        assert_eq!(told("\"\"\"\",\"a\""), ["\"", "a"]);
        assert_eq!(told("6\" pipe,5'"), ["6\" pipe", "5'"]);
        assert_eq!(told("\"a\","), ["a", ""]);
    }

    #[test]
    fn broken_quotes_are_told() {
        let sentence = "expected a quote that ends the cell on this line, found \"\\\"b\"";
        assert_eq!(split("a,\"b").unwrap_err(), sentence);
        assert!(split("\"a\"\"").is_err());
        let sentence = "expected a comma after a quoted cell, found \"bx,\"";
        assert_eq!(split("\"a\"bx,").unwrap_err(), sentence);
    }

    #[test]
    fn a_line_without_quotes_after_one_with_them() {
        let mut cells = Cells::default();
        cells.split(b"\"longer text\",b", b',').unwrap();
        cells.split(b"a,b,c", b',').unwrap();
        assert_eq!(
            (cells.len(), cells.get(2, b"a,b,c"), cells.get(3, b"a,b,c")),
            (3, &b"c"[..], &b""[..])
        );
    }

    proptest! {
        #[test]
        fn what_was_quoted_comes_back(texts in prop::collection::vec("[a,\"\t ]{0,6}", 1..6), quotes: bool) {
            let quoted = |text: &String| {
                let needs = quotes || text.contains([',', '"']);
                if needs { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
            };
            let line = texts.iter().map(quoted).collect::<Vec<_>>().join(",");
            prop_assert_eq!(split(&line).unwrap(), texts);
        }
    }
}
