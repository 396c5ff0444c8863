//! The engine of Lapwing: online Bayesian logistic and probit regression for sparse streams.
//!
//! It implements *Low Complexity Approximate Bayesian Logistic Regression for Sparse Online
//! Learning* (Shamir & Szpankowski). Inside the kernels the letters are the paper's: `mu` and `v`
//! are one weight's mean and variance, `m` and `s` the mean and variance of a row's total weight
//! (eq. `single_d_Gaussian`), `x` a feature's value and `y` the label, -1 or 1. `docs/equations.md`
//! leads from every equation to its function here, in the NumPy reference, and to its test.
//!
//! The rooms: [`likelihood`] is what one number knows, [`rule`] how one row moves beliefs,
//! [`belief`] where means and variances live, [`rows`] what a row is, [`stream`] bytes to rows,
//! [`learner`] Algorithm 1 for any rule over any table.

#![forbid(unsafe_code)]

pub mod belief;
pub mod dense;
mod error;
pub mod fields;
mod gathered;
pub mod head;
pub mod learner;
pub mod likelihood;
pub mod memory;
pub mod metrics;
mod model;
pub mod model_file;
pub mod names;
pub mod panel;
pub mod prediction;
pub mod random;
mod real;
pub mod rows;
pub mod rule;
mod settings;
pub mod state;
pub mod stream;
pub mod synthetic;

pub use error::Error;
pub use learner::Learner;
pub use metrics::Metrics;
pub use model::Model;
pub use names::Names;
pub use real::Real;
pub use rows::Rows;
pub use settings::{
    HeadForm, HeadSettings, Link, MeanForm, Member, PanelSettings, Prior, RuleChoice, Settings,
    VarianceForm,
};
pub use state::State;
