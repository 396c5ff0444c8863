//! How one row moves the beliefs of its features.
//!
//! Two shapes cover the paper. A *marginal* rule ([`marginal`]) integrates the other features out
//! and matches each feature's own posterior. A *joint* rule ([`joint`]) finds one step and one
//! curvature per row and shares them out. AdaGrad is its own, with a squared-gradient sum in the
//! place of the variance.

mod ada_grad;
mod adf;
mod approx;
mod dim_gauss;
mod gauss;
pub mod joint;
mod least_squares;
pub mod marginal;
mod moments;
mod newton;
mod two_point;
mod variance;
mod vb;

pub use adf::Adf;
pub use dim_gauss::DimGauss;
pub use moments::Moments;
pub use newton::peak;

use crate::error::Error;
use crate::likelihood::{Likelihood, Logistic, Probit};
use crate::real::Real;
use crate::settings::{Link, RuleChoice, Settings, VarianceForm};
use ada_grad::AdaGrad;
use approx::Approx;
use gauss::Gauss;
use joint::{JointRule, Jointly};
use least_squares::LeastSquares;
use marginal::EachFeature;
use two_point::TwoPoint;
use variance::{Height, Laplace};
use vb::Vb;

/// A row as its rule sees it: the mean and variance of its total weight before the update
/// (eq. `single_d_Gaussian`), its label, and the power its likelihood is raised to.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    pub m: f64,
    pub s: f64,
    pub y: f64,
    pub weight: f64,
    /// How many rows were learned before this one: what random samples belong to.
    pub row: u64,
}

/// Features are worked on in groups of this many, which become vector instructions.
pub const LANES: usize = 8;

pub trait Rule<C> {
    /// Moves `mu` and `v`, the beliefs about the features whose values are `x`. Returns
    /// `P(y = 1)` as it was before.
    fn learn(&mut self, row: &Evidence, x: &[C], mu: &mut [C], v: &mut [C]) -> f64;

    /// For one more feature of the row that was learned last, of value 1 and this variance: its
    /// step, and the share of the variance that is left.
    fn learn_one_more(&self, row: &Evidence, variance: f64) -> (f64, f64);
}

/// A rule whose cost per feature is a few operations, in the precision of the table.
pub fn narrow<C: Real>(settings: &Settings) -> Option<Box<dyn Rule<C>>> {
    match (settings.link, settings.rule) {
        (Link::Logit, RuleChoice::Moments) => Some(Box::new(Jointly::new(Moments))),
        // For the probit, assumed density filtering is exact.
        (Link::Probit, RuleChoice::Moments) => narrow_for::<C, Probit>(RuleChoice::Adf),
        (Link::Logit, rule) => narrow_for::<C, Logistic>(rule),
        (Link::Probit, rule) => narrow_for::<C, Probit>(rule),
    }
}

fn narrow_for<C: Real, L>(rule: RuleChoice) -> Option<Box<dyn Rule<C>>>
where
    L: Likelihood<C> + Likelihood<f64>,
{
    Some(match rule {
        RuleChoice::Approx { variance: VarianceForm::Laplace } => {
            Box::new(EachFeature::<_, L>::new(Approx::<Laplace>::default()))
        }
        RuleChoice::DimGauss { mean } => Box::new(Jointly::new(DimGauss::<L>::new(mean))),
        RuleChoice::Adf => Box::new(Jointly::new(Adf::<L>::default())),
        RuleChoice::AdaGrad { learning_rate, epsilon } => {
            Box::new(AdaGrad::<L>::new(learning_rate, epsilon))
        }
        _ => return None,
    })
}

/// The step of a joint rule, for those who share it out by themselves.
pub fn joint_rule(settings: &Settings) -> Result<Box<dyn JointRule>, Error> {
    Ok(match (settings.rule, settings.link) {
        (RuleChoice::DimGauss { mean }, Link::Logit) => Box::new(DimGauss::<Logistic>::new(mean)),
        (RuleChoice::DimGauss { mean }, Link::Probit) => Box::new(DimGauss::<Probit>::new(mean)),
        (RuleChoice::Moments, Link::Logit) => Box::new(Moments),
        (RuleChoice::Adf, Link::Logit) => Box::new(Adf::<Logistic>::default()),
        // For the probit, assumed density filtering is exact.
        (RuleChoice::Adf | RuleChoice::Moments, Link::Probit) => Box::new(Adf::<Probit>::default()),
        _ => return Err(Error::PanelRule),
    })
}

/// Any rule, in double precision whatever the table's: these iterate, sample, or compare
/// likelihoods that nearly cancel.
pub fn wide(settings: &Settings) -> Box<dyn Rule<f64>> {
    match settings.link {
        Link::Logit => wide_for::<Logistic>(settings),
        Link::Probit => wide_for::<Probit>(settings),
    }
}

fn wide_for<L: Likelihood<f64>>(settings: &Settings) -> Box<dyn Rule<f64>> {
    match settings.rule {
        RuleChoice::Gauss { variance: VarianceForm::Laplace } => {
            Box::new(EachFeature::<_, L>::new(Gauss::<Laplace>::default()))
        }
        RuleChoice::Gauss { variance: VarianceForm::Height } => {
            Box::new(EachFeature::<_, L>::new(Gauss::<Height>::default()))
        }
        RuleChoice::Approx { variance: VarianceForm::Height } => {
            Box::new(EachFeature::<_, L>::new(Approx::<Height>::default()))
        }
        RuleChoice::TwoPoint => Box::new(EachFeature::<_, L>::new(TwoPoint::default())),
        RuleChoice::LeastSquares => Box::new(EachFeature::<_, L>::new(LeastSquares)),
        RuleChoice::Vb { samples, mean, tolerance, iterations } => {
            let vb = Vb::new(settings.seed, samples, mean, tolerance, iterations);
            Box::new(EachFeature::<_, L>::new(vb))
        }
        narrow => narrow_for::<f64, L>(narrow).expect("every rule is narrow or wide"),
    }
}
