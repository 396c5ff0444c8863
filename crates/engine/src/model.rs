//! What every model does, whatever its beliefs look like.

use crate::belief::{Packed, Touched};
use crate::error::Error;
use crate::panel::trust::Trust;
use crate::prediction::half_width;
use crate::rows::Rows;
use crate::settings::Settings;
use crate::state::State;

/// A model can be shared between threads: predicting never changes it, and learning calls take
/// turns.
pub trait Model<T: Packed>: Send + Sync {
    fn settings(&self) -> &Settings;

    /// The number of features the model speaks of.
    fn size(&self) -> usize;

    /// Rows learned, those of weight zero left out.
    fn rows_learned(&self) -> u64;

    /// The beliefs: a mean and a variance (for AdaGrad, a sum of squares) for every feature.
    fn beliefs(&self) -> Result<(Vec<T>, Vec<T>), Error>;

    /// The beliefs that are not the prior; for a model that keeps covariances, all of them.
    fn touched(&self) -> Result<Touched<T>, Error>;

    /// Everything that was learned, as it is between two calls of `learn`.
    fn state(&self) -> Result<State<T>, Error>;

    /// Predicts `P(y = 1)` of every row, each before learning it (progressive validation). A model
    /// that grows takes in `columns` features. Everything is checked first: on an error the
    /// beliefs are as they were.
    fn learn(
        &self,
        rows: &Rows<'_, T>,
        columns: usize,
        labels: &[i8],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>, Error>;

    /// The mean and the variance of every row's total weight (eq. `single_d_Gaussian`).
    fn predict_logit(&self, rows: &Rows<'_, T>) -> Result<Vec<(f64, f64)>, Error>;

    /// `P(y = 1 | x, w)` of every row for one draw of all the weights, which belongs to the seed.
    fn sample(&self, rows: &Rows<'_, T>, seed: u64) -> Result<Vec<f64>, Error>;

    /// How far each member is believed, where there are several.
    fn trust(&self) -> Option<Trust> {
        None
    }

    /// The covariance of all weights, row by row, where the model keeps it.
    fn covariance(&self) -> Option<Result<Vec<f64>, Error>> {
        None
    }

    /// `P(y = 1)` of every row.
    fn predict(&self, rows: &Rows<'_, T>) -> Result<Vec<f64>, Error> {
        let totals = self.predict_logit(rows)?.into_iter();
        Ok(totals.map(|(m, s)| self.settings().probability(m, s)).collect())
    }

    /// The central credible interval of every row's `P(y = 1 | x, w)`.
    fn interval(&self, rows: &Rows<'_, T>, level: f64) -> Result<Vec<(f64, f64)>, Error> {
        let width = half_width(level);
        let totals = self.predict_logit(rows)?.into_iter();
        Ok(totals.map(|(m, s)| self.settings().link.interval(m, s, width)).collect())
    }
}
