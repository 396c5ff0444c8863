use super::cells::Cells;
use crate::stream::{Cell, LineError, shown};

/// Where a header has as many of two, it is the later one.
const DELIMITERS: [u8; 4] = [b',', b'|', b';', b'\t'];

/// The first line of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub delimiter: u8,
    /// How many columns a line has.
    pub columns: usize,
    /// Those that have a name, each with its place. pandas writes a frame's index as a column
    /// without one.
    pub named: Vec<(usize, String)>,
}

impl Header {
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let delimiter = delimiter(line);
        let mut cells = Cells::default();
        cells.split(line, delimiter)?;
        let mut named: Vec<(usize, String)> = Vec::new();
        for place in 0..cells.len() {
            let text = cells.get(place, line).trim_ascii();
            match std::str::from_utf8(text) {
                Ok("") => {}
                Ok(name) => named.push((place, name.to_string())),
                Err(_) => {
                    return Err(LineError::Header(format!(
                        "the name of column {} is {}, which is not UTF-8: write the file as UTF-8",
                        place + 1,
                        shown(text)
                    )));
                }
            }
        }
        let twice = twice(&named);
        // A row has its label or its number first.
        let looks_like_a_row = match named.first() {
            None => true,
            Some((_, first)) => is_number(first) || twice.is_some_and(is_number),
        };
        if looks_like_a_row {
            return Err(LineError::Expected {
                expected: "a header with the names of the columns".to_string(),
                found: shown(line),
            });
        }
        if let Some(name) = twice {
            return Err(LineError::Header(format!(
                "two columns are called {name:?}; names of columns must differ"
            )));
        }
        Ok(Header { delimiter, columns: cells.len(), named })
    }

    pub fn names(&self) -> Vec<&str> {
        self.named.iter().map(|(_, name)| name.as_str()).collect()
    }

    /// Whether the two have the same columns, in whatever order.
    pub fn check_like(&self, first: &Header) -> Result<(), LineError> {
        let missing = |from: &Header, names: &Header| {
            let known = from.names();
            names.names().into_iter().find(|name| !known.contains(name)).map(str::to_string)
        };
        if let Some(name) = missing(self, first) {
            return Err(LineError::Header(format!(
                "there is no column {name:?}, which the first file has; every file has a header \
                 and the same columns, in any order"
            )));
        }
        match missing(first, self) {
            Some(name) => Err(LineError::Header(format!(
                "there is a column {name:?}, which the first file has not; every file has the \
                 same columns, in any order"
            ))),
            None => Ok(()),
        }
    }
}

fn twice(named: &[(usize, String)]) -> Option<&str> {
    let mut names: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

fn is_number(name: &str) -> bool {
    matches!(Cell::read(name.as_bytes()), Cell::Whole(_) | Cell::Number(_))
}

/// The one that comes most often outside of quotes.
fn delimiter(line: &[u8]) -> u8 {
    let mut counts = [0; DELIMITERS.len()];
    let mut is_quoted = false;
    for byte in line {
        is_quoted ^= *byte == b'"';
        if let (false, Some(place)) = (is_quoted, DELIMITERS.iter().position(|d| d == byte)) {
            counts[place] += 1;
        }
    }
    let most = (0..DELIMITERS.len()).max_by_key(|&place| counts[place]);
    DELIMITERS[most.unwrap_or(0)]
}

/// Whether these lines are a header of several names, none of them a number, and rows of as many
/// cells. What has a bar in its first line is taken for VW's.
pub fn is_csv<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let Some(first) = lines.next() else { return false };
    let Ok(header) = Header::parse(first) else { return false };
    let is_name = |(_, name): &(usize, String)| {
        matches!(Cell::read(name.as_bytes()), Cell::Text(_)) && !name.contains('|')
    };
    let mut cells = Cells::default();
    header.named.len() >= 2
        && header.columns <= header.named.len() + 1
        && header.delimiter != b'|'
        && header.named.iter().all(is_name)
        && lines.all(|line| {
            cells.split(line, header.delimiter).is_err() || cells.len() == header.columns
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Header, String> {
        Header::parse(line.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_delimiter_is_the_most_frequent() {
        for (line, delimiter, names) in [
            ("a,b,c", b',', vec!["a", "b", "c"]),
            ("a\tb, c\td", b'\t', vec!["a", "b, c", "d"]),
            ("a;b", b';', vec!["a", "b"]),
            ("a|b", b'|', vec!["a", "b"]),
            ("\"a;;;\",b", b',', vec!["a;;;", "b"]),
            (",a , \"b\"\"", b',', vec!["a", "\"b\"\""]),
            ("a", b'\t', vec!["a"]),
        ] {
            let header = parse(line).unwrap();
            assert_eq!((header.delimiter, header.names()), (delimiter, names), "{line}");
        }
        assert_eq!(parse(",a,b").unwrap().named[0], (1, "a".to_string()));
    }

    #[test]
    fn what_is_no_header_is_told() {
        let told = |line| parse(line).unwrap_err();
        assert_eq!(
            told("1,2.5,-3"),
            "expected a header with the names of the columns, found \"1,2.5,-3\""
        );
        for row in [",", "1 |a x", "0,UA", "id,1,1,0"] {
            assert!(told(row).starts_with("expected a header"), "{row}");
        }
        assert!(parse("country,2019,2020").is_ok());
        assert_eq!(told("b,a,b"), "two columns are called \"b\"; names of columns must differ");
        let error = Header::parse(b"a,gr\xfcn").unwrap_err().to_string();
        assert!(error.starts_with("the name of column 2 is \"gr\u{fffd}n\", which is not UTF-8"));
    }

    #[test]
    fn further_files_have_the_same_columns_in_any_order() {
        let first = parse("a,b,c").unwrap();
        let check = |line| parse(line).unwrap().check_like(&first).map_err(|e| e.to_string());
        assert_eq!(check("c;a;b"), Ok(()));
        assert!(check("b,x,c").unwrap_err().starts_with("there is no column \"a\", which"));
        assert!(check("a,b,c,d").unwrap_err().starts_with("there is a column \"d\", which"));
    }

    #[test]
    fn csv_is_told_from_other_lines() {
        let is = |text: &str| is_csv(text.lines().map(str::as_bytes));
        assert!(is("id,label\n1,0\n2,1"));
        assert!(is(",genre\tlabel\n3,A|B\t1"));
        assert!(is("a,b\n\"x,y\",1"));
        for text in
            ["1,0\n2,1", "a,b\n1,2,3", "1 |a x,y", "a|b\n1|2", "Dear all,\nhow are you?", "a", ""]
        {
            assert!(!is(text), "{text}");
        }
    }
}
