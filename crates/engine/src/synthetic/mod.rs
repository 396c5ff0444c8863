//! Streams whose truth is known (section 4, "Synthetic Data"): seeded, and faster than the learners
//! they feed.

mod categories;
mod criteo;
mod gaps;
mod text;

pub use categories::{Categories, Tail};
pub use criteo::Criteo;
pub use gaps::Gaps;
pub use text::Format;

use crate::error::Error;
use crate::random::Random;
use crate::settings::Link;
use std::sync::Arc;

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
    /// One of each of Criteo's fields.
    Criteo(Criteo),
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

/// The place of the rows' random numbers; that of the weights' is 0.
const ROWS: u64 = 1;

/// Labels by the link's probability at the true weights. The weights and the rows are functions of
/// the seed, and drawing twice a thousand rows is drawing two thousand.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Shared by all that begin again.
    weights: Arc<[f64]>,
    activity: Arc<Activity>,
    values: Values,
    link: Link,
    seed: u64,
    random: Random,
}

impl Stream {
    pub fn new(activity: Activity, truth: &Truth<'_>) -> Result<Self, Error> {
        let features = match &activity {
            Activity::Independent(gaps) => gaps.features(),
            Activity::Categories(categories) => categories.features(),
            Activity::Criteo(criteo) => criteo.features(),
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
        let mut weights: Vec<f64> = weights.collect();
        if let Activity::Criteo(criteo) = &activity {
            weights[0] = criteo.constant(&weights, truth.link, &mut Random::at(truth.seed, 2));
        }
        Ok(Stream {
            weights: weights.into(),
            activity: Arc::new(activity),
            values: truth.values,
            link: truth.link,
            seed: truth.seed,
            random: Random::at(truth.seed, ROWS),
        })
    }

    /// The same stream from its first row on. It shares the weights.
    pub fn again(&self) -> Stream {
        Stream { random: Random::at(self.seed, ROWS), ..self.clone() }
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub fn draw(&mut self, rows: usize) -> Drawn {
        let mut drawn = Drawn::with_room(rows, self.activity.in_a_row());
        for _ in 0..rows {
            let start = drawn.features.len();
            self.activity.draw(&mut self.random, &mut drawn.features);
            drawn.starts.push(drawn.features.len() as i64);
            let row = &drawn.features[start..];
            let total = match self.values {
                Values::One => self.total(row),
                Values::Uniform => self.draw_values(row, &mut drawn.values),
            };
            let (y, loss) = self.label(total);
            drawn.labels.push(y);
            drawn.true_loss.push(loss);
        }
        if self.values == Values::One {
            drawn.values = vec![1.0; drawn.features.len()];
        }
        drawn
    }

    /// Of features with the value one.
    fn total(&self, features: &[u32]) -> f64 {
        let weight = |&feature: &u32| self.weights[feature as usize];
        let (fours, rest) = features.as_chunks::<4>();
        // Four sums beside each other: one would wait for each addition.
        let mut sums = [0.0; 4];
        for four in fours {
            for (sum, feature) in sums.iter_mut().zip(four) {
                *sum += weight(feature);
            }
        }
        sums.iter().sum::<f64>() + rest.iter().map(weight).sum::<f64>()
    }

    fn label(&mut self, total: f64) -> (i8, f64) {
        self.link.draw_label(total, self.random.uniform())
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

impl Drawn {
    /// To write into memory that has to grow would take as long as drawing does.
    fn with_room(rows: usize, in_a_row: f64) -> Drawn {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Drawn {
            starts,
            features: Vec::with_capacity((rows as f64 * in_a_row * 1.02) as usize),
            values: Vec::new(),
            labels: Vec::with_capacity(rows),
            true_loss: Vec::with_capacity(rows),
        }
    }
}

impl Activity {
    /// How many features are active in a row, on average.
    fn in_a_row(&self) -> f64 {
        match self {
            Activity::Independent(gaps) => gaps.active(),
            Activity::Categories(categories) => categories.in_a_row() as f64,
            Activity::Criteo(_) => (1 + criteo::INTEGERS + criteo::CATEGORIES) as f64,
        }
    }

    fn draw(&self, random: &mut Random, features: &mut Vec<u32>) {
        match self {
            Activity::Independent(gaps) => gaps.draw(random, features),
            Activity::Categories(categories) => categories.draw(random, features),
            Activity::Criteo(criteo) => criteo.draw(random, features),
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
