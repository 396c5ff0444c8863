use super::criteo::{CATEGORIES, Criteo, CriteoRow, INTEGERS, token};
use super::{Activity, Stream, Values, refuse};
use crate::error::Error;
use std::io::Write;

const ROWS_AT_ONCE: usize = 1000;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `-1 | 17 38:0.25`
    Vw,
    /// `-1 18:1 39:0.25`: features count from 1.
    Svmlight,
    /// A label of 0 or 1, 13 integers, 26 categories of eight hex digits, with tabs between.
    Criteo,
}

impl Stream {
    /// The next rows as text: the same that [`Stream::draw`] would give.
    pub fn text(&mut self, rows: usize, format: Format) -> Result<Vec<u8>, Error> {
        match (format, &*self.activity.clone()) {
            (Format::Criteo, Activity::Criteo(criteo)) => Ok(self.criteo_text(criteo, rows)),
            (Format::Criteo, _) => {
                refuse("format", "\"criteo\"".to_string(), "\"vw\" or \"svmlight\" for this stream")
            }
            _ => Ok(self.numbered_text(rows, format)),
        }
    }

    fn numbered_text(&mut self, rows: usize, format: Format) -> Vec<u8> {
        let mut text = Vec::new();
        let (between, first) = if format == Format::Vw { (" |", 0) } else { ("", 1) };
        for done in (0..rows).step_by(ROWS_AT_ONCE) {
            let drawn = self.draw(ROWS_AT_ONCE.min(rows - done));
            for (ends, &label) in drawn.starts.windows(2).zip(&drawn.labels) {
                text.extend_from_slice(if label > 0 { b"1" } else { b"-1" });
                text.extend_from_slice(between.as_bytes());
                let row = ends[0] as usize..ends[1] as usize;
                for (feature, x) in drawn.features[row.clone()].iter().zip(&drawn.values[row]) {
                    text.push(b' ');
                    write_integer(u64::from(*feature) + first, &mut text);
                    if self.values == Values::Uniform {
                        // Writing to memory cannot fail.
                        let _ = write!(text, ":{x}");
                    } else if format == Format::Svmlight {
                        text.extend_from_slice(b":1");
                    }
                }
                text.push(b'\n');
            }
        }
        text
    }

    fn criteo_text(&mut self, criteo: &Criteo, rows: usize) -> Vec<u8> {
        let mut text = Vec::with_capacity(rows * BYTES_A_ROW);
        let mut features = Vec::new();
        for _ in 0..rows {
            let row = criteo.row(&mut self.random);
            features.clear();
            criteo.push(&row, &mut features);
            let (label, _) = self.label(self.total(&features));
            text.push(if label > 0 { b'1' } else { b'0' });
            write_criteo(&row, &mut text);
        }
        text
    }
}

/// About as many as the real file has.
const BYTES_A_ROW: usize = 250;

fn write_criteo(row: &CriteoRow, text: &mut Vec<u8>) {
    for field in 0..INTEGERS {
        text.push(b'\t');
        if !row.lacks_integer(field) {
            let x = row.integers[field];
            if x < 0 {
                text.push(b'-');
            }
            write_integer(u64::from(x.unsigned_abs()), text);
        }
    }
    for field in 0..CATEGORIES {
        text.push(b'\t');
        if !row.lacks_category(field) {
            text.extend_from_slice(&hex(token(field, row.categories[field])));
        }
    }
    text.push(b'\n');
}

fn write_integer(mut x: u64, text: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut place = digits.len();
    loop {
        place -= 1;
        digits[place] = b'0' + (x % 10) as u8;
        x /= 10;
        if x == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[place..]);
}

/// Each half byte to a byte of its own, and all of them to digits at once.
fn hex(x: u32) -> [u8; 8] {
    let x = u64::from(x);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = ((x + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    (x + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'0' - 10)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn hex_digits_are_those_of_the_standard_library() {
        for x in [0, 1, 9, 10, 0xabcd_ef01, 0x2345_6789, u32::MAX, 0xdead_beef] {
            assert_eq!(hex(x), *format!("{x:08x}").as_bytes());
        }
    }
}
