//! Streams whose truth is known (section 4, "Synthetic Data"): seeded, and faster than the learners
//! they feed.

mod categories;
mod gaps;

pub use categories::{Categories, Tail};
pub use gaps::Gaps;

use crate::error::Error;
use crate::random::Random;
use crate::settings::Link;

/// The true weights of a stream, with mean zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    Normal,
    /// Between plus and minus the square root of three deviations.
    Uniform,
}

/// The values of active features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    One,
    /// Uniform in (0, 1).
    Uniform,
}

/// Which features are active in a row.
#[derive(Clone, Debug)]
pub enum Activity {
    /// Each by itself.
    Independent(Gaps),
    /// Some of every category.
    Categories(Categories),
}

/// What a stream is, beside which features are active.
#[derive(Clone, Debug)]
pub struct Truth<'a> {
    pub weights: Weights,
    /// One deviation for all features, or one for each.
    pub deviations: &'a [f64],
    pub values: Values,
    pub link: Link,
    pub seed: u64,
}

/// Rows in compressed form, their labels, and the log loss of knowing the truth.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    pub starts: Vec<i64>,
    pub features: Vec<u32>,
    pub values: Vec<f32>,
    pub labels: Vec<i8>,
    pub true_loss: Vec<f64>,
}

/// Labels by the link's probability at the true weights. The weights and the rows are functions of
/// the seed, and drawing twice a thousand rows is drawing two thousand.
#[derive(Clone, Debug)]
pub struct Stream {
    weights: Vec<f64>,
    activity: Activity,
    values: Values,
    link: Link,
    random: Random,
}

impl Stream {
    pub fn new(activity: Activity, truth: &Truth<'_>) -> Result<Self, Error> {
        let features = match &activity {
            Activity::Independent(gaps) => gaps.features(),
            Activity::Categories(categories) => categories.features(),
        };
        let given = truth.deviations.len();
        if given != 1 && given != features {
            return refuse(
                "deviation",
                format!("{given} numbers"),
                "one number, or one per feature",
            );
        }
        if let Some(odd) = truth.deviations.iter().find(|d| !(0.0..=1e3).contains(*d)) {
            return refuse("deviation", odd.to_string(), "between 0 and 1000");
        }
        let mut random = Random::at(truth.seed, 0);
        let deviations = truth.deviations.iter().cycle().take(features);
        let weights = deviations.map(|deviation| deviation * truth.weights.draw(&mut random));
        Ok(Stream {
            weights: weights.collect(),
            activity,
            values: truth.values,
            link: truth.link,
            random: Random::at(truth.seed, 1),
        })
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub fn draw(&mut self, rows: usize) -> Drawn {
        let mut drawn = Drawn { starts: vec![0], ..Drawn::default() };
        for _ in 0..rows {
            let start = drawn.features.len();
            self.activity.draw(&mut self.random, &mut drawn.features);
            drawn.starts.push(drawn.features.len() as i64);
            let row = &drawn.features[start..];
            let total = match self.values {
                Values::One => row.iter().map(|&feature| self.weights[feature as usize]).sum(),
                Values::Uniform => self.draw_values(row, &mut drawn.values),
            };
            let (y, loss) = self.link.draw_label(total, self.random.uniform());
            drawn.labels.push(y);
            drawn.true_loss.push(loss);
        }
        if self.values == Values::One {
            drawn.values = vec![1.0; drawn.features.len()];
        }
        drawn
    }

    fn draw_values(&mut self, features: &[u32], values: &mut Vec<f32>) -> f64 {
        let mut total = 0.0;
        for &feature in features {
            // Neither zero nor one in single precision.
            let x = self.random.uniform().clamp(1e-7, 0.999_999_9) as f32;
            values.push(x);
            total += f64::from(x) * self.weights[feature as usize];
        }
        total
    }
}

impl Activity {
    fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        match self {
            Activity::Independent(gaps) => gaps.draw(random, features),
            Activity::Categories(categories) => categories.draw(random, features),
        }
    }
}

impl Weights {
    /// With deviation one.
    fn draw(self, random: &mut Random) -> f64 {
        match self {
            Weights::Normal => random.normal(),
            Weights::Uniform => (2.0 * random.uniform() - 1.0) * 3_f64.sqrt(),
        }
    }
}

fn refuse<A>(name: &'static str, given: String, allowed: &str) -> Result<A, Error> {
    Err(Error::Setting { name, given, allowed: allowed.to_string() })
}

#[cfg(test)]
mod tests;
