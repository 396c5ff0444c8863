//! Rows shaped like those of the Criteo display advertising challenge: 13 integers, 26 categories,
//! missing values, a quarter of clicks. What is published of the real ones is in `published.rs`.
//!
//! Chosen here, for it is not published: integers are log-normal; the `n`th value of a category,
//! from 1, has a probability in proportion to `n^-0.1 - (n + 1)^-0.1`, a tail of exponent 1.1; and
//! fields know nothing of each other, but for missing together.

mod classes;
mod published;

use super::refuse;
use crate::error::Error;
use crate::random::Random;
use crate::settings::Link;
use classes::Classes;
pub use published::{CATEGORIES, INTEGERS};
use published::{CATEGORY_FIELDS, CLICK_RATE, INTEGER_FIELDS, MISSING, Missing};

const CALIBRATION_ROWS: usize = 20_000;

/// What is active in a row: a constant, then of every field its missing value (where it can be
/// missing), its class of integers, or its category.
#[derive(Clone, Debug)]
pub struct Criteo {
    classes: Vec<Classes>,
    fields: Vec<Field>,
    features: usize,
    /// Of 2^32, for each share of missing values.
    missing: [u32; MISSING.len()],
}

#[derive(Clone, Debug)]
struct Field {
    first: u32,
    missing: Missing,
    /// But for missing.
    values: u32,
    /// Of the tail: `1 - (values + 1)^-0.1`.
    reach: f64,
}

/// A row in the fields' own terms: all fields have a value, and some of them are missing.
#[derive(Clone, Debug)]
pub struct CriteoRow {
    missing: u16,
    pub integers: [i32; INTEGERS],
    classes: [u32; INTEGERS],
    /// From 0, the most probable.
    pub categories: [u32; CATEGORIES],
}

impl Criteo {
    /// Fields have `most_values` values at most: fewer than in truth take less memory.
    pub fn new(most_values: u32) -> Result<Criteo, Error> {
        if most_values < 2 {
            return refuse("most_values", most_values.to_string(), "at least 2");
        }
        let classes: Vec<Classes> = INTEGER_FIELDS.iter().map(Classes::new).collect();
        let of_integers = INTEGER_FIELDS.iter().zip(&classes);
        let of_integers = of_integers.map(|(field, classes)| (classes.len() as u32, field.missing));
        let of_categories = CATEGORY_FIELDS.iter().map(|&(values, missing)| {
            let values = values.min(most_values);
            (values - u32::from(missing.is_some()), missing)
        });
        let mut next = 1;
        let fields = of_integers.chain(of_categories).map(|(values, missing)| {
            let first = next;
            next += values + u32::from(missing.is_some());
            let reach = 1.0 - (f64::from(values) + 1.0).powf(-0.1);
            Field { first, missing, values, reach }
        });
        let fields = fields.collect();
        let missing = MISSING.map(|share| (share * f64::from(u32::MAX)) as u32);
        Ok(Criteo { classes, fields, features: next as usize, missing })
    }

    pub fn features(&self) -> usize {
        self.features
    }

    pub fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        self.push(&self.row(random), features);
    }

    pub fn row(&self, random: &mut Random) -> CriteoRow {
        let mut row = CriteoRow {
            missing: 0,
            integers: [0; INTEGERS],
            classes: [0; INTEGERS],
            categories: [0; CATEGORIES],
        };
        for (pair, shares) in self.missing.chunks(2).enumerate() {
            let bits = random.bits();
            let both = [bits as u32, (bits >> 32) as u32];
            for (place, (bits, share)) in both.iter().zip(shares).enumerate() {
                row.missing |= u16::from(bits < share) << (2 * pair + place);
            }
        }
        for (i, classes) in self.classes.iter().enumerate() {
            (row.classes[i], row.integers[i]) = classes.draw(random.uniform());
        }
        for (category, field) in row.categories.iter_mut().zip(&self.fields[INTEGERS..]) {
            *category = field.draw(random.uniform());
        }
        row
    }

    /// The row as numbered features, in rising order.
    pub fn push(&self, row: &CriteoRow, features: &mut Vec<u32>) {
        features.push(0);
        let values = row.classes.iter().chain(&row.categories);
        features.extend(self.fields.iter().zip(values).map(|(field, &value)| {
            let present = value + u32::from(field.missing.is_some());
            field.first + if row.lacks(field.missing) { 0 } else { present }
        }));
    }

    /// The weight of the constant that gives the real click rate, over rows of their own.
    pub fn constant(&self, weights: &[f64], link: Link, random: &mut Random) -> f64 {
        let mut features = Vec::new();
        let scores: Vec<f64> = (0..CALIBRATION_ROWS)
            .map(|_| {
                features.clear();
                self.draw(random, &mut features);
                features[1..].iter().map(|&feature| weights[feature as usize]).sum()
            })
            .collect();
        let rate = |constant: f64| {
            let all: f64 = scores.iter().map(|w| link.probability_at(w + constant)).sum();
            all / CALIBRATION_ROWS as f64
        };
        // By halving: the rate rises with the constant.
        let largest = scores.iter().fold(10.0, |largest: f64, w| largest.max(w.abs()));
        let (mut low, mut high) = (-2.0 * largest, 2.0 * largest);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if rate(middle) < CLICK_RATE { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

impl CriteoRow {
    pub fn lacks(&self, missing: Missing) -> bool {
        missing.is_some_and(|share| self.missing >> share & 1 == 1)
    }

    pub fn lacks_integer(&self, field: usize) -> bool {
        self.lacks(INTEGER_FIELDS[field].missing)
    }

    pub fn lacks_category(&self, field: usize) -> bool {
        self.lacks(CATEGORY_FIELDS[field].1)
    }
}

impl Field {
    /// The tail's inverse: the sum of the first `n` probabilities is `(1 - (n + 1)^-0.1) / reach`.
    /// A tenth power is four multiplications.
    fn draw(&self, u: f64) -> u32 {
        let y = 1.0 - u * self.reach;
        let y2 = y * y;
        let y8 = (y2 * y2) * (y2 * y2);
        ((1.0 / (y8 * y2)) as u32).clamp(1, self.values) - 1
    }
}

/// Eight hex digits stand for this: within a field, each value has its own.
pub fn token(field: usize, value: u32) -> u32 {
    // MurmurHash3's finalizer, a bijection.
    let mut h = value.wrapping_add((field as u32 + 1).wrapping_mul(0x9e37_79b9));
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

#[cfg(test)]
mod tests;
