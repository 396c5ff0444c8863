use super::{gaps::LARGEST_FEATURES, refuse};
use crate::error::Error;
use crate::random::Random;

/// How probable the features of a category are, from its first to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tail {
    Even,
    /// Each this much less probable than the one before it.
    Exponential(f64),
    /// As `1 / (n + 1)^exponent`, `n` from 0.
    Zipf(f64),
}

/// Categories of features, one after the other, some features of each active in every row.
#[derive(Clone, Debug)]
pub struct Categories {
    sizes: Vec<u32>,
    per_row: usize,
    tail: Tail,
    /// The sums of the first terms of a tail. All categories share them, for a smaller one's terms
    /// are the first of a larger one's.
    sums: Vec<f64>,
    /// For equal steps of the sum, the first place where it is larger: a search starts there.
    guide: Vec<u32>,
}

impl Categories {
    /// `per_row` different features of each category are active in a row.
    pub fn new(sizes: &[u32], per_row: usize, tail: Tail) -> Result<Self, Error> {
        let total: usize = sizes.iter().map(|&size| size as usize).sum();
        if !(1..=LARGEST_FEATURES).contains(&total) {
            return refuse("features", total.to_string(), "between 1 and 100000000");
        }
        let smallest = sizes.iter().copied().min().unwrap_or(0) as usize;
        if !(1..=smallest).contains(&per_row) {
            let allowed = format!("between 1 and the size of the smallest category, {smallest}");
            return refuse("per_row", per_row.to_string(), &allowed);
        }
        match tail {
            Tail::Exponential(decay) if !(0.5..1.0).contains(&decay) => {
                return refuse("decay", decay.to_string(), "at least 0.5 and below 1");
            }
            Tail::Zipf(exponent) if !(0.0..=10.0).contains(&exponent) => {
                return refuse("exponent", exponent.to_string(), "between 0 and 10");
            }
            _ => {}
        }
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let sums: Vec<f64> = match tail {
            Tail::Even => Vec::new(),
            Tail::Exponential(decay) => {
                running_sums((0..largest).map(|n| decay.powf(f64::from(n))))
            }
            Tail::Zipf(exponent) => {
                running_sums((1..=largest).map(|n| f64::from(n).powf(-exponent)))
            }
        };
        let total = sums.last().copied().unwrap_or(1.0);
        let first_above = |step: usize| {
            let target = step as f64 / GUIDES as f64 * total;
            sums.partition_point(|&sum| sum <= target) as u32
        };
        let guide = (0..=GUIDES).map(first_above).collect();
        let categories = Categories { sizes: sizes.to_vec(), per_row, tail, sums, guide };
        // The last of a category's features in a row is found among what the others leave.
        if sizes.iter().any(|&size| categories.left_by(size, per_row - 1) < 1e-3) {
            let allowed = "fewer: with this tail they would be drawn again and again";
            return refuse("per_row", per_row.to_string(), allowed);
        }
        Ok(categories)
    }

    /// The probability of a category's features but its `n` most probable.
    fn left_by(&self, size: u32, n: usize) -> f64 {
        if self.tail == Tail::Even {
            return 1.0 - n as f64 / f64::from(size);
        }
        let taken = if n == 0 { 0.0 } else { self.sums[n - 1] };
        1.0 - taken / self.sums[size as usize - 1]
    }

    pub fn features(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).sum()
    }

    pub fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        let mut first = 0;
        for &size in &self.sizes {
            let start = features.len();
            while features.len() < start + self.per_row {
                let feature = first + self.within(size, random.uniform());
                // One that is there already is drawn again: no feature comes twice.
                if let Err(place) = features[start..].binary_search(&feature) {
                    features.insert(start + place, feature);
                }
            }
            first += size;
        }
    }

    /// The feature of a category that a uniform number stands for.
    fn within(&self, size: u32, u: f64) -> u32 {
        if self.tail == Tail::Even {
            return (u * f64::from(size)) as u32;
        }
        let target = u * self.sums[size as usize - 1];
        let step = (target / self.sums[self.sums.len() - 1] * GUIDES as f64) as usize;
        // One step of slack on either side, for the division's rounding.
        let from = self.guide[step.saturating_sub(1)] as usize;
        let to = (self.guide[(step + 2).min(GUIDES)] as usize + 1).min(self.sums.len());
        let place = from + self.sums[from..to].partition_point(|&sum| sum <= target);
        (place as u32).min(size - 1)
    }
}

const GUIDES: usize = 4096;

fn running_sums(terms: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = terms.scan(0.0, |sum, term| {
        *sum += term;
        Some(*sum)
    });
    sums.collect()
}
