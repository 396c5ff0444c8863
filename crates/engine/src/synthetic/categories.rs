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
    /// For equal steps of the sum, where a search begins and ends; it has ended already where the
    /// two are the same, which is nearly always.
    guide: Vec<(u32, u32)>,
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
        let guide = guide_to(&sums);
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
            if self.per_row == 1 {
                features.push(first + self.within(size, random.uniform()));
            } else {
                self.draw_several(first, size, random, features);
            }
            first += size;
        }
    }

    /// Features that are there already are drawn again: none comes twice.
    fn draw_several(&self, first: u32, size: u32, random: &mut Random, features: &mut Vec<u32>) {
        let start = features.len();
        for _ in 0..self.per_row {
            features.push(first + self.within(size, random.uniform()));
        }
        let row = &mut features[start..];
        for place in 1..self.per_row {
            let (before, rest) = row.split_at_mut(place);
            // Over all of them, without leaving early: that is vector code.
            while before.iter().fold(false, |found, &other| found | (other == rest[0])) {
                rest[0] = first + self.within(size, random.uniform());
            }
        }
        if self.per_row <= MOST_RANKED {
            sort_by_rank(row);
        } else {
            row.sort_unstable();
        }
    }

    /// The feature of a category that a uniform number stands for.
    fn within(&self, size: u32, u: f64) -> u32 {
        if self.tail == Tail::Even {
            return (u * f64::from(size)) as u32;
        }
        let target = u * self.sums[size as usize - 1];
        let step = (target / self.sums[self.sums.len() - 1] * GUIDES as f64) as usize;
        let (from, to) = self.guide[step];
        if from == to {
            return from.min(size - 1);
        }
        let between = &self.sums[from as usize..to as usize];
        (from + between.partition_point(|&sum| sum <= target) as u32).min(size - 1)
    }
}

const GUIDES: usize = 16384;

fn guide_to(sums: &[f64]) -> Vec<(u32, u32)> {
    let total = sums.last().copied().unwrap_or(1.0);
    let first_above = |step: f64| {
        let target = step / GUIDES as f64 * total;
        sums.partition_point(|&sum| sum <= target) as u32
    };
    // A little slack on either side, for the division's rounding.
    let ends = |step: f64| (first_above(step - 1e-3), first_above(step + 1.0 + 1e-3));
    (0..=GUIDES).map(|step| ends(step as f64)).collect()
}

const MOST_RANKED: usize = 16;

/// Every one to the place that as many are smaller as: without a branch, unlike sorting.
fn sort_by_rank(row: &mut [u32]) {
    let mut ranked = [0; MOST_RANKED];
    for &feature in row.iter() {
        let rank: usize = row.iter().map(|&other| usize::from(other < feature)).sum();
        ranked[rank] = feature;
    }
    row.copy_from_slice(&ranked[..row.len()]);
}

fn running_sums(terms: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = terms.scan(0.0, |sum, term| {
        *sum += term;
        Some(*sum)
    });
    sums.collect()
}
