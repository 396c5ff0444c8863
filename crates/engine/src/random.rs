//! Random numbers that are a function of a seed and a place, so that a draw can be made again
//! without keeping it: the samples of variational Bayes, Thompson draws, synthetic streams.
//!
//! SplitMix64 (Steele, Lea & Flood 2014), written here because its output is part of the model:
//! the same seed must give the same numbers in every version, and in the NumPy reference.

use std::f64::consts::PI;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's output function: a bijection that scatters neighbouring numbers.
fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The uniform number in (0, 1) that random bits stand for, the first of them its first.
pub fn uniform_of(bits: u64) -> f64 {
    // As a signed number, for which processors have an instruction.
    const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;
    ((bits >> 11) as i64 as f64 + 0.5) * UNIT
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that belongs to `place` (a row, a feature) under `seed`.
    pub fn at(seed: u64, place: u64) -> Random {
        let state = mix(mix(seed.wrapping_add(GOLDEN)) ^ place.wrapping_mul(GOLDEN));
        Random { state }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in the open interval (0, 1).
    pub fn uniform(&mut self) -> f64 {
        uniform_of(self.bits())
    }

    /// Two independent standard normals (Box & Muller 1958).
    pub fn normal_pair(&mut self) -> (f64, f64) {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let (sin, cos) = (2.0 * PI * self.uniform()).sin_cos();
        (radius * cos, radius * sin)
    }

    pub fn normal(&mut self) -> f64 {
        self.normal_pair().0
    }

    pub fn fill_normal(&mut self, samples: &mut [f64]) {
        for pair in samples.chunks_mut(2) {
            let (first, second) = self.normal_pair();
            pair[0] = first;
            if let Some(place) = pair.get_mut(1) {
                *place = second;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_belong_to_their_seed_and_place() {
        let draw = |seed, place| Random::at(seed, place).normal();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
        assert_ne!(draw(1, 2), draw(1, 3));
    }

    #[test]
    fn first_draws_of_neighbouring_places_are_standard_normal() {
        let n = 200_000_u64;
        let draws: Vec<f64> = (0..n).map(|i| Random::at(3, i).normal()).collect();
        let moment = |k| draws.iter().map(|z| z.powi(k)).sum::<f64>() / n as f64;
        let error = (n as f64).sqrt().recip();
        assert!(moment(1).abs() < 4.0 * error);
        assert!((moment(2) - 1.0).abs() < 4.0 * 2_f64.sqrt() * error);
        assert!((moment(4) - 3.0).abs() < 4.0 * 96_f64.sqrt() * error);
        let neighbours: f64 = draws.windows(2).map(|w| w[0] * w[1]).sum();
        assert!((neighbours / n as f64).abs() < 4.0 * error);
    }
}
