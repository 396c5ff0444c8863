//! What a row is: feature numbers with their values, checked once, so that no rule has to.

use crate::error::Error;
use crate::real::Real;
use std::borrow::Cow;

/// Above this, squares times variances could leave single precision.
pub const LARGEST_VALUE: f64 = 1e9;
pub const LARGEST_WEIGHT: f64 = 1e6;

/// Rows in compressed form. Within a row no feature comes twice and no value is zero: a feature that
/// did has had its values added, and a value of zero says nothing. Numbered features are in order;
/// named ones, whose numbers are hashes, stay in the order they came in.
#[derive(Clone, Debug)]
pub struct Rows<'a, T: Real> {
    starts: Cow<'a, [i64]>,
    features: Cow<'a, [u32]>,
    values: Cow<'a, [T]>,
    fields: Cow<'a, [u32]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Row<'a, T> {
    pub features: &'a [u32],
    pub values: &'a [T],
    /// The field that each feature belongs to, or nothing where rows do not tell.
    pub fields: &'a [u32],
}

/// Arrays that rows can be made of.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a, T> {
    pub starts: &'a [i64],
    pub features: &'a [u32],
    pub values: &'a [T],
    /// As many as there are features, or none.
    pub fields: &'a [u32],
    /// Whether feature numbers are hashes of names.
    pub named: bool,
}

impl<'a, T: Real> Rows<'a, T> {
    /// Checks the arrays and puts them in order; they are copied only when they are not.
    pub fn new(starts: &'a [i64], features: &'a [u32], values: &'a [T]) -> Result<Self, Error> {
        Rows::of(Given { starts, features, values, fields: &[], named: false })
    }

    /// The same, with whatever more is told of the features.
    pub fn of(given: Given<'a, T>) -> Result<Self, Error> {
        if given.named { Self::named(given) } else { Self::numbered(given) }
    }

    fn numbered(given: Given<'a, T>) -> Result<Self, Error> {
        let given = Self::checked(given)?;
        if given.iter().all(|row| row.has_no_zero() && row.is_rising()) {
            return Ok(given);
        }
        let ordered = given.added_up(true);
        ordered.check_values()?;
        Ok(ordered)
    }

    /// Named features stay in the order they came in.
    fn named(given: Given<'a, T>) -> Result<Self, Error> {
        let given = Self::checked(given)?;
        let mut seen = Seen::default();
        if given.iter().all(|row| row.has_no_zero() && row.is_ready(false, &mut seen)) {
            return Ok(given);
        }
        let added = given.added_up(false);
        added.check_values()?;
        Ok(added)
    }

    fn checked(given: Given<'a, T>) -> Result<Self, Error> {
        let Given { starts, features, values, fields, .. } = given;
        if !fields.is_empty() && fields.len() != features.len() {
            let what = "fields of features";
            return Err(Error::Lengths { rows: features.len(), found: fields.len(), what });
        }
        if features.len() != values.len() {
            return Err(Error::Uneven { indices: features.len(), values: values.len() });
        }
        let ends_right =
            starts.first() == Some(&0) && starts.last() == Some(&(values.len() as i64));
        if !ends_right || starts.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(Error::RowStarts { values: values.len() });
        }
        let given = Rows {
            starts: starts.into(),
            features: features.into(),
            values: values.into(),
            fields: fields.into(),
        };
        given.check_values()?;
        Ok(given)
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
        let fields = if self.fields.is_empty() { &[] } else { &self.fields[place.clone()] };
        Row { features: &self.features[place.clone()], values: &self.values[place], fields }
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_, T>> {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Refuses features that a table of this size has no place for.
    pub fn check_features(&self, size: usize) -> Result<(), Error> {
        for (row, features) in self.iter().map(|row| row.features).enumerate() {
            if let Some(&feature) = features.iter().max().filter(|&&f| f as usize >= size) {
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

    /// A feature that comes again is added to where it came first, or all are put in order.
    fn added_up(&self, in_order: bool) -> Rows<'static, T> {
        let mut starts = Vec::with_capacity(self.starts.len());
        let mut features = Vec::with_capacity(self.features.len());
        let mut values: Vec<T> = Vec::with_capacity(self.values.len());
        let mut fields = Vec::with_capacity(self.fields.len());
        let mut pairs: Vec<(u32, usize, T)> = Vec::new();
        let mut seen = Seen::default();
        starts.push(0);
        for row in self.iter() {
            if row.has_no_zero() && row.is_ready(in_order, &mut seen) {
                features.extend_from_slice(row.features);
                values.extend_from_slice(row.values);
                fields.extend_from_slice(row.fields);
                starts.push(values.len() as i64);
                continue;
            }
            pairs.clear();
            for (place, (&feature, &x)) in row.features.iter().zip(row.values).enumerate() {
                pairs.push((feature, place, x));
            }
            pairs.sort_unstable_by_key(|&(feature, place, _)| (feature, place));
            for same in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
                same[0].2 = same.iter().map(|pair| pair.2).sum();
                same[1..].iter_mut().for_each(|pair| pair.2 = T::zero());
            }
            if !in_order {
                pairs.sort_unstable_by_key(|&(_, place, _)| place);
            }
            for &(feature, place, x) in pairs.iter().filter(|(_, _, x)| *x != T::zero()) {
                features.push(feature);
                values.push(x);
                fields.extend(row.fields.get(place));
            }
            starts.push(values.len() as i64);
        }
        Rows {
            starts: starts.into(),
            features: features.into(),
            values: values.into(),
            fields: fields.into(),
        }
    }
}

impl<T: Real> Row<'_, T> {
    fn is_rising(&self) -> bool {
        self.features.windows(2).fold(true, |good, pair| good & (pair[0] < pair[1]))
    }

    /// Whether no feature comes twice, and all are in order if they are to be.
    fn is_ready(&self, in_order: bool, seen: &mut Seen) -> bool {
        if in_order { self.is_rising() } else { !seen.any_twice(self.features) }
    }

    fn has_no_zero(&self) -> bool {
        self.values.iter().fold(true, |good, &x| good & (x != T::zero()))
    }
}

/// The features of a row, by their low bits; a place belongs to the row whose number it bears.
#[derive(Default)]
struct Seen {
    places: Vec<(u32, u32)>,
    row: u32,
}

impl Seen {
    fn any_twice(&mut self, features: &[u32]) -> bool {
        let wanted = (4 * features.len()).next_power_of_two();
        if self.places.len() < wanted || self.row == u32::MAX {
            *self = Seen { places: vec![(0, 0); wanted.max(self.places.len())], row: 0 };
        }
        self.row += 1;
        let mask = self.places.len() - 1;
        features.iter().any(|&feature| {
            let mut place = feature as usize & mask;
            while self.places[place].0 == self.row {
                if self.places[place].1 == feature {
                    return true;
                }
                place = (place + 1) & mask;
            }
            self.places[place] = (self.row, feature);
            false
        })
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

    fn named<'a>(
        starts: &'a [i64],
        features: &'a [u32],
        values: &'a [f64],
    ) -> Result<Rows<'a, f64>, Error> {
        let fields = &[];
        Rows::of(Given { starts, features, values, fields, named: true })
    }

    #[test]
    fn rows_in_order_are_not_copied() {
        let rows = Rows::new(&[0, 2, 2, 3], &[1, 7, 0], &[1.0, -2.0, 3.0]).unwrap();
        assert!(matches!(rows.values, Cow::Borrowed(_)));
        assert_eq!(rows.row(0).features, [1, 7]);
        let rows = named(&[0, 2, 2, 3], &[7, 1, 0], &[1.0, -2.0, 3.0]).unwrap();
        assert!(matches!(rows.values, Cow::Borrowed(_)));
        assert_eq!(rows.row(0).features, [7, 1]);
        assert!(rows.row(1).values.is_empty());
    }

    #[test]
    fn a_feature_that_comes_twice_has_its_values_added() {
        let (features, values) = ([7, 1, 7, 2, 2], [1.0, 2.0, 0.5, 1.0, -1.0]);
        let numbered = Rows::new(&[0, 5], &features, &values).unwrap();
        assert_eq!(numbered.row(0).features, [1, 7]);
        assert_eq!(numbered.row(0).values, [2.0, 1.5]);
        let named = named(&[0, 5], &features, &values).unwrap();
        assert_eq!(named.row(0).features, [7, 1]);
        assert_eq!(named.row(0).values, [1.5, 2.0]);
    }

    #[test]
    fn features_keep_their_fields() {
        let (features, values, fields) =
            ([7, 1, 7, 2, 2], [1.0, 2.0, 0.5, 1.0, -1.0], [9, 8, 6, 5, 5]);
        let given = Given {
            starts: &[0, 5],
            features: &features,
            values: &values,
            fields: &fields,
            named: true,
        };
        assert_eq!(Rows::of(given).unwrap().row(0).fields, [9, 8]);
        assert_eq!(Rows::of(Given { named: false, ..given }).unwrap().row(0).fields, [8, 9]);
        assert!(Rows::of(Given { fields: &fields[1..], ..given }).is_err());
    }

    #[test]
    fn features_twice_are_found_wherever_they_are() {
        let mut seen = Seen::default();
        for n in 1..60_u32 {
            let scattered: Vec<u32> = (0..n).map(|i| i.wrapping_mul(0x9e37_79b9) % 1000).collect();
            let distinct: std::collections::HashSet<_> = scattered.iter().collect();
            assert_eq!(seen.any_twice(&scattered), distinct.len() < scattered.len());
            let mut twice: Vec<u32> = (0..n).rev().map(|i| i * 64).collect();
            assert!(!seen.any_twice(&twice));
            twice.push(twice[n as usize / 2]);
            assert!(seen.any_twice(&twice));
        }
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
