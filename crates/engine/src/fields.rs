//! Which features have a gain in common.

use crate::error::Error;
use std::sync::Arc;

/// The last one is shared by all fields that come later: a head's covariance has their square.
pub const MOST_FIELDS: usize = 64;
/// Numbered features whose field nobody told belong to this one.
const NO_FIELD: u32 = u32::MAX;

/// The fields of a stream in the order they came, each with the place of its gain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The field of each numbered feature, as far as it is known.
    of_feature: Arc<[u32]>,
    known: Vec<u32>,
}

impl Fields {
    pub fn new(of_feature: Vec<u32>) -> Self {
        Fields { of_feature: of_feature.into(), known: Vec::new() }
    }

    pub fn restore(of_feature: Vec<u32>, known: Vec<u32>) -> Result<Self, Error> {
        let mut sorted = known.clone();
        sorted.sort_unstable();
        if known.len() > MOST_FIELDS || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::Head);
        }
        Ok(Fields { of_feature: of_feature.into(), known })
    }

    pub fn of_features(&self) -> &[u32] {
        &self.of_feature
    }

    pub fn known(&self) -> &[u32] {
        &self.known
    }

    /// How many have come.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Forgets those that came behind the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.known.truncate(count);
    }

    /// The places of the fields of a row's features. `fields` are told by the row, or looked up.
    #[inline(always)]
    pub fn find(&mut self, features: &[u32], fields: &[u32], places: &mut Vec<usize>) {
        places.clear();
        let mut last = None;
        for (i, &feature) in features.iter().enumerate() {
            let field = match fields.get(i) {
                Some(&field) => field,
                None => self.of_feature.get(feature as usize).copied().unwrap_or(NO_FIELD),
            };
            // Features of a field come together, and fields in the order of the row before.
            let place = match last {
                Some((before, place)) if before == field => place,
                Some((_, place)) => self.place(field, place + 1),
                None => self.place(field, 0),
            };
            places.push(place);
            last = Some((field, place));
        }
    }

    /// One that has not come before gets its own place, as long as there are any.
    #[inline]
    fn place(&mut self, field: u32, guess: usize) -> usize {
        if self.known.get(guess) == Some(&field) {
            return guess;
        }
        if let Some(place) = self.known.iter().position(|&known| known == field) {
            return place;
        }
        if self.known.len() < MOST_FIELDS {
            self.known.push(field);
        }
        self.known.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(fields: &mut Fields, features: &[u32], told: &[u32]) -> Vec<usize> {
        let mut places = Vec::new();
        fields.find(features, told, &mut places);
        places
    }

    #[test]
    fn fields_have_places_in_the_order_they_come() {
        let mut fields = Fields::default();
        assert_eq!(places(&mut fields, &[1, 2, 3, 4], &[7, 7, 9, 7]), [0, 0, 1, 0]);
        assert_eq!(places(&mut fields, &[1, 2], &[9, 8]), [1, 2]);
        fields.truncate(2);
        assert_eq!(places(&mut fields, &[1, 2], &[5, 8]), [2, 3]);
        assert_eq!(fields.known(), [7, 9, 5, 8]);
    }

    #[test]
    fn numbered_features_are_looked_up() {
        let mut fields = Fields::new(vec![4, 4, 6]);
        assert_eq!(places(&mut fields, &[2, 0, 1, 3, 99], &[]), [0, 1, 1, 2, 2]);
    }

    #[test]
    fn fields_that_come_late_share_the_last_place() {
        let mut fields = Fields::default();
        let many: Vec<u32> = (0..100).collect();
        let found = places(&mut fields, &many, &many);
        assert_eq!(found[..MOST_FIELDS], (0..MOST_FIELDS).collect::<Vec<_>>());
        assert!(found[MOST_FIELDS..].iter().all(|&place| place == MOST_FIELDS - 1));
        assert_eq!(places(&mut fields, &many, &many), found);
    }
}
