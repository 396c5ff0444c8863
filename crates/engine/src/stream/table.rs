//! Columns of a table in memory, as Arrow keeps them.

use super::{Block, Cell, Encoding};
use crate::error::Error;
use crate::real::Real;

/// One column. Lengths are the giver's promise; where one is broken, cells are missing.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    pub values: Values<'a>,
    pub missing: Option<&'a [bool]>,
}

#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// NaN is missing.
    Float(&'a [f64]),
    Whole(&'a [i64]),
    Text(Texts<'a>),
    /// Text by its place in a dictionary; a negative place is missing.
    Coded(&'a [i32], Texts<'a>),
}

/// Texts one after the other, and where each begins and the last one ends.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    pub starts: &'a [i64],
    pub bytes: &'a [u8],
}

impl<'a> Texts<'a> {
    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    #[inline]
    fn get(&self, place: usize) -> Option<&'a [u8]> {
        let (start, end) = (*self.starts.get(place)?, *self.starts.get(place + 1)?);
        self.bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}

impl<'a> Array<'a> {
    pub fn len(&self) -> usize {
        match self.values {
            Values::Float(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Text(texts) => texts.len(),
            Values::Coded(places, _) => places.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn cell(&self, row: usize) -> Cell<'a> {
        if self.missing.is_some_and(|missing| missing.get(row) == Some(&true)) {
            return Cell::Missing;
        }
        let cell = match self.values {
            Values::Float(values) => values.get(row).map(|&x| Cell::number(x)),
            Values::Whole(values) => values.get(row).map(|&n| Cell::Whole(n)),
            Values::Text(texts) => texts.get(row).map(Cell::text),
            Values::Coded(places, texts) => places
                .get(row)
                .and_then(|&place| texts.get(usize::try_from(place).ok()?))
                .map(Cell::text),
        };
        cell.unwrap_or(Cell::Missing)
    }
}

/// A table of rows that are all learned, or each as it is told.
pub fn encode_table<T: Real>(
    columns: &[(&str, Array<'_>)],
    rows: usize,
    learned: Option<&[bool]>,
    encoding: &mut Encoding,
) -> Result<Block<T>, Error> {
    let lengths = columns.iter().map(|(_, array)| array.len()).chain(learned.map(<[bool]>::len));
    if let Some(found) = lengths.into_iter().find(|&length| length != rows) {
        return Err(Error::Lengths { rows, found, what: "cells of a column" });
    }
    let placed: Vec<(usize, Array<'_>)> =
        columns.iter().map(|(name, array)| (encoding.column(name), *array)).collect();
    let mut block = Block::default();
    block.starts.reserve(rows);
    for row in 0..rows {
        let is_learned = learned.is_none_or(|learned| learned[row]);
        for (column, array) in &placed {
            encoding.put(*column, array.cell(row), is_learned, &mut block);
        }
        encoding.end_row(0, 1.0, &mut block);
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Encoder;
    use proptest::prelude::*;

    const WORDS: Texts<'static> = Texts { starts: &[0, 2, 2, 4], bytes: b"abNA" };

    #[test]
    fn cells_of_every_kind_of_column() {
        let cells = |values| {
            let array = Array { values, missing: Some(&[false, false, false, true]) };
            (0..array.len() + 1).map(|row| array.cell(row)).collect::<Vec<_>>()
        };
        use Cell::{Missing, Number, Text, Whole};
        let floats = cells(Values::Float(&[1.5, f64::NAN, 2.0, 3.0]));
        assert_eq!(floats, [Number(1.5), Missing, Whole(2), Missing, Missing]);
        assert_eq!(cells(Values::Whole(&[i64::MIN])), [Whole(i64::MIN), Missing]);
        assert_eq!(cells(Values::Text(WORDS)), [Text(b"ab"), Missing, Missing, Missing]);
        let coded = cells(Values::Coded(&[0, -1, 7, 0], WORDS));
        assert_eq!(coded, [Text(b"ab"), Missing, Missing, Missing, Missing]);
    }

    #[test]
    fn columns_of_other_lengths_are_refused() {
        let array = Array { values: Values::Whole(&[1, 2]), missing: None };
        let mut encoding = Encoding::new(Encoder::default()).unwrap();
        let error = encode_table::<f32>(&[("a", array)], 3, None, &mut encoding).unwrap_err();
        assert!(error.to_string().starts_with("there are 3 rows and 2 cells of a column"));
        assert!(encode_table::<f32>(&[("a", array)], 2, Some(&[true]), &mut encoding).is_err());
    }

    proptest! {
        #[test]
        fn broken_offsets_are_missing_cells(
            starts in prop::collection::vec(-3..9_i64, 0..6),
            bytes in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let texts = Texts { starts: &starts, bytes: &bytes };
            let array = Array { values: Values::Text(texts), missing: None };
            for row in 0..8 {
                array.cell(row);
            }
        }
    }
}
