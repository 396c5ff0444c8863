use super::{Observed, dot, matrix};
use crate::belief::Packed;
use crate::error::Error;
use crate::likelihood::Likelihood;
use crate::rows::Row;
use crate::settings::{MeanForm, Prior};
use nalgebra::{DMatrix, DVector, Dyn, linalg::Cholesky};

type Factor = Cholesky<f64, Dyn>;

/// `N(mean, H^-1)`, moved by mini-batches: `H += sum_t p+ (1 - p+) x_t x_t'`
/// (eq. `Htild_update_multi`), the mean to the peak of the batch's posterior.
#[derive(Clone, Debug)]
pub struct Precision<T> {
    pub mean: Vec<T>,
    pub matrix: Vec<T>,
    form: MeanForm,
}

/// A Newton step that moves no weight by more than this, relative to its place, is the last.
const LAST_STEP: f64 = 1e-8;
const ITERATIONS: usize = 100;

impl<T: Packed> Precision<T> {
    pub fn new(priors: &[Prior], form: MeanForm) -> Self {
        let size = priors.len();
        let mut matrix = vec![T::zero(); size * size];
        for (i, prior) in priors.iter().enumerate() {
            matrix[i * size + i] = T::of(1.0 / prior.variance);
        }
        let mean = priors.iter().map(|prior| T::of(prior.mean)).collect();
        Precision { mean, matrix, form }
    }

    pub fn factor(&self) -> Result<Factor, Error> {
        factor(matrix(&self.matrix, self.mean.len()))
    }

    pub fn totals(&self, factor: &Factor, row: Row<'_, T>) -> (f64, f64) {
        let mut x = DVector::zeros(self.mean.len());
        let mut m = 0.0;
        for (&i, value) in row.features.iter().zip(row.values) {
            x[i as usize] = value.f64();
            m += value.f64() * self.mean[i as usize].f64();
        }
        // x' H^-1 x = |L^-1 x|^2; a factor's diagonal is never zero.
        let solved = factor.l_dirty().solve_lower_triangular(&x);
        (m, solved.map_or(0.0, |solved| solved.norm_squared()))
    }

    pub fn learn<L: Likelihood<f64>>(
        &mut self,
        batch: &Observed<'_, T>,
    ) -> Result<Vec<(f64, f64)>, Error> {
        let prior = matrix(&self.matrix, self.mean.len());
        let prior_factor = factor(prior.clone())?;
        let totals = batch.rows.iter().map(|&row| self.totals(&prior_factor, row)).collect();
        let posterior = Posterior::<T, L> {
            mean: DVector::from_iterator(self.mean.len(), self.mean.iter().map(|x| x.f64())),
            precision: prior,
            batch,
            likelihood: std::marker::PhantomData,
        };
        let mean = match self.form {
            MeanForm::Newton => posterior.newton()?,
            MeanForm::Taylor => &posterior.mean + posterior.newton_step(&posterior.mean)?,
        };
        let precision = posterior.hessian(&mean);
        for (to, from) in self.mean.iter_mut().zip(&mean) {
            *to = T::of(*from);
        }
        for (to, from) in self.matrix.iter_mut().zip(&precision) {
            *to = T::of(*from);
        }
        Ok(totals)
    }

    pub fn draw(&self, normal: Vec<f64>) -> Result<Vec<f64>, Error> {
        let factor = self.factor()?;
        let spread = factor.l_dirty().tr_solve_lower_triangular(&DVector::from_vec(normal));
        let spread = spread.ok_or(Error::NotPositiveDefinite { matrix: "precision" })?;
        Ok(self.mean.iter().zip(&spread).map(|(mean, z)| mean.f64() + z).collect())
    }
}

/// The posterior of a mini-batch (eq. `multi_posterior`, with the likelihoods of all its rows).
struct Posterior<'a, T: Packed, L> {
    mean: DVector<f64>,
    precision: DMatrix<f64>,
    batch: &'a Observed<'a, T>,
    likelihood: std::marker::PhantomData<L>,
}

impl<T: Packed, L: Likelihood<f64>> Posterior<'_, T, L> {
    /// Its negative logarithm, up to a constant.
    fn value(&self, w: &DVector<f64>) -> f64 {
        let from_prior = w - &self.mean;
        let losses = self.batch.iter().map(|(row, y, weight)| {
            let z: f64 = y * dot(row, w.as_slice());
            -weight * L::log_cdf(z)
        });
        0.5 * from_prior.dot(&(&self.precision * &from_prior)) + losses.sum::<f64>()
    }

    fn descent(&self, w: &DVector<f64>) -> DVector<f64> {
        let mut descent = &self.precision * (&self.mean - w);
        for (row, y, weight) in self.batch.iter() {
            let z: f64 = y * dot(row, w.as_slice());
            let pull = weight * y * L::slope(z);
            for (&i, x) in row.features.iter().zip(row.values) {
                descent[i as usize] += pull * x.f64();
            }
        }
        descent
    }

    fn hessian(&self, w: &DVector<f64>) -> DMatrix<f64> {
        let mut hessian = self.precision.clone();
        for (row, y, weight) in self.batch.iter() {
            let z: f64 = y * dot(row, w.as_slice());
            let curvature = weight * L::curvature(z);
            for (&j, xj) in row.features.iter().zip(row.values) {
                let mut column = hessian.column_mut(j as usize);
                for (&i, xi) in row.features.iter().zip(row.values) {
                    // The product of the values first: it is symmetric to the last bit.
                    column[i as usize] += curvature * (xi.f64() * xj.f64());
                }
            }
        }
        hessian
    }

    fn newton_step(&self, w: &DVector<f64>) -> Result<DVector<f64>, Error> {
        Ok(factor(self.hessian(w))?.solve(&self.descent(w)))
    }

    /// The peak. A step that would go up is halved: the posterior is log-concave, so some part of
    /// it goes down.
    fn newton(&self) -> Result<DVector<f64>, Error> {
        let mut w = self.mean.clone();
        for _ in 0..ITERATIONS {
            let mut step = self.newton_step(&w)?;
            if step.amax() <= LAST_STEP * w.amax().max(1.0) {
                return Ok(w + step);
            }
            let value = self.value(&w);
            let mut next = &w + &step;
            while self.value(&next) > value && step.amax() > f64::EPSILON * w.amax() {
                step *= 0.5;
                next = &w + &step;
            }
            w = next;
        }
        Ok(w)
    }
}

fn factor(matrix: DMatrix<f64>) -> Result<Factor, Error> {
    Cholesky::new(matrix).ok_or(Error::NotPositiveDefinite { matrix: "precision" })
}
