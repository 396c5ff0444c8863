//! What a row is: feature numbers with their values, checked once, so that no rule has to.

use crate::error::Error;
use crate::real::Real;
use std::borrow::Cow;

/// Above this, squares times variances could leave single precision.
pub const LARGEST_VALUE: f64 = 1e9;
pub const LARGEST_WEIGHT: f64 = 1e6;

/// Rows in compressed form. Within a row features rise strictly and no value is zero: a feature
/// that comes twice has had its values added, and a value of zero says nothing.
#[derive(Clone, Debug)]
pub struct Rows<'a, T: Real> {
    starts: Cow<'a, [i64]>,
    features: Cow<'a, [u32]>,
    values: Cow<'a, [T]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Row<'a, T> {
    pub features: &'a [u32],
    pub values: &'a [T],
}

impl<'a, T: Real> Rows<'a, T> {
    /// Checks the arrays and puts them in order; they are copied only when they are not.
    pub fn new(starts: &'a [i64], features: &'a [u32], values: &'a [T]) -> Result<Self, Error> {
        if features.len() != values.len() {
            return Err(Error::Uneven { indices: features.len(), values: values.len() });
        }
        let ends_right =
            starts.first() == Some(&0) && starts.last() == Some(&(values.len() as i64));
        if !ends_right || starts.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(Error::RowStarts { values: values.len() });
        }
        let given =
            Rows { starts: starts.into(), features: features.into(), values: values.into() };
        given.check_values()?;
        if given.iter().all(|row| row.is_in_order()) {
            return Ok(given);
        }
        let ordered = given.in_order();
        ordered.check_values()?;
        Ok(ordered)
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> Row<'_, T> {
        let place = self.starts[i] as usize..self.starts[i + 1] as usize;
        Row { features: &self.features[place.clone()], values: &self.values[place] }
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_, T>> {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Refuses features that a table of this size has no place for.
    pub fn check_features(&self, size: usize) -> Result<(), Error> {
        for (row, features) in self.iter().map(|row| row.features).enumerate() {
            // In order: the last is the largest.
            if let Some(&feature) = features.last().filter(|&&f| f as usize >= size) {
                return Err(Error::OutsideTable { row, feature, size });
            }
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), Error> {
        let largest = T::of(LARGEST_VALUE);
        // NaN fails the comparison too.
        if self.values.iter().fold(true, |good, x| good & (x.abs() <= largest)) {
            return Ok(());
        }
        for (row, content) in self.iter().enumerate() {
            for (&feature, x) in content.features.iter().zip(content.values) {
                let value = x.f64();
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, feature, value });
                }
                if x.abs() > largest {
                    return Err(Error::TooLarge { row, feature, value });
                }
            }
        }
        Ok(())
    }

    fn in_order(&self) -> Rows<'static, T> {
        let mut starts = Vec::with_capacity(self.starts.len());
        let mut features = Vec::with_capacity(self.features.len());
        let mut values: Vec<T> = Vec::with_capacity(self.values.len());
        let mut pairs: Vec<(u32, T)> = Vec::new();
        starts.push(0);
        for row in self.iter() {
            pairs.clear();
            pairs.extend(row.features.iter().copied().zip(row.values.iter().copied()));
            pairs.sort_by_key(|pair| pair.0);
            for same in pairs.chunk_by(|a, b| a.0 == b.0) {
                let value: T = same.iter().map(|pair| pair.1).sum();
                if value != T::zero() {
                    features.push(same[0].0);
                    values.push(value);
                }
            }
            starts.push(values.len() as i64);
        }
        Rows { starts: starts.into(), features: features.into(), values: values.into() }
    }
}

impl<T: Real> Row<'_, T> {
    fn is_in_order(&self) -> bool {
        let rising = self.features.windows(2).fold(true, |good, pair| good & (pair[0] < pair[1]));
        rising && self.values.iter().fold(true, |good, &x| good & (x != T::zero()))
    }
}

/// Refuses labels other than -1 and 1, weights that are negative, not finite or huge, and lengths
/// that differ from the rows'.
pub fn check_answers(rows: usize, labels: &[i8], weights: Option<&[f64]>) -> Result<(), Error> {
    if labels.len() != rows {
        return Err(Error::Lengths { rows, found: labels.len(), what: "labels" });
    }
    if let Some(row) = labels.iter().position(|&y| y != 1 && y != -1) {
        return Err(Error::Label { row, label: labels[row] });
    }
    let Some(weights) = weights else { return Ok(()) };
    if weights.len() != rows {
        return Err(Error::Lengths { rows, found: weights.len(), what: "weights" });
    }
    match weights.iter().position(|w| !(0.0..=LARGEST_WEIGHT).contains(w)) {
        Some(row) => Err(Error::Weight { row, weight: weights[row] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_order_are_not_copied() {
        let rows = Rows::new(&[0, 2, 2, 3], &[1, 7, 0], &[1.0, -2.0, 3.0]).unwrap();
        assert!(matches!(rows.values, Cow::Borrowed(_)));
        assert_eq!(rows.row(0).features, [1, 7]);
        assert!(rows.row(1).values.is_empty());
    }

    #[test]
    fn a_feature_that_comes_twice_has_its_values_added() {
        let rows = Rows::new(&[0, 5], &[7, 1, 7, 2, 2], &[1.0, 2.0, 0.5, 1.0, -1.0]).unwrap();
        assert_eq!(rows.row(0).features, [1, 7]);
        assert_eq!(rows.row(0).values, [2.0, 1.5]);
    }

    #[test]
    fn bad_rows_are_told_with_their_place() {
        let bad = |starts: &[i64], features: &[u32], values: &[f64]| {
            Rows::new(starts, features, values).unwrap_err().to_string()
        };
        assert!(
            bad(&[0, 1, 2], &[3, 4], &[1.0, f64::NAN]).starts_with("row 1: the value of feature 4")
        );
        assert!(bad(&[0, 1], &[3], &[1e300]).contains("at most 1000000000 in magnitude"));
        assert!(bad(&[0, 2, 1], &[3], &[1.0]).starts_with("row starts"));
        assert!(bad(&[], &[], &[]).starts_with("row starts"));
        assert!(bad(&[0, 1], &[3, 4], &[1.0]).starts_with("there are 2 feature indices"));
        assert!(bad(&[0, 2], &[3, 3], &[9e8, 9e8]).contains("1800000000"));
        assert!(bad(&[-1, 1], &[3], &[1.0]).starts_with("row starts"));
    }
}
