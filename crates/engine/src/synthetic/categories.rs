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
    guide: Guide,
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
        let guide = Guide::to(&sums);
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

    pub fn in_a_row(&self) -> usize {
        self.sizes.len() * self.per_row
    }

    pub fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        // A number that the compiler knows: then the comparisons are vector code, without loops.
        match self.per_row {
            1 => self.draw_one(random, features),
            2 => self.draw_few::<2>(random, features),
            3 => self.draw_few::<3>(random, features),
            4 => self.draw_few::<4>(random, features),
            5 => self.draw_few::<5>(random, features),
            6 => self.draw_few::<6>(random, features),
            7 => self.draw_few::<7>(random, features),
            8 => self.draw_few::<8>(random, features),
            _ => self.draw_many(random, features),
        }
    }

    fn draw_one(&self, random: &mut Random, features: &mut Vec<u32>) {
        let mut first = 0;
        for &size in &self.sizes {
            features.push(first + self.category(size).feature(random.uniform()));
            first += size;
        }
    }

    fn draw_few<const N: usize>(&self, random: &mut Random, features: &mut Vec<u32>) {
        let mut first = 0;
        for &size in &self.sizes {
            let category = self.category(size);
            let mut row: [u32; N] =
                std::array::from_fn(|_| first + category.feature(random.uniform()));
            if holds_twins(&row) {
                redraw_twins(category, first, random, &mut row);
            }
            features.extend_from_slice(&ranked(row));
            first += size;
        }
    }

    fn draw_many(&self, random: &mut Random, features: &mut Vec<u32>) {
        let mut first = 0;
        for &size in &self.sizes {
            let category = self.category(size);
            let start = features.len();
            for _ in 0..self.per_row {
                features.push(first + category.feature(random.uniform()));
            }
            let row = &mut features[start..];
            redraw_twins(category, first, random, row);
            row.sort_unstable();
            first += size;
        }
    }

    /// What the drawing of each of a category's features needs.
    #[inline(always)]
    fn category(&self, size: u32) -> Category<'_> {
        let total = if self.tail == Tail::Even { 0.0 } else { self.sums[size as usize - 1] };
        Category { all: self, size, total, steps: total * self.guide.per_sum }
    }
}

/// One of the categories.
#[derive(Clone, Copy)]
struct Category<'a> {
    all: &'a Categories,
    size: u32,
    /// The sum of its terms, and what that is in steps of the guide.
    total: f64,
    steps: f64,
}

impl Category<'_> {
    /// The feature that a uniform number stands for.
    #[inline(always)]
    fn feature(&self, u: f64) -> u32 {
        if self.all.tail == Tail::Even {
            return (u * f64::from(self.size)) as u32;
        }
        let guide = &self.all.guide;
        // Signed, as processors have an instruction for it.
        let step = (u * self.steps) as i32 as usize;
        let one = guide.found[step];
        let feature = if one == SEVERAL { self.search(u, guide.ends[step]) } else { one };
        feature.min(self.size - 1)
    }

    fn search(&self, u: f64, (from, to): (u32, u32)) -> u32 {
        let target = u * self.total;
        let between = &self.all.sums[from as usize..to as usize];
        from + between.partition_point(|&sum| sum <= target) as u32
    }
}

/// For equal steps of the sum of a tail: the feature, or where a search for it begins and ends.
#[derive(Clone, Debug, Default)]
struct Guide {
    /// Nearly always there is only one in a step. Small, so that it stays in the nearest cache.
    found: Vec<u32>,
    ends: Vec<(u32, u32)>,
    /// How many steps there are in a sum of one.
    per_sum: f64,
}

/// Stands where a step holds more than one feature.
const SEVERAL: u32 = u32::MAX;
const FEWEST_STEPS: usize = 1024;
const MOST_STEPS: usize = 16384;

impl Guide {
    fn to(sums: &[f64]) -> Guide {
        let steps = (16 * sums.len()).next_power_of_two().clamp(FEWEST_STEPS, MOST_STEPS);
        let total = sums.last().copied().unwrap_or(1.0);
        let first_above = |step: f64| {
            let target = step / steps as f64 * total;
            sums.partition_point(|&sum| sum <= target) as u32
        };
        // A little slack on either side, for the rounding of steps.
        let ends: Vec<_> = (0..=steps)
            .map(|step| (first_above(step as f64 - 1e-3), first_above(step as f64 + 1.001)))
            .collect();
        let only = |&(from, to): &(u32, u32)| if from == to { from } else { SEVERAL };
        let found = ends.iter().map(only).collect();
        Guide { found, ends, per_sum: steps as f64 / total }
    }
}

/// Features that are there already are drawn again: none comes twice.
#[inline(always)]
fn redraw_twins(category: Category<'_>, first: u32, random: &mut Random, row: &mut [u32]) {
    for place in 1..row.len() {
        let (before, rest) = row.split_at_mut(place);
        while before.contains(&rest[0]) {
            rest[0] = first + category.feature(random.uniform());
        }
    }
}

#[inline(always)]
fn holds_twins<const N: usize>(row: &[u32; N]) -> bool {
    let mut found = false;
    for (place, one) in row.iter().enumerate() {
        for other in &row[..place] {
            found |= one == other;
        }
    }
    found
}

/// Every one at the place that as many are smaller as: without a branch, unlike sorting.
#[inline(always)]
fn ranked<const N: usize>(row: [u32; N]) -> [u32; N] {
    let mut found = [0; N];
    for feature in row {
        let rank: usize = row.iter().map(|&other| usize::from(other < feature)).sum();
        // That is below N, and the compiler need not check it.
        found[rank.min(N - 1)] = feature;
    }
    found
}

fn running_sums(terms: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = terms.scan(0.0, |sum, term| {
        *sum += term;
        Some(*sum)
    });
    sums.collect()
}
