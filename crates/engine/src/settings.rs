//! What a learner is told once: rule, link, prior, seed. In model files they have the names they have
//! in Python.

use crate::error::Error;
use crate::panel::MOST_MEMBERS;
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

/// What the gains of a head are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeadForm {
    /// One for all features.
    Scale,
    /// One for the features of every field.
    Fields,
}

/// A regression on top of the features' ([`crate::head`]): gains from `N(1, scale_variance)`, a bias
/// from `N(0, bias_variance)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadSettings {
    pub form: HeadForm,
    pub scale_variance: f64,
    pub bias_variance: f64,
    /// In rows.
    pub memory: Option<f64>,
}

impl HeadSettings {
    fn check(&self) -> Result<(), Error> {
        within("scale_variance", self.scale_variance, 1e-12, 1e6)?;
        within("bias_variance", self.bias_variance, 1e-12, 1e6)?;
        self.memory.map_or(Ok(()), |rows| within("the head's memory", rows, 1.0, 1e18))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub rule: RuleChoice,
    pub link: Link,
    pub prior: Prior,
    pub seed: u64,
    /// How many of its touches a feature remembers; all if not given.
    pub memory: Option<f64>,
    pub head: Option<HeadSettings>,
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
        self.prior.check()?;
        check_memory(self.memory)?;
        if let Some(head) = self.head {
            head.check()?;
        }
        if self.rule.keeps_variance() || (self.memory.is_none() && self.head.is_none()) {
            return Ok(());
        }
        Err(Error::NoVariance)
    }
}

/// A learner among others that see the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    pub prior: Prior,
    pub memory: Option<f64>,
    pub head: Option<HeadSettings>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelSettings {
    pub members: Vec<Member>,
    /// Of the trust, what is given to all members alike after every row.
    pub share: f64,
}

impl PanelSettings {
    pub fn check(&self) -> Result<(), Error> {
        if !(1..=MOST_MEMBERS).contains(&self.members.len()) {
            let allowed = format!("between 1 and {MOST_MEMBERS}");
            let given = self.members.len().to_string();
            return Err(Error::Setting { name: "the number of members", given, allowed });
        }
        within("share", self.share, 0.0, 0.5)?;
        self.members.iter().try_for_each(|member| {
            member.prior.check()?;
            check_memory(member.memory)?;
            member.head.map_or(Ok(()), |head| head.check())
        })
    }
}

fn check_memory(memory: Option<f64>) -> Result<(), Error> {
    memory.map_or(Ok(()), |touches| within("memory", touches, 1.0, 1e18))
}

/// Bounds wide enough for any use, narrow enough that single precision never overflows.
fn within(name: &'static str, given: f64, low: f64, high: f64) -> Result<(), Error> {
    if (low..=high).contains(&given) {
        return Ok(());
    }
    let allowed = format!("between {low} and {high}");
    Err(Error::Setting { name, given: given.to_string(), allowed })
}
