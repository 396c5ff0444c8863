//! The full covariance, for up to a few thousand features (Appendix D.1, end).
//!
//! In *covariance* form every row is one rank-one update by any joint rule. In *precision* form
//! rows come in mini-batches, whose precisions add up.

mod covariance;
mod precision;

use crate::belief::{Packed, Touched};
use crate::error::Error;
use crate::likelihood::{Likelihood, Logistic, Probit};
use crate::model::Model;
use crate::random::Random;
use crate::rows::{Row, Rows, check_answers};
use crate::rule::joint::JointRule;
use crate::rule::{Adf, DimGauss, Moments};
use crate::settings::{Link, Prior, RuleChoice, Settings};
use crate::state::{Beliefs, State as ModelState};
use covariance::Covariance;
use nalgebra::DMatrix;
use precision::Precision;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// How the joint belief of all features is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Covariance,
    /// With the number of rows in a mini-batch.
    Precision(usize),
}

impl Form {
    /// What the entries are.
    pub fn matrix(&self) -> &'static str {
        match self {
            Form::Covariance => "covariance",
            Form::Precision(_) => "precision",
        }
    }
}

/// Two gigabytes of double precision.
pub const LARGEST_SIZE: usize = 16_384;

pub struct DenseLearner<T> {
    settings: Settings,
    state: RwLock<State<T>>,
}

struct State<T> {
    belief: Belief<T>,
    learned: u64,
}

enum Belief<T> {
    Covariance(Covariance<T>),
    Precision(Precision<T>, usize),
}

/// Rows that belong together, with what was observed.
struct Observed<'a, T: Packed> {
    rows: Vec<Row<'a, T>>,
    labels: &'a [i8],
    weights: Option<&'a [f64]>,
}

impl<'a, T: Packed> Observed<'a, T> {
    fn iter(&self) -> impl Iterator<Item = (Row<'a, T>, f64, f64)> {
        self.rows.iter().enumerate().map(|(i, &row)| {
            (row, f64::from(self.labels[i]), self.weights.map_or(1.0, |weights| weights[i]))
        })
    }

    fn batches(&self, size: usize) -> impl Iterator<Item = Observed<'a, T>> {
        self.rows.chunks(size).enumerate().map(move |(i, rows)| {
            let place = i * size..i * size + rows.len();
            Observed {
                rows: rows.to_vec(),
                labels: &self.labels[place.clone()],
                weights: self.weights.map(|weights| &weights[place]),
            }
        })
    }
}

impl<T: Packed> DenseLearner<T> {
    pub fn new(settings: Settings, priors: &[Prior], form: Form) -> Result<Self, Error> {
        settings.check()?;
        priors.iter().try_for_each(Prior::check)?;
        if priors.len() > LARGEST_SIZE {
            let allowed = format!("at most {LARGEST_SIZE}: a full covariance has size^2 entries");
            return Err(Error::Setting { name: "size", given: priors.len().to_string(), allowed });
        }
        let belief = match (form, settings.rule) {
            (Form::Precision(0), _) => {
                let allowed = "at least 1".to_string();
                return Err(Error::Setting { name: "batch", given: "0".into(), allowed });
            }
            (
                Form::Covariance,
                RuleChoice::DimGauss { .. } | RuleChoice::Adf | RuleChoice::Moments,
            ) => Belief::Covariance(Covariance::new(priors)),
            (Form::Precision(batch), RuleChoice::DimGauss { mean }) => {
                Belief::Precision(Precision::new(priors, mean), batch)
            }
            (Form::Covariance, _) => {
                return Err(Error::Rule { form: "covariance", rules: "DimGauss, ADF and Moments" });
            }
            (Form::Precision(_), _) => {
                return Err(Error::Rule { form: "precision", rules: "only DimGauss" });
            }
        };
        Ok(DenseLearner { settings, state: RwLock::new(State { belief, learned: 0 }) })
    }

    /// The learner that has learned this; the state of a table is none of its own.
    pub(crate) fn restore(state: ModelState<T>) -> Result<Self, Error> {
        state.check()?;
        let Beliefs::Dense { form, mean, matrix } = state.beliefs else {
            return Err(Error::Kind { expected: "a dense model" });
        };
        let learner = Self::new(state.settings, &vec![Prior::default(); mean.len()], form)?;
        let mut kept = learner.state.write().unwrap_or_else(PoisonError::into_inner);
        kept.learned = state.rows_learned;
        match &mut kept.belief {
            Belief::Covariance(belief) => (belief.mean, belief.matrix) = (mean, matrix),
            Belief::Precision(belief, _) => (belief.mean, belief.matrix) = (mean, matrix),
        }
        drop(kept);
        Ok(learner)
    }

    fn read(&self) -> RwLockReadGuard<'_, State<T>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn rule(&self) -> Box<dyn JointRule> {
        match (self.settings.rule, self.settings.link) {
            (RuleChoice::DimGauss { mean }, Link::Logit) => {
                Box::new(DimGauss::<Logistic>::new(mean))
            }
            (RuleChoice::DimGauss { mean }, Link::Probit) => {
                Box::new(DimGauss::<Probit>::new(mean))
            }
            (RuleChoice::Moments, Link::Logit) => Box::new(Moments),
            (_, Link::Logit) => Box::new(Adf::<Logistic>::default()),
            (_, Link::Probit) => Box::new(Adf::<Probit>::default()),
        }
    }
}

/// All batches or none: an error in the middle must not leave half a call behind.
fn learn_batches<T: Packed, L: Likelihood<f64>>(
    belief: &mut Precision<T>,
    observed: &Observed<'_, T>,
    batch: usize,
) -> Result<Vec<(f64, f64)>, Error> {
    let mut moved = belief.clone();
    let mut totals = Vec::with_capacity(observed.rows.len());
    for part in observed.batches(batch) {
        totals.extend(moved.learn::<L>(&part)?);
    }
    *belief = moved;
    Ok(totals)
}

impl<T: Packed> Model<T> for DenseLearner<T> {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn size(&self) -> usize {
        match &self.read().belief {
            Belief::Covariance(belief) => belief.mean.len(),
            Belief::Precision(belief, _) => belief.mean.len(),
        }
    }

    fn rows_learned(&self) -> u64 {
        self.read().learned
    }

    fn beliefs(&self) -> Result<(Vec<T>, Vec<T>), Error> {
        let diagonal = |entries: &[f64], size: usize| {
            entries.iter().step_by(size + 1).map(|&x| T::of(x)).collect()
        };
        match &self.read().belief {
            Belief::Covariance(belief) => {
                let variances = belief.matrix.iter().step_by(belief.mean.len() + 1);
                Ok((belief.mean.clone(), variances.copied().collect()))
            }
            Belief::Precision(belief, _) => {
                let covariance = belief.factor()?.inverse();
                let variances = diagonal(covariance.as_slice(), belief.mean.len());
                Ok((belief.mean.clone(), variances))
            }
        }
    }

    fn touched(&self) -> Result<Touched<T>, Error> {
        let (mean, second) = self.beliefs()?;
        Ok(Touched { features: (0..mean.len() as u32).collect(), mean, second })
    }

    fn state(&self) -> Result<ModelState<T>, Error> {
        let kept = self.read();
        let (form, mean, matrix) = match &kept.belief {
            Belief::Covariance(belief) => (Form::Covariance, &belief.mean, &belief.matrix),
            Belief::Precision(belief, batch) => {
                (Form::Precision(*batch), &belief.mean, &belief.matrix)
            }
        };
        let beliefs = Beliefs::Dense { form, mean: mean.clone(), matrix: matrix.clone() };
        Ok(ModelState { settings: self.settings, rows_learned: kept.learned, beliefs })
    }

    fn covariance(&self) -> Option<Result<Vec<f64>, Error>> {
        Some(match &self.read().belief {
            Belief::Covariance(belief) => Ok(belief.matrix.iter().map(|x| x.f64()).collect()),
            Belief::Precision(belief, _) => {
                belief.factor().map(|factor| factor.inverse().as_slice().to_vec())
            }
        })
    }

    /// In precision form every row is predicted before its mini-batch; the last mini-batch of a
    /// call may be smaller than the others.
    fn learn(
        &self,
        rows: &Rows<'_, T>,
        _columns: usize,
        labels: &[i8],
        weights: Option<&[f64]>,
    ) -> Result<Vec<f64>, Error> {
        check_answers(rows.len(), labels, weights)?;
        rows.check_features(self.size())?;
        let observed = Observed { rows: rows.iter().collect(), labels, weights };
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let totals = match (&mut state.belief, self.settings.link) {
            (Belief::Covariance(belief), _) => belief.learn(self.rule().as_ref(), &observed),
            (Belief::Precision(belief, batch), Link::Logit) => {
                learn_batches::<T, Logistic>(belief, &observed, *batch)?
            }
            (Belief::Precision(belief, batch), Link::Probit) => {
                learn_batches::<T, Probit>(belief, &observed, *batch)?
            }
        };
        state.learned += observed.iter().filter(|(.., weight)| *weight > 0.0).count() as u64;
        Ok(totals.into_iter().map(|(m, s)| self.settings.probability(m, s)).collect())
    }

    fn predict_logit(&self, rows: &Rows<'_, T>) -> Result<Vec<(f64, f64)>, Error> {
        rows.check_features(self.size())?;
        match &self.read().belief {
            Belief::Covariance(belief) => {
                let mut sx = Vec::new();
                Ok(rows.iter().map(|row| belief.totals(row, &mut sx)).collect())
            }
            Belief::Precision(belief, _) => {
                let factor = belief.factor()?;
                Ok(rows.iter().map(|row| belief.totals(&factor, row)).collect())
            }
        }
    }

    fn sample(&self, rows: &Rows<'_, T>, seed: u64) -> Result<Vec<f64>, Error> {
        rows.check_features(self.size())?;
        let mut normal = vec![0.0; self.size()];
        Random::at(seed, 0).fill_normal(&mut normal);
        let w = match &self.read().belief {
            Belief::Covariance(belief) => belief.draw(normal)?,
            Belief::Precision(belief, _) => belief.draw(normal)?,
        };
        Ok(rows.iter().map(|row| self.settings.link.probability_at(dot(row, &w))).collect())
    }
}

fn dot<T: Packed>(row: Row<'_, T>, w: &[f64]) -> f64 {
    row.features.iter().zip(row.values).map(|(&i, x)| x.f64() * w[i as usize]).sum()
}

fn matrix<T: Packed>(entries: &[T], size: usize) -> DMatrix<f64> {
    DMatrix::from_iterator(size, size, entries.iter().map(|x| x.f64()))
}
