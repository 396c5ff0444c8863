use super::refuse;
use crate::error::Error;
use crate::random::{Random, uniform_of};

/// Their true weights are kept in memory.
pub const LARGEST_FEATURES: usize = 100_000_000;

const CELL_BITS: u32 = 12;
const CELLS: usize = 1 << CELL_BITS;
/// Stands in the table where a cell holds more than one gap.
const SEVERAL: u16 = u16::MAX;

/// Features that are each active with the same probability, by themselves: the gaps from one active
/// feature to the next are geometric.
#[derive(Clone, Debug)]
pub struct Gaps {
    features: usize,
    active: f64,
    /// One over the logarithm of the probability that a feature is not active.
    per_gap: f64,
    /// The gap of all uniforms in a cell, where it is the same: most logarithms are looked up.
    table: Vec<u16>,
}

impl Gaps {
    pub fn new(features: usize, active: f64) -> Result<Self, Error> {
        if !(1..=LARGEST_FEATURES).contains(&features) {
            return refuse("features", features.to_string(), "between 1 and 100000000");
        }
        if !(active > 0.0 && active <= features as f64) {
            let allowed = "above 0 and at most the number of features";
            return refuse("active", active.to_string(), allowed);
        }
        let per_gap = (-active / features as f64).ln_1p().recip();
        let cell = |i: usize| {
            let edge = |i: usize| gap(i as f64 / CELLS as f64, per_gap);
            let (low, high) = (edge(i + 1), edge(i));
            if low == high { u16::try_from(low).unwrap_or(SEVERAL) } else { SEVERAL }
        };
        Ok(Gaps { features, active, per_gap, table: (0..CELLS).map(cell).collect() })
    }

    pub fn features(&self) -> usize {
        self.features
    }

    /// How many there are in a row, on average.
    pub fn active(&self) -> f64 {
        self.active
    }

    pub fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        let mut next = 0;
        loop {
            let bits = random.bits();
            let gap = match self.table[(bits >> (64 - CELL_BITS)) as usize] {
                SEVERAL => gap(uniform_of(bits), self.per_gap),
                gap => usize::from(gap),
            };
            next += gap;
            if next >= self.features {
                return;
            }
            features.push(next as u32);
            next += 1;
        }
    }
}

/// How many features a uniform number leaps over. Where all are active the factor is -0, and every
/// gap is zero; a gap beyond all numbers saturates at half of them, so that adding cannot overflow.
fn gap(u: f64, per_gap: f64) -> usize {
    ((u.ln() * per_gap) as usize).min(usize::MAX / 2)
}
