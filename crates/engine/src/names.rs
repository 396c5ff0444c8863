//! What people call the features of a hashed table, and how many rows were learned with each.

use crate::error::Error;
use crate::real::Real;
use crate::rows::Rows;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Of names that meet in one place of the table the first is kept; their rows are counted together.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: BTreeMap<u32, String>,
    /// For every place of the table; zeroed by the system, page by page, when first written.
    rows: Vec<u64>,
}

impl Names {
    /// What a file holds: names and counts, each with their features.
    pub fn from_parts(
        names: Vec<(u32, String)>,
        counts: &[(u32, u64)],
        size: usize,
    ) -> Result<Self, Error> {
        let mut made = Names { names: BTreeMap::new(), rows: counters(size)? };
        for (feature, name) in names {
            if feature as usize >= size {
                return Err(Error::BeliefOutside { feature, size });
            }
            if made.names.insert(feature, name).is_some() {
                return Err(Error::NamedTwice { feature });
            }
        }
        for &(feature, rows) in counts {
            let counter = made.rows.get_mut(feature as usize);
            *counter.ok_or(Error::BeliefOutside { feature, size })? = rows;
        }
        Ok(made)
    }

    /// Makes room for a table of this size, so that nothing can fail once its rows are learned.
    pub fn make_room(&mut self, size: usize) -> Result<(), Error> {
        if size > self.rows.len() {
            let mut rows = counters(size.next_power_of_two())?;
            for (to, &from) in rows.iter_mut().zip(&self.rows) {
                // An untouched page stays the system's.
                if from > 0 {
                    *to = from;
                }
            }
            self.rows = rows;
        }
        Ok(())
    }

    pub fn tell(&mut self, told: Vec<(u32, String)>) {
        for (feature, name) in told {
            if let Entry::Vacant(place) = self.names.entry(feature) {
                place.insert(name);
            }
        }
    }

    /// Counts the features of rows that were learned, which those of weight zero were not.
    pub fn count<T: Real>(&mut self, rows: &Rows<'_, T>, weights: Option<&[f64]>) {
        for (i, row) in rows.iter().enumerate() {
            if weights.and_then(|weights| weights.get(i)) == Some(&0.0) {
                continue;
            }
            for &feature in row.features {
                if let Some(count) = self.rows.get_mut(feature as usize) {
                    *count += 1;
                }
            }
        }
    }

    pub fn name(&self, feature: u32) -> Option<&str> {
        self.names.get(&feature).map(String::as_str)
    }

    pub fn rows(&self, feature: u32) -> u64 {
        self.rows.get(feature as usize).copied().unwrap_or(0)
    }

    /// By rising feature.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.names.iter().map(|(&feature, name)| (feature, name.as_str()))
    }

    /// The features that rows were learned with.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> {
        (0_u32..).zip(self.rows.iter().copied()).filter(|&(_, rows)| rows > 0)
    }
}

fn counters(size: usize) -> Result<Vec<u64>, Error> {
    let zeroed = bytemuck::allocation::try_zeroed_slice_box(size);
    Ok(zeroed.map_err(|()| Error::Memory { size })?.into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pairs: &[(u32, &str)]) -> Vec<(u32, String)> {
        pairs.iter().map(|&(feature, name)| (feature, name.to_string())).collect()
    }

    #[test]
    fn the_first_name_is_kept_and_learned_rows_are_counted() {
        let mut names = Names::default();
        names.make_room(8).unwrap();
        names.tell(told(&[(3, "user=anna"), (5, "hour")]));
        names.tell(told(&[(3, "user=otto")]));
        // A feature that comes twice in a row is one feature of it.
        let rows = Rows::new(&[0, 3, 4, 5], &[3, 5, 3, 3, 5], &[1.0, 2.0, 1.0, 1.0, 1.0]).unwrap();
        names.count(&rows, Some(&[1.0, 0.5, 0.0]));
        assert_eq!(names.name(3), Some("user=anna"));
        assert_eq!(names.name(4), None);
        assert_eq!(names.counts().collect::<Vec<_>>(), [(3, 2), (5, 1)]);
        names.make_room(1000).unwrap();
        assert_eq!((names.rows(3), names.rows(999), names.rows(u32::MAX)), (2, 0, 0));
    }

    #[test]
    fn parts_make_it_again_and_bad_parts_are_told() {
        let parts = told(&[(1, "a"), (7, "")]);
        let names = Names::from_parts(parts.clone(), &[(1, 9)], 8).unwrap();
        assert_eq!(names.iter().collect::<Vec<_>>(), [(1, "a"), (7, "")]);
        assert_eq!(names.counts().collect::<Vec<_>>(), [(1, 9)]);
        let sentence = |result: Result<Names, Error>| result.unwrap_err().to_string();
        assert!(sentence(Names::from_parts(parts, &[], 7)).contains("feature 7"));
        assert!(sentence(Names::from_parts(told(&[(1, "a"), (1, "b")]), &[], 8)).contains("twice"));
        assert!(sentence(Names::from_parts(vec![], &[(8, 1)], 8)).contains("feature 8"));
    }
}
