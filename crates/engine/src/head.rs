//! A small regression on top of the features': one gain for every field, and a bias.
//!
//! A diagonal belief learns the overall size of its weights slowly, for in that direction all of
//! them move together. With fields `f`, scores `m_f = sum_{i in f} x_i u_i` and
//! `w_t = b + sum_f G_f m_f`, the bias and the gains `(b, G)` are one more block of weights, with
//! their full covariance `P`. To first order around the means a row is linear in all of them: a
//! feature is seen with the value `x_i G_f`, and the head with `z = (1, m_1, ..., m_F)`. So the head
//! joins any rule as one more feature of the row, of value 1 and variance `z'Pz`.

use crate::error::Error;
use crate::random::Random;
use crate::rule::LANES;
use crate::settings::{HeadForm, HeadSettings};
use nalgebra::{Cholesky, DMatrix, DVector};
use pulp::{Arch, Simd, WithSimd};

/// So many numbers are quicker without lanes.
const FEW: usize = 4;
/// No stream that can be learned comes near these bounds; within them what a head makes of a row
/// fits into single precision, whatever the stream.
const LARGEST_GAIN: f64 = 100.0;
const LARGEST_BIAS: f64 = 1e6;
const LARGEST_SCORE: f64 = 1e12;
/// Draws of the head belong to places behind those of the features.
const FIRST_PLACE: u64 = 1 << 32;

/// The belief about bias and gains, and the row that it is looking at.
#[derive(Clone, Debug)]
pub struct Head {
    settings: HeadSettings,
    arch: Arch,
    /// Of the bias, then of the gains.
    mean: Vec<f64>,
    /// Row by row, each filled up with zeros to whole groups of lanes if there are many.
    covariance: Vec<f64>,
    width: usize,
    z: Vec<f64>,
    /// `P z`.
    pz: Vec<f64>,
    /// `z'Pz`.
    variance: f64,
}

/// What a head has learned, as plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadState {
    /// Of the bias, then of the gains.
    pub mean: Vec<f64>,
    /// Row by row.
    pub covariance: Vec<f64>,
}

impl Head {
    pub fn new(settings: HeadSettings) -> Self {
        let mut head = Head {
            settings,
            arch: Arch::new(),
            mean: Vec::new(),
            covariance: Vec::new(),
            width: 0,
            z: Vec::new(),
            pz: Vec::new(),
            variance: 0.0,
        };
        head.add(0.0);
        if settings.form == HeadForm::Scale {
            head.add(1.0);
        }
        head
    }

    #[inline(always)]
    pub fn has_one_gain(&self) -> bool {
        self.settings.form == HeadForm::Scale
    }

    /// How many gains there are.
    pub fn gains(&self) -> usize {
        self.mean.len() - 1
    }

    #[inline(always)]
    pub fn bias(&self) -> f64 {
        self.mean[0]
    }

    #[inline(always)]
    pub fn gain(&self, place: usize) -> f64 {
        self.mean[place + 1]
    }

    /// Makes room for the gains of so many fields.
    #[inline(always)]
    pub fn reach(&mut self, fields: usize) {
        while self.settings.form == HeadForm::Fields && self.gains() < fields {
            self.add(1.0);
        }
    }

    /// Forgets the gains behind those of the first `fields`, of which nothing was learned.
    pub fn truncate(&mut self, fields: usize) {
        if self.settings.form == HeadForm::Scale || self.gains() <= fields {
            return;
        }
        self.mean.truncate(fields + 1);
        for row in self.covariance.chunks_mut(self.width) {
            row[fields + 1..].fill(0.0);
        }
        self.covariance.truncate((fields + 1) * self.width);
    }

    /// One more number, at its prior.
    fn add(&mut self, mean: f64) {
        self.mean.push(mean);
        let count = self.mean.len();
        let width = if count > FEW { count.next_multiple_of(LANES) } else { count };
        if width > self.width {
            let mut wider = Vec::with_capacity(count * width);
            for row in self.covariance.chunks(self.width.max(1)) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + width - row.len(), 0.0);
            }
            self.covariance = wider;
            self.width = width;
        }
        self.covariance.resize(count * self.width, 0.0);
        let place = count - 1;
        self.covariance[place * self.width + place] = self.prior_variance(place);
    }

    fn prior_variance(&self, place: usize) -> f64 {
        if place == 0 { self.settings.bias_variance } else { self.settings.scale_variance }
    }

    /// The scores of the fields of a row, to be filled in.
    #[inline(always)]
    pub fn scores(&mut self) -> &mut [f64] {
        self.z.clear();
        self.z.resize(self.width, 0.0);
        self.z[0] = 1.0;
        &mut self.z[1..]
    }

    /// The mean and variance of what the head makes of the scores that were filled in:
    /// `z'(b, G)` and `z'Pz`.
    pub fn look(&mut self) -> (f64, f64) {
        for score in &mut self.z {
            *score = score.clamp(-LARGEST_SCORE, LARGEST_SCORE);
        }
        self.pz.clear();
        self.pz.resize(self.width, 0.0);
        let (arch, width) = (self.arch, self.width);
        arch.dispatch(Product {
            covariance: &self.covariance,
            width,
            z: &self.z,
            pz: &mut self.pz,
        });
        let dot = |of: &[f64]| self.z.iter().zip(of).map(|(z, of)| z * of).sum::<f64>();
        // Rounding may leave none.
        self.variance = dot(&self.pz).max(0.0);
        (dot(&self.mean), self.variance)
    }

    /// After what was looked at went a `step` ahead and kept a share of its variance. Given that,
    /// the rest of a normal vector has its old conditional distribution.
    pub fn learn(&mut self, step: f64, kept: f64) {
        if self.variance > 0.0 {
            let ahead = step / self.variance;
            let bias = self.mean[0] + self.pz[0] * ahead;
            for (mean, pz) in self.mean.iter_mut().zip(&self.pz) {
                *mean = (*mean + pz * ahead).clamp(-LARGEST_GAIN, LARGEST_GAIN);
            }
            self.mean[0] = bias.clamp(-LARGEST_BIAS, LARGEST_BIAS);
            let shrink = (1.0 - kept) / self.variance;
            // The same to both sides of the diagonal, to the last bit.
            let (sign, root) = (shrink.signum(), shrink.abs().sqrt());
            self.pz.iter_mut().for_each(|pz| *pz *= root);
            let (arch, width) = (self.arch, self.width);
            let (covariance, pz) = (&mut self.covariance, &self.pz);
            arch.dispatch(Shrink { covariance, width, pz, sign });
        }
        self.forget();
    }

    /// As a feature's belief does, to first order and on the diagonal, which keeps the covariance
    /// positive definite.
    #[inline(always)]
    fn forget(&mut self) {
        let Some(rows) = self.settings.memory else { return };
        for place in 0..self.mean.len() {
            let prior = self.prior_variance(place);
            let variance = &mut self.covariance[place * self.width + place];
            *variance += (*variance / rows * (1.0 - *variance / prior)).max(0.0);
        }
    }

    /// The variance of what the head makes of the row it looked at last.
    #[inline(always)]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// One draw of bias and gains, which belongs to the seed.
    pub fn draw(&self, seed: u64) -> Draw {
        let root = self.root();
        let draws = DVector::from_fn(self.mean.len(), |place, _| normal_at(seed, place));
        let moved = root * draws;
        let numbers = self.mean.iter().zip(moved.iter()).map(|(mean, step)| mean + step);
        Draw { seed, numbers: numbers.collect(), deviation: self.settings.scale_variance.sqrt() }
    }

    /// A matrix `L` with `L L' = P`. What rounding has worn gets a hair of its prior back.
    fn root(&self) -> DMatrix<f64> {
        let n = self.mean.len();
        let matrix = DMatrix::from_fn(n, n, |i, j| self.covariance[i * self.width + j]);
        let mut hair = 0.0;
        loop {
            let mut lifted = (&matrix + matrix.transpose()) * 0.5;
            for place in 0..n {
                lifted[(place, place)] += hair * self.prior_variance(place);
            }
            match Cholesky::new(lifted) {
                Some(root) => return root.l(),
                None if hair > 1.0 => return DMatrix::zeros(n, n),
                None => hair = (10.0 * hair).max(1e-12),
            }
        }
    }

    pub fn state(&self) -> HeadState {
        let n = self.mean.len();
        let rows = self.covariance.chunks(self.width).flat_map(|row| &row[..n]);
        HeadState { mean: self.mean.clone(), covariance: rows.copied().collect() }
    }

    /// The head that has learned this.
    pub fn restore(
        settings: HeadSettings,
        state: &HeadState,
        fields: usize,
    ) -> Result<Self, Error> {
        let mut head = Head::new(settings);
        state.check(settings, fields)?;
        let n = state.mean.len();
        head.reach(n - 1);
        head.mean.clone_from(&state.mean);
        let width = head.width;
        for (row, from) in head.covariance.chunks_mut(width).zip(state.covariance.chunks(n)) {
            row[..n].copy_from_slice(from);
        }
        Ok(head)
    }
}

/// `P z`, compiled for every width of vector instructions; all give the same bits.
struct Product<'a> {
    covariance: &'a [f64],
    width: usize,
    z: &'a [f64],
    pz: &'a mut [f64],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (row, &z) in self.covariance.chunks_exact(self.width).zip(self.z) {
            for (pz, &p) in self.pz.iter_mut().zip(row) {
                *pz += z * p;
            }
        }
    }
}

/// `P -= sign q q'`, likewise.
struct Shrink<'a> {
    covariance: &'a mut [f64],
    width: usize,
    pz: &'a [f64],
    sign: f64,
}

impl WithSimd for Shrink<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (row, &first) in self.covariance.chunks_exact_mut(self.width).zip(self.pz) {
            let first = self.sign * first;
            for (p, &second) in row.iter_mut().zip(self.pz) {
                *p -= first * second;
            }
        }
    }
}

/// Bias and gains as they may be.
#[derive(Clone, Debug)]
pub struct Draw {
    seed: u64,
    numbers: Vec<f64>,
    /// Of gains that nothing was learned of.
    deviation: f64,
}

impl Draw {
    pub fn bias(&self) -> f64 {
        self.numbers[0]
    }

    pub fn gain(&self, place: usize) -> f64 {
        let known = self.numbers.get(place + 1).copied();
        known.unwrap_or_else(|| 1.0 + self.deviation * normal_at(self.seed, place + 1))
    }
}

fn normal_at(seed: u64, place: usize) -> f64 {
    Random::at(seed, FIRST_PLACE + place as u64).normal()
}

impl HeadState {
    /// Refuses what no head can have learned of so many fields.
    pub fn check(&self, settings: HeadSettings, fields: usize) -> Result<(), Error> {
        let gains = if settings.form == HeadForm::Scale { 1 } else { fields };
        if self.mean.len() != gains + 1 || !self.mean.iter().all(|mean| mean.is_finite()) {
            return Err(Error::Head);
        }
        let n = self.mean.len();
        let entries = self.covariance.len();
        if entries != n * n {
            return Err(Error::MatrixSize { matrix: "head's covariance", size: n, entries });
        }
        let is_sound = |place: usize| {
            let (row, column) = (place / n, place % n);
            let entry = self.covariance[place];
            entry.is_finite() && (row != column || entry >= 0.0)
        };
        match (0..entries).all(is_sound) {
            true => Ok(()),
            false => Err(Error::Matrix { matrix: "head's covariance" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_that_come_and_go_leave_no_trace() {
        let form = HeadForm::Fields;
        let settings = HeadSettings { form, scale_variance: 0.2, bias_variance: 1.0, memory: None };
        for (most, kept) in [(2, 0), (3, 1), (9, 3), (20, 9), (64, 0)] {
            let mut head = Head::new(settings);
            head.reach(kept);
            head.scores().fill(0.5);
            head.look();
            head.learn(0.25, 0.5);
            let before = head.state();
            head.reach(most);
            head.truncate(kept);
            assert_eq!(head.state(), before);
            head.reach(most);
            let n = most + 1;
            let grown = head.state();
            for (place, &entry) in grown.covariance.iter().enumerate() {
                let (i, j) = (place / n, place % n);
                let known = i <= kept && j <= kept;
                let fresh = if i == j { 0.2 } else { 0.0 };
                let old = before.covariance.get(i * (kept + 1) + j).copied();
                assert_eq!(entry, if known { old.unwrap() } else { fresh });
            }
        }
    }
}
