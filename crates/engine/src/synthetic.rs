//! Streams whose truth is known (section 4, "Synthetic Data").

use crate::error::Error;
use crate::random::Random;
use crate::settings::Link;

/// Their true weights are kept in memory.
const LARGEST_FEATURES: u32 = 100_000_000;

/// `d` binary features, each active with probability `alpha` by itself; labels by the link's
/// probability at the true weights.
#[derive(Clone, Debug)]
pub struct BinaryStream {
    weights: Vec<f64>,
    alpha: f64,
    link: Link,
    random: Random,
}

/// Rows of a stream in compressed form, their labels, and the log loss of knowing the truth.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    pub starts: Vec<i64>,
    pub features: Vec<u32>,
    pub labels: Vec<i8>,
    pub true_loss: Vec<f64>,
}

impl BinaryStream {
    /// True weights are normal with mean zero; they and the rows are functions of the seed.
    pub fn new(
        features: u32,
        active: f64,
        deviation: f64,
        link: Link,
        seed: u64,
    ) -> Result<Self, Error> {
        let setting = |name, given: f64, allowed: &str| {
            Err(Error::Setting { name, given: given.to_string(), allowed: allowed.to_string() })
        };
        if !(1..=LARGEST_FEATURES).contains(&features) {
            return setting("features", features.into(), "between 1 and 100000000");
        }
        if !(active > 0.0 && active <= f64::from(features)) {
            return setting("active", active, "above 0 and at most the number of features");
        }
        if !(0.0..=1e3).contains(&deviation) {
            return setting("deviation", deviation, "between 0 and 1000");
        }
        let mut truth = Random::at(seed, 0);
        let weights = (0..features).map(|_| deviation * truth.normal()).collect();
        let alpha = active / f64::from(features);
        Ok(BinaryStream { weights, alpha, link, random: Random::at(seed, 1) })
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The next rows. Drawing twice a thousand is drawing two thousand.
    pub fn draw(&mut self, rows: usize) -> Drawn {
        let mut drawn = Drawn { starts: vec![0], ..Drawn::default() };
        for _ in 0..rows {
            let total = self.draw_features(&mut drawn.features);
            drawn.starts.push(drawn.features.len() as i64);
            let happens = self.random.uniform() < self.link.probability_at(total);
            let y = if happens { 1 } else { -1 };
            drawn.labels.push(y);
            drawn.true_loss.push(self.link.loss_at(total, f64::from(y)));
        }
        drawn
    }

    /// Leaps from one active feature to the next: the gaps are geometric.
    fn draw_features(&mut self, features: &mut Vec<u32>) -> f64 {
        let per_gap = (-self.alpha).ln_1p().recip();
        let mut total = 0.0;
        let mut next = 0;
        loop {
            // At alpha = 1 the factor is -0 and every gap is zero.
            next += (self.random.uniform().ln() * per_gap) as usize;
            let Some(weight) = self.weights.get(next) else { return total };
            features.push(next as u32);
            total += weight;
            next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(active: f64, link: Link) -> BinaryStream {
        BinaryStream::new(50, active, 1.0, link, 11).unwrap()
    }

    #[test]
    fn drawing_in_parts_is_drawing_at_once() {
        let mut whole = stream(5.0, Link::Logit);
        let mut parts = whole.clone();
        let whole = whole.draw(100);
        let (first, second) = (parts.draw(37), parts.draw(63));
        assert_eq!(whole.features, [first.features, second.features].concat());
        assert_eq!(whole.labels, [first.labels, second.labels].concat());
    }

    #[test]
    fn every_feature_is_active_as_often_as_asked() {
        let n = 100_000;
        for active in [1.0, 20.0, 49.5, 50.0] {
            let alpha: f64 = active / 50.0;
            let mut counts = [0.0_f64; 50];
            for feature in stream(active, Link::Logit).draw(n).features {
                counts[feature as usize] += 1.0;
            }
            let deviation = (n as f64 * alpha * (1.0 - alpha)).sqrt();
            for count in counts {
                assert!((count - n as f64 * alpha).abs() <= 4.5 * deviation, "{count} at {active}");
            }
        }
    }

    #[test]
    fn the_truth_is_calibrated() {
        for link in [Link::Logit, Link::Probit] {
            let drawn = stream(10.0, link).draw(100_000);
            // The surprise of a label minus its expectation has mean zero under the truth.
            let excess: f64 = drawn
                .true_loss
                .iter()
                .map(|loss| {
                    let p = (-loss).exp();
                    let entropy = p * loss - (1.0 - p) * (-p).ln_1p();
                    if p < 1.0 { loss - entropy } else { 0.0 }
                })
                .sum();
            assert!(excess.abs() < 4.0 * (100_000_f64).sqrt(), "{excess}");
        }
    }
}
