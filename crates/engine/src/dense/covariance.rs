use super::{Observed, matrix};
use crate::belief::Packed;
use crate::error::Error;
use crate::rows::Row;
use crate::rule::Evidence;
use crate::rule::joint::{JointRule, Step};
use crate::settings::Prior;
use nalgebra::{DVector, linalg::Cholesky};

/// `N(mean, Sigma)`, moved row by row: `u += g Sigma x`, `Sigma -= h (Sigma x)(Sigma x)'`
/// (eq. `mu_update_multi`, `sig_update_multi`).
#[derive(Clone, Debug)]
pub struct Covariance<T> {
    pub mean: Vec<T>,
    /// All of it, row by row, and exactly symmetric.
    pub matrix: Vec<T>,
}

impl<T: Packed> Covariance<T> {
    pub fn new(priors: &[Prior]) -> Self {
        let size = priors.len();
        let mut matrix = vec![T::zero(); size * size];
        for (i, prior) in priors.iter().enumerate() {
            matrix[i * size + i] = T::of(prior.variance);
        }
        Covariance { mean: priors.iter().map(|prior| T::of(prior.mean)).collect(), matrix }
    }

    /// The mean and variance of a row's total weight; leaves `Sigma x` in `sx` (eq. `vvec`).
    pub fn totals(&self, row: Row<'_, T>, sx: &mut Vec<T>) -> (f64, f64) {
        let size = self.mean.len();
        sx.clear();
        sx.resize(size, T::zero());
        let mut m = 0.0;
        for (&i, &x) in row.features.iter().zip(row.values) {
            let i = i as usize;
            m += x.f64() * self.mean[i].f64();
            for (sum, &entry) in sx.iter_mut().zip(&self.matrix[i * size..(i + 1) * size]) {
                *sum = *sum + x * entry;
            }
        }
        let pairs = row.features.iter().zip(row.values);
        let s: f64 = pairs.map(|(&i, x)| x.f64() * sx[i as usize].f64()).sum();
        (m, s.max(0.0))
    }

    pub fn learn(&mut self, rule: &dyn JointRule, observed: &Observed<'_, T>) -> Vec<(f64, f64)> {
        let size = self.mean.len();
        let mut sx = Vec::new();
        let mut totals = Vec::with_capacity(observed.rows.len());
        for (row, y, weight) in observed.iter() {
            let (m, s) = self.totals(row, &mut sx);
            totals.push((m, s));
            if weight == 0.0 || size == 0 {
                continue;
            }
            let (_, Step { g, h, .. }) = rule.step(&Evidence { m, s, y, weight, row: 0 });
            for (mean, &v) in self.mean.iter_mut().zip(&sx) {
                *mean = *mean + T::of(g) * v;
            }
            for (line, &v) in self.matrix.chunks_exact_mut(size).zip(&sx) {
                for (entry, &w) in line.iter_mut().zip(&sx) {
                    // The product of the two first: it is symmetric to the last bit.
                    *entry = *entry - T::of(h) * (v * w);
                }
            }
        }
        totals
    }

    /// The weights that a vector of standard normals stands for.
    pub fn draw(&self, normal: Vec<f64>) -> Result<Vec<f64>, Error> {
        let size = self.mean.len();
        let factor = Cholesky::new(matrix(&self.matrix, size))
            .ok_or(Error::NotPositiveDefinite { matrix: "covariance" })?;
        let spread = factor.l() * DVector::from_vec(normal);
        Ok(self.mean.iter().zip(&spread).map(|(mean, z)| mean.f64() + z).collect())
    }
}
