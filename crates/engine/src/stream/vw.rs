//! Vowpal Wabbit's text: `[label [weight]] ['tag]|namespace[:value] feature[:value] ... |...`

use super::number::{in_bounds, value, weight};
use super::parser::{Labels, LineError, Parser, shown};
use super::{Block, Field, Namer};
use crate::real::Real;
use std::collections::HashMap;

const MOST_NAMESPACES_KEPT: usize = 1 << 16;
const MOST_MISSING: usize = 4;

/// Reads what VW reads, with these differences: whatever VW would guess at is an error, and the
/// constant feature is named `constant` in the namespace without a name.
pub struct Vw {
    namer: Namer,
    labels: Labels,
    constant: Field,
    namespaces: Namespaces,
}

impl Vw {
    pub fn new(namer: Namer) -> Self {
        let constant = namer.field(b"");
        Vw { namer, labels: Labels::default(), constant, namespaces: Namespaces::default() }
    }

    fn row<T: Real>(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        let Some(bar) = memchr::memchr(b'|', line) else {
            return Err(LineError::Expected {
                expected: "a \"|\" before the features".to_string(),
                found: shown(line),
            });
        };
        let (label, weight) = self.head(&line[..bar])?;
        let mut rest = &line[bar..];
        while let [b'|', after @ ..] = rest {
            rest = self.namespace(after, block)?;
        }
        self.namer.check_crosses()?;
        self.namer.push(&self.constant, b"constant", T::one(), block);
        self.namer.cross(block);
        block.end_row(label, weight);
        Ok(())
    }

    /// What stands before the first bar.
    fn head(&mut self, head: &[u8]) -> Result<(i8, f64), LineError> {
        // VW forgets what comes before a tab.
        let head = memchr::memchr(b'\t', head).map_or(head, |tab| &head[tab + 1..]);
        let mut words = head.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let mut first = [&head[..0]; 4];
        let mut count = 0;
        for word in words.by_ref().take(4) {
            first[count] = word;
            count += 1;
        }
        if count > 0 && (first[count - 1][0] == b'\'' || !head.ends_with(b" ")) {
            count -= 1;
            let tag = first[count];
            if count == 0 && matches!(tag, b"0" | b"1" | b"-1" | b"+1") {
                return Err(LineError::LabelOrTag {
                    text: String::from_utf8_lossy(tag).into_owned(),
                });
            }
        }
        if words.next().is_some() || count > 2 {
            return Err(LineError::Expected {
                expected: "a label, a weight and a tag before the first \"|\"".to_string(),
                found: shown(head),
            });
        }
        let label = if count > 0 { self.labels.label(first[0])? } else { 0 };
        let weight = if count > 1 { weight(first[1])? } else { 1.0 };
        Ok((label, weight))
    }

    /// One namespace, from behind its bar to the next bar or the end.
    fn namespace<'a, T: Real>(
        &mut self,
        text: &'a [u8],
        block: &mut Block<T>,
    ) -> Result<&'a [u8], LineError> {
        let (name, scale, mut rest) = match text {
            [] | [b' ' | b'\t' | b'|', ..] => (&text[..0], 1.0, text),
            _ => {
                let (name, given, rest) = token(text);
                if name.is_empty() {
                    return Err(LineError::Expected {
                        expected: "the namespace's name before \":\"".to_string(),
                        found: shown(text),
                    });
                }
                let scale = match given {
                    Some(given) => value(given, name)?,
                    None => 1.0,
                };
                (name, scale, rest)
            }
        };
        let field = self.namespaces.field(name, &self.namer);
        let mut nameless = 0;
        loop {
            match rest {
                [b' ' | b'\t', after @ ..] => rest = after,
                [] | [b'|', ..] => return Ok(rest),
                _ => {
                    let (name, given, after) = token(rest);
                    let x = match given {
                        None | Some(b"1") => scale,
                        Some(given) => in_bounds(value(given, name)? * scale, name)?,
                    };
                    if x != 0.0 {
                        if name.is_empty() {
                            let number = nameless.to_string();
                            self.namer.push(field, number.as_bytes(), T::of(x), block);
                        } else {
                            self.namer.push(field, name, T::of(x), block);
                        }
                    }
                    nameless += u32::from(name.is_empty());
                    rest = after;
                }
            }
        }
    }
}

impl<T: Real> Parser<T> for Vw {
    fn line(&mut self, line: &[u8], block: &mut Block<T>) -> Result<(), LineError> {
        // VW's end of a multi-line example.
        if line.iter().all(|&byte| byte == b' ' || byte == b'\t') {
            return Ok(());
        }
        self.row(line, block).inspect_err(|_| {
            block.abandon_row();
            self.namer.abandon_row();
        })
    }
}

/// A name, what follows its colon, and what follows both.
#[inline(always)]
fn token(text: &[u8]) -> (&[u8], Option<&[u8]>, &[u8]) {
    let (name, rest) = text.split_at(first_of(text, [b' ', b':', b'|', b'\t']));
    let [b':', given @ ..] = rest else { return (name, None, rest) };
    let (given, rest) = given.split_at(first_of(given, [b' ', b'|', b'\t', b' ']));
    (name, Some(given), rest)
}

/// Where one of these bytes comes first, or the end. Eight bytes are looked at together: most names
/// are no longer, and guessing where a loop ends costs more than they do.
#[inline(always)]
fn first_of(text: &[u8], marks: [u8; 4]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = marks.iter().fold(0, |found, &mark| found | bytes_that_are(mark, word));
        if found != 0 {
            return 8 * place + found.trailing_zeros() as usize / 8;
        }
    }
    let place = rest.iter().position(|byte| marks.contains(byte)).unwrap_or(rest.len());
    8 * words.len() + place
}

/// The high bit of every byte that is `mark`; above the lowest of them there may be others.
#[inline(always)]
fn bytes_that_are(mark: u8, word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let zeros = word ^ (EACH * u64::from(mark));
    zeros.wrapping_sub(EACH) & !zeros & (EACH << 7)
}

/// Namespaces met so far, made once. Rows have the same ones in the same order, mostly.
#[derive(Default)]
struct Namespaces {
    known: Vec<(Vec<u8>, Field)>,
    places: HashMap<Vec<u8>, usize>,
    /// The one that comes next if this row is like others.
    next: usize,
}

impl Namespaces {
    #[inline]
    fn field(&mut self, name: &[u8], namer: &Namer) -> &Field {
        // Where namespaces are missing from a row, the next one is not far behind.
        let ahead = self.known[self.next..].iter().take(MOST_MISSING + 1);
        let place = match ahead.zip(self.next..).find(|((known, _), _)| is_same(known, name)) {
            Some((_, place)) => place,
            None => self.find(name, namer),
        };
        self.next = if place + 1 < self.known.len() { place + 1 } else { 0 };
        &self.known[place].1
    }

    fn find(&mut self, name: &[u8], namer: &Namer) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        if self.known.len() == MOST_NAMESPACES_KEPT {
            *self = Namespaces::default();
        }
        self.places.insert(name.to_vec(), self.known.len());
        self.known.push((name.to_vec(), namer.field(name)));
        self.known.len() - 1
    }
}

/// Names are short: a call costs more than the loop.
#[inline(always)]
fn is_same(known: &[u8], name: &[u8]) -> bool {
    known.len() == name.len() && known.iter().zip(name).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Naming;

    fn namer(crosses: Vec<Vec<String>>) -> Namer {
        Namer::new(&Naming { bits: 26, crosses, keeps_names: true }).unwrap()
    }

    /// Features by name with their values, for every row.
    fn named(block: &Block<f64>) -> Vec<Vec<(String, f64)>> {
        let names: HashMap<u32, &String> = block.new_names.iter().map(|(f, n)| (*f, n)).collect();
        let pairs =
            block.features.iter().map(|f| names[f].clone()).zip(block.values.iter().copied());
        let pairs: Vec<(String, f64)> = pairs.collect();
        block.starts.windows(2).map(|w| pairs[w[0] as usize..w[1] as usize].to_vec()).collect()
    }

    fn read(line: &str) -> Result<Block<f64>, LineError> {
        let mut block = Block::default();
        Vw::new(namer(Vec::new())).line(line.as_bytes(), &mut block).map(|()| block)
    }

    fn features(line: &str) -> Vec<(String, f64)> {
        let mut row = named(&read(line).unwrap()).pop().unwrap();
        assert_eq!(row.pop().unwrap(), ("constant".to_string(), 1.0));
        row
    }

    fn pairs(expected: &[(&str, f64)]) -> Vec<(String, f64)> {
        expected.iter().map(|(name, x)| (name.to_string(), *x)).collect()
    }

    #[test]
    fn features_have_their_namespace_and_value() {
        assert_eq!(
            features("1 |a x y:2.5 z:-1 |b x |long_name:0.5 x y:4"),
            pairs(&[
                ("a=x", 1.0),
                ("a=y", 2.5),
                ("a=z", -1.0),
                ("b=x", 1.0),
                ("long_name=x", 0.5),
                ("long_name=y", 2.0)
            ])
        );
        assert_eq!(features("| x:3  y\t z"), pairs(&[("x", 3.0), ("y", 1.0), ("z", 1.0)]));
        assert_eq!(features("|a x|b y"), pairs(&[("a=x", 1.0), ("b=y", 1.0)]));
        assert_eq!(features("1 |a x:0 y:0.0 |b:0 z"), []);
        assert_eq!(features("1 |"), []);
        assert_eq!(features("1 || |a"), []);
    }

    #[test]
    fn features_without_a_name_are_counted_as_vw_does() {
        let expected = pairs(&[("a=0", 0.5), ("a=b", 1.0), ("a=1", 2.0), ("b=0", 3.0)]);
        assert_eq!(features("|a :0.5 b :2 |b :3"), expected);
    }

    #[test]
    fn labels_weights_and_tags() {
        let head = |line: &str| {
            let block = read(line).unwrap();
            (block.labels[0], block.weights[0])
        };
        assert_eq!(head("1 |a x"), (1, 1.0));
        assert_eq!(head("  -1  2.5  |a x"), (-1, 2.5));
        assert_eq!(head("0 0.5 tag|a x"), (-1, 0.5));
        assert_eq!(head("1 'tag |a x"), (1, 1.0));
        assert_eq!(head("1 2 'tag |a x"), (1, 2.0));
        assert_eq!(head("|a x"), (0, 1.0));
        assert_eq!(head("'7|a x"), (0, 1.0));
        assert_eq!(head("'1 |a x"), (0, 1.0));
        assert_eq!(head("tag|a x"), (0, 1.0));
        assert_eq!(head("forgotten\t1 |a x"), (1, 1.0));
    }

    #[test]
    fn what_is_wrong_is_told_and_leaves_the_block_as_it_was() {
        let mut vw = Vw::new(namer(vec![vec!["a".into(), "a".into()]]));
        let mut block = Block::<f64>::default();
        vw.line(b"1 |a x", &mut block).unwrap();
        let rows = (block.features.clone(), block.starts.clone());
        for (line, sentence) in [
            ("1 x y", "expected a \"|\" before the features, found \"1 x y\""),
            (
                "1 2 3 |a x",
                "expected a label, a weight and a tag before the first \"|\", found \"1 2 3 \"",
            ),
            ("1 2 3 4 5 6|a x", "expected a label, a weight and a tag"),
            (
                "1|a x",
                "\"1\" touches the \"|\": VW takes that for a tag; write \"1 |\" for a label or \"'1|\" for a tag",
            ),
            ("2 |a x", "the label is \"2\"; labels are 0 and 1, or -1 and 1"),
            ("0 |a x", ""),
            ("-1 |a x", "the label is -1, and"),
            ("1 -1 |a x", "the weight of the row is \"-1\""),
            (
                "1 |a x y:1e999",
                "the value of feature \"y\" is \"1e999\"; it must be a finite number",
            ),
            ("1 |a x y:nan", "finite number"),
            ("1 |a x y:", "the value of feature \"y\" is \"\""),
            ("1 |a x y:b", "the value of feature \"y\" is \"b\""),
            (
                "1 |a:1e6 x y:1e6",
                "the value of feature \"y\" is \"1000000000000\"; it must be at most 1000000000",
            ),
            ("1 |:2 x", "expected the namespace's name"),
            ("1 |a:x y", "the value of feature \"a\" is \"x\""),
        ] {
            match vw.line(line.as_bytes(), &mut block) {
                Ok(()) if sentence.is_empty() => {
                    block.starts.pop();
                    block.labels.pop();
                    block.abandon_row();
                }
                Ok(()) => panic!("{line} was taken"),
                Err(error) => assert!(
                    error.to_string().starts_with(sentence)
                        || error.to_string().contains("finite number"),
                    "{line}: {error}"
                ),
            }
            assert_eq!((&block.features, &block.starts), (&rows.0, &rows.1), "{line}");
        }
        vw.line(b"1 |b y", &mut block).unwrap();
        assert_eq!(block.features.len(), rows.0.len() + 2);
    }

    #[test]
    fn marks_are_found_wherever_they_are() {
        let marks = [b' ', b':', b'|', b'\t'];
        for text in
            [&b""[..], b"a", b" ", b"0123456 89", b"\x1f\x21!{;\x08\xa0\xba", b"x\xffy::| \t"]
        {
            for length in 0..=text.len() {
                for before in 0..20 {
                    let whole = [&b"0123456789abcdefghij"[..before], &text[..length]].concat();
                    let expected = whole.iter().position(|byte| marks.contains(byte));
                    assert_eq!(
                        first_of(&whole, marks),
                        expected.unwrap_or(whole.len()),
                        "{whole:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn namespaces_may_be_missing_from_rows_and_come_in_any_order() {
        let mut namespaces = Namespaces::default();
        let namer = namer(Vec::new());
        for name in ["a", "b", "c", "d", "b", "a", "d", "", "c", "a", "bb", "b"] {
            let found = format!("{:?}", namespaces.field(name.as_bytes(), &namer));
            assert_eq!(found, format!("{:?}", namer.field(name.as_bytes())));
        }
    }

    #[test]
    fn lines_of_nothing_are_no_rows() {
        assert_eq!(read("").unwrap().rows() + read(" \t ").unwrap().rows(), 0);
    }

    #[test]
    fn names_are_bytes() {
        let mut block = Block::<f64>::default();
        let mut vw = Vw::new(namer(Vec::new()));
        vw.line(b"1 |\xff \xfe:2 \xc3\xa9", &mut block).unwrap();
        assert_eq!(block.values, [2.0, 1.0, 1.0]);
    }

    #[test]
    fn many_namespaces_are_not_kept_for_ever() {
        let mut vw = Vw::new(Namer::new(&Naming::default()).unwrap());
        let mut block = Block::<f32>::default();
        for i in 0..2 * MOST_NAMESPACES_KEPT {
            vw.line(format!("1 |n{i} x |same y").as_bytes(), &mut block).unwrap();
        }
        assert!(vw.namespaces.known.len() <= MOST_NAMESPACES_KEPT);
        let same: Vec<u32> = (0..block.rows()).map(|i| block.features[3 * i + 1]).collect();
        assert!(same.iter().all(|&feature| feature == same[0]));
    }
}
