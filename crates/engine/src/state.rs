//! What a model has learned, as plain numbers: what a model file holds, and what makes a model that
//! goes on bit for bit.

use crate::belief::{Packed, Touched};
use crate::dense::{DenseLearner, Form};
use crate::error::Error;
use crate::head::HeadState;
use crate::learner::Learner;
use crate::model::Model;
use crate::settings::Settings;

/// Features are 32-bit numbers.
const LARGEST_SIZE: u64 = 1 << 32;

#[derive(Clone, Debug, PartialEq)]
pub struct State<T> {
    pub settings: Settings,
    /// Random samples belong to it, so a model goes on with it.
    pub rows_learned: u64,
    pub beliefs: Beliefs<T>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Beliefs<T> {
    /// A table, of which only what differs from the prior is told.
    Table {
        size: usize,
        grows: bool,
        touched: Touched<T>,
        head: Option<HeadState>,
        /// The field of each numbered feature, as far as it is known.
        fields: Vec<u32>,
    },
    /// All means, and the covariance or precision matrix of all features.
    Dense { form: Form, mean: Vec<T>, matrix: Vec<T> },
}

impl<T: Packed> State<T> {
    /// Refuses what no model can have learned.
    pub fn check(&self) -> Result<(), Error> {
        self.settings.check()?;
        match &self.beliefs {
            Beliefs::Table { size, touched, head, .. } => {
                if *size as u64 > LARGEST_SIZE {
                    let allowed = format!("at most {LARGEST_SIZE}");
                    return Err(Error::Setting { name: "size", given: size.to_string(), allowed });
                }
                match (self.settings.head, head) {
                    (Some(settings), Some(head)) => head.check(settings)?,
                    (None, None) => {}
                    _ => return Err(Error::Head),
                }
                touched.check(*size)
            }
            Beliefs::Dense { form, mean, matrix } => check_dense(*form, mean, matrix),
        }
    }

    /// The model that has learned this.
    pub fn into_model(self) -> Result<Box<dyn Model<T>>, Error> {
        Ok(match self.beliefs {
            Beliefs::Table { .. } => Box::new(Learner::restore(self)?),
            Beliefs::Dense { .. } => Box::new(DenseLearner::restore(self)?),
        })
    }
}

fn check_dense<T: Packed>(form: Form, mean: &[T], matrix: &[T]) -> Result<(), Error> {
    let size = mean.len();
    let name = form.matrix();
    if let Some(feature) = mean.iter().position(|x| !x.is_finite()) {
        let diagonal = matrix.get(feature * (size + 1)).map_or(f64::NAN, |v| v.f64());
        return Err(Error::Belief { feature, mean: mean[feature].f64(), variance: diagonal });
    }
    if size.checked_mul(size) != Some(matrix.len()) {
        return Err(Error::MatrixSize { matrix: name, size, entries: matrix.len() });
    }
    let symmetric = |i: usize| (0..i).all(|j| matrix[i * size + j] == matrix[j * size + i]);
    if matrix.iter().any(|x| !x.is_finite()) || !(0..size).all(symmetric) {
        return Err(Error::Matrix { matrix: name });
    }
    Ok(())
}
