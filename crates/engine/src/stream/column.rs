use super::bucket::Bucket;
use super::cell::{Cell, MISSING};
use super::{Block, Field, Namer};
use crate::real::Real;
use serde::{Deserialize, Serialize};

/// So many different whole numbers are categories; one more is a quantity.
pub const MOST_CATEGORIES: usize = 32;

/// What the cells of a column so far have made of it. Text and missing values are what they are in
/// any column; the rest is about numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Column {
    /// Numbers were few and whole, and so are categories. They are in order.
    Few(Vec<i64>),
    /// Numbers are quantities, for good; the largest magnitude so far.
    Quantity(f64),
    /// Declared to be categories.
    Categories,
}

impl Default for Column {
    fn default() -> Self {
        Column::Few(Vec::new())
    }
}

impl Column {
    /// Puts the features of a cell into the block, and takes note of the cell if the row is learned.
    /// If it is not, the features are those that learning it would have made.
    #[inline]
    pub fn put<T: Real>(
        &mut self,
        cell: Cell<'_>,
        is_learned: bool,
        field: &Field,
        namer: &mut Namer,
        block: &mut Block<T>,
    ) {
        let one = T::one();
        match cell {
            Cell::Missing => namer.push(field, MISSING, one, block),
            Cell::Text(text) => namer.push(field, text, one, block),
            Cell::Whole(n) => match self.largest_with_whole(n, is_learned) {
                None => namer.push(field, itoa::Buffer::new().format(n).as_bytes(), one, block),
                Some(largest) => put_quantity(n as f64, largest, field, namer, block),
            },
            Cell::Number(x) => match self.largest_with(x, is_learned) {
                None => namer.push(field, &cell.to_text(), one, block),
                Some(largest) => put_quantity(x, largest, field, namer, block),
            },
        }
    }

    /// The largest magnitude of a quantity with this whole number; none while it is a category.
    #[inline]
    fn largest_with_whole(&mut self, n: i64, is_learned: bool) -> Option<f64> {
        let Column::Few(seen) = self else { return self.largest_with(n as f64, is_learned) };
        match seen.binary_search(&n) {
            Ok(_) => None,
            Err(place) if seen.len() < MOST_CATEGORIES => {
                if is_learned {
                    seen.insert(place, n);
                }
                None
            }
            Err(_) => self.largest_with(n as f64, is_learned),
        }
    }

    /// The largest magnitude of a quantity with this number; none in a column of categories.
    #[inline]
    fn largest_with(&mut self, x: f64, is_learned: bool) -> Option<f64> {
        let so_far = match self {
            Column::Categories => return None,
            Column::Quantity(largest) => *largest,
            Column::Few(seen) => seen.iter().map(|&n| (n as f64).abs()).fold(0.0, f64::max),
        };
        let largest = so_far.max(x.abs());
        if is_learned {
            *self = Column::Quantity(largest);
        }
        Some(largest)
    }

    /// Whether it can have come from cells.
    pub fn is_sound(&self) -> bool {
        match self {
            Column::Few(seen) => {
                seen.len() <= MOST_CATEGORIES && seen.windows(2).all(|pair| pair[0] < pair[1])
            }
            Column::Quantity(largest) => largest.is_finite() && *largest >= 0.0,
            Column::Categories => true,
        }
    }
}

/// The number in units of the largest, and its logarithmic bucket.
#[inline]
fn put_quantity<T: Real>(
    x: f64,
    largest: f64,
    field: &Field,
    namer: &mut Namer,
    block: &mut Block<T>,
) {
    let scaled = T::of(x / largest);
    // Zero says nothing, and no number is the largest while all are zero.
    if x != 0.0 && scaled != T::zero() {
        namer.push(field, b"", scaled, block);
    }
    namer.push(field, Bucket::of(x).name().as_bytes(), T::one(), block);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Naming;

    /// The names and values of the features that the cells make, row by row.
    fn features(column: &mut Column, cells: &[&str], is_learned: bool) -> Vec<Vec<(String, f64)>> {
        let row = |cell: &&str| {
            let naming = Naming { keeps_names: true, ..Naming::default() };
            let mut namer = Namer::new(&naming).unwrap();
            let mut block = Block::<f64>::default();
            let field = namer.field(b"c");
            let cell = Cell::read(cell.as_bytes());
            column.put(cell, is_learned, &field, &mut namer, &mut block);
            let names = block.new_names.into_iter().map(|(_, name)| name);
            names.zip(block.values).collect()
        };
        cells.iter().map(row).collect()
    }

    fn one(name: &str) -> Vec<(String, f64)> {
        vec![(name.to_string(), 1.0)]
    }

    fn quantity(value: f64, bucket: &str) -> Vec<(String, f64)> {
        vec![("c".to_string(), value), (format!("c{bucket}"), 1.0)]
    }

    #[test]
    fn text_missing_and_few_whole_numbers_are_categories() {
        let mut column = Column::default();
        let made = features(&mut column, &["UA", "", "15", "-3", "15.0", "007"], true);
        assert_eq!(made, ["c=UA", "c=NA", "c=15", "c=-3", "c=15", "c=007"].map(one));
        assert_eq!(column, Column::Few(vec![-3, 15]));
    }

    #[test]
    fn the_first_fraction_makes_a_quantity_for_good() {
        let mut column = Column::default();
        let made = features(&mut column, &["-8", "2.5", "4", "16", "NA", "low"], true);
        let rest = [quantity(2.5 / 8.0, "~2.38..2.83"), quantity(0.5, "~4..4.76")];
        assert_eq!(made[0], one("c=-8"));
        assert_eq!(made[1..3], rest);
        assert_eq!(made[3], quantity(1.0, "~16..19"));
        assert_eq!(made[4..], ["c=NA", "c=low"].map(one));
        assert_eq!(column, Column::Quantity(16.0));
    }

    #[test]
    fn the_33rd_whole_number_makes_a_quantity_for_good() {
        let mut column = Column::default();
        let cells: Vec<String> = (1..=32).rev().map(|n: i32| n.to_string()).collect();
        for cell in &cells {
            assert_eq!(features(&mut column, &[cell], true)[0], one(&format!("c={cell}")));
        }
        assert_eq!(features(&mut column, &["64", "32"], true)[0], quantity(1.0, "~64..76.1"));
        assert_eq!(features(&mut column, &["32"], true)[0], quantity(0.5, "~32..38.1"));
    }

    #[test]
    fn zero_has_a_bucket_and_no_value() {
        let mut column = Column::Quantity(0.0);
        assert_eq!(features(&mut column, &["0", "-0.0"], true), [one("c~0"), one("c~0")]);
        assert_eq!(column, Column::Quantity(0.0));
    }

    #[test]
    fn a_row_that_is_not_learned_has_the_features_learning_would_make_and_leaves_no_trace() {
        let full: Vec<i64> = (0..32).collect();
        for state in [
            Column::default(),
            Column::Few(full),
            Column::Few(vec![7]),
            Column::Quantity(3.0),
            Column::Categories,
        ] {
            for cell in ["1", "100", "2.5", "-1e300", "x", ""] {
                let (mut frozen, mut learning) = (state.clone(), state.clone());
                let shown = features(&mut frozen, &[cell], false);
                assert_eq!(shown, features(&mut learning, &[cell], true), "{state:?} {cell}");
                assert_eq!(frozen, state);
            }
        }
    }

    #[test]
    fn declared_categories_stay_so() {
        let mut column = Column::Categories;
        let made = features(&mut column, &["2.5", "1e3", "x"], true);
        assert_eq!(made, ["c=2.5", "c=1000", "c=x"].map(one));
        assert_eq!(column, Column::Categories);
    }
}
