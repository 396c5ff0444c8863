use super::published::Integers;
use crate::likelihood::{Likelihood, Probit};

const GUIDES: usize = 1024;

/// The classes that the integers of a field fall into: up to 2 each number is one, above it those
/// with the same `floor(ln(x)^2)` (as the challenge's winners had them, and Lapwing's reader).
#[derive(Clone, Debug)]
pub struct Classes {
    lows: Vec<i32>,
    /// How many integers a class has.
    widths: Vec<f64>,
    /// The probability of a class and all before it.
    ends: Vec<f64>,
    /// Where the search for a class begins, for equal steps of probability.
    guide: Vec<u32>,
}

impl Classes {
    /// Log-normal integers with the field's mean, deviation and bounds.
    pub fn new(field: &Integers) -> Classes {
        let lows = lows(field);
        // Rounding down takes half of one away.
        let mean = field.mean - f64::from(field.least) + 0.5;
        let spread = (field.deviation / mean).powi(2).ln_1p();
        let centre = mean.ln() - 0.5 * spread;
        let below = |x: i32| {
            let score = (f64::from(x - field.least).ln() - centre) / spread.sqrt();
            Probit::cdf(score)
        };
        let all = below(field.most + 1);
        let highs = || lows.iter().skip(1).copied().chain([field.most + 1]);
        let ends: Vec<f64> = highs().map(|high| below(high) / all).collect();
        let widths = lows.iter().zip(highs()).map(|(&low, high)| f64::from(high - low));
        let guide = (0..GUIDES).map(|step| {
            let reached = step as f64 / GUIDES as f64;
            ends.partition_point(|&end| end <= reached) as u32
        });
        Classes { widths: widths.collect(), guide: guide.collect(), ends, lows }
    }

    pub fn len(&self) -> usize {
        self.lows.len()
    }

    /// The class that a uniform number stands for, and the integer within it.
    pub fn draw(&self, u: f64) -> (u32, i32) {
        let mut class = self.guide[((u * GUIDES as f64) as usize).min(GUIDES - 1)] as usize;
        let last = self.lows.len() - 1;
        while class < last && self.ends[class] <= u {
            class += 1;
        }
        let start = if class == 0 { 0.0 } else { self.ends[class - 1] };
        let share = (u - start) / (self.ends[class] - start);
        let width = self.widths[class];
        let step = (share * width).min(width - 1.0);
        (class as u32, self.lows[class] + step as i32)
    }

    #[cfg(test)]
    pub fn probability(&self, class: usize) -> f64 {
        self.ends[class] - if class == 0 { 0.0 } else { self.ends[class - 1] }
    }
}

fn lows(field: &Integers) -> Vec<i32> {
    let mut lows: Vec<i32> = (field.least..=2).collect();
    let edges = (1..).map(|k| if k == 1 { 3 } else { f64::from(k).sqrt().exp().ceil() as i32 });
    lows.extend(edges.take_while(|&edge| edge <= field.most));
    lows
}
