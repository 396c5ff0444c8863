//! What a model has learned, as plain numbers: what a model file holds, and what makes a model that
//! goes on bit for bit.

use crate::belief::{Packed, Touched};
use crate::dense::{DenseLearner, Form};
use crate::error::Error;
use crate::fields::Fields;
use crate::head::HeadState;
use crate::learner::Learner;
use crate::model::Model;
use crate::panel::{self, trust::Trust};
use crate::settings::{HeadSettings, PanelSettings, Settings};

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
        fields: Fields,
    },
    Panel(PanelState<T>),
    /// All means, and the covariance or precision matrix of all features.
    Dense {
        form: Form,
        mean: Vec<T>,
        matrix: Vec<T>,
    },
}

/// What the members of a panel believe, and how far they are believed.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelState<T> {
    pub settings: PanelSettings,
    pub size: usize,
    pub grows: bool,
    pub touched: Touched<T>,
    pub heads: Vec<Option<HeadState>>,
    pub fields: Fields,
    pub trust: Trust,
}

impl<T: Packed> PanelState<T> {
    fn check(&self) -> Result<(), Error> {
        self.settings.check()?;
        check_size(self.size)?;
        if self.heads.len() != self.settings.members.len() {
            return Err(Error::Head);
        }
        for (member, head) in self.settings.members.iter().zip(&self.heads) {
            check_head(member.head, head.as_ref(), &self.fields)?;
        }
        self.touched.check(self.size, self.settings.members.len())
    }
}

fn check_size(size: usize) -> Result<(), Error> {
    if size as u64 <= LARGEST_SIZE {
        return Ok(());
    }
    let allowed = format!("at most {LARGEST_SIZE}");
    Err(Error::Setting { name: "size", given: size.to_string(), allowed })
}

fn check_head(
    settings: Option<HeadSettings>,
    head: Option<&HeadState>,
    fields: &Fields,
) -> Result<(), Error> {
    match (settings, head) {
        (Some(settings), Some(head)) => head.check(settings, fields.count()),
        (None, None) => Ok(()),
        _ => Err(Error::Head),
    }
}

impl<T: Packed> State<T> {
    /// Refuses what no model can have learned.
    pub fn check(&self) -> Result<(), Error> {
        self.settings.check()?;
        match &self.beliefs {
            Beliefs::Table { size, touched, head, fields, .. } => {
                check_size(*size)?;
                check_head(self.settings.head, head.as_ref(), fields)?;
                touched.check(*size, 1)
            }
            Beliefs::Panel(panel) => panel.check(),
            Beliefs::Dense { form, mean, matrix } => check_dense(*form, mean, matrix),
        }
    }

    /// The model that has learned this.
    pub fn into_model(self) -> Result<Box<dyn Model<T>>, Error> {
        Ok(match self.beliefs {
            Beliefs::Table { .. } => Box::new(Learner::restore(self)?),
            Beliefs::Panel(_) => panel::restore(self)?,
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
