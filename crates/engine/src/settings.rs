//! What a learner is told once: rule, link, prior, seed. In model files they have the names they have
//! in Python.

use crate::error::Error;
use crate::rule::Moments;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Link {
    Logit,
    Probit,
}

/// How the variance of a marginal rule is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VarianceForm {
    /// By the curvature of the posterior at its peak (eq. `sigito_laplace`).
    Laplace,
    /// By the height of the peak (eq. `sigsito`).
    Height,
}

/// How an equation that holds at the updated mean is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeanForm {
    Newton,
    Taylor,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "lowercase", deny_unknown_fields)]
pub enum RuleChoice {
    Gauss { variance: VarianceForm },
    Approx { variance: VarianceForm },
    DimGauss { mean: MeanForm },
    Adf,
    Moments,
    Vb { samples: usize, mean: MeanForm, tolerance: f64, iterations: usize },
    TwoPoint,
    LeastSquares,
    AdaGrad { learning_rate: f64, epsilon: f64 },
}

impl RuleChoice {
    /// AdaGrad keeps a squared-gradient sum where the others keep a variance.
    pub fn keeps_variance(&self) -> bool {
        !matches!(self, RuleChoice::AdaGrad { .. })
    }

    fn check(&self) -> Result<(), Error> {
        match *self {
            RuleChoice::Vb { samples, tolerance, iterations, .. } => {
                within("samples", samples as f64, 1.0, 1e6)?;
                within("iterations", iterations as f64, 1.0, 1e6)?;
                within("tolerance", tolerance, 1e-12, 1.0)
            }
            RuleChoice::AdaGrad { learning_rate, epsilon } => {
                within("learning_rate", learning_rate, 1e-9, 1e6)?;
                within("epsilon", epsilon, 1e-12, 1e6)
            }
            _ => Ok(()),
        }
    }
}

/// The belief about a feature nobody has seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    pub mean: f64,
    pub variance: f64,
}

impl Default for Prior {
    fn default() -> Self {
        Prior { mean: 0.0, variance: 1.0 }
    }
}

impl Prior {
    pub fn check(&self) -> Result<(), Error> {
        within("prior_mean", self.mean, -1e6, 1e6)?;
        within("prior_variance", self.variance, 1e-12, 1e6)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub rule: RuleChoice,
    pub link: Link,
    pub prior: Prior,
    pub seed: u64,
}

impl Settings {
    /// `P(y = 1 | x)`, by the formula that belongs to the rule.
    #[inline]
    pub fn probability(&self, m: f64, s: f64) -> f64 {
        match (self.rule, self.link) {
            (RuleChoice::Moments, Link::Logit) => Moments::probability(m, s),
            (_, link) => link.probability(m, s),
        }
    }

    pub fn check(&self) -> Result<(), Error> {
        self.rule.check()?;
        self.prior.check()
    }
}

/// Bounds wide enough for any use, narrow enough that single precision never overflows.
fn within(name: &'static str, given: f64, low: f64, high: f64) -> Result<(), Error> {
    if (low..=high).contains(&given) {
        return Ok(());
    }
    let allowed = format!("between {low} and {high}");
    Err(Error::Setting { name, given: given.to_string(), allowed })
}
