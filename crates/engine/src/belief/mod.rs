//! Where means and variances live.
//!
//! A belief is a pair of numbers in one cell: a mean and a variance (for AdaGrad, a weight and its
//! squared-gradient sum). Cells are atomic, so a table can be read while it learns. A cell is
//! stored as the XOR with the prior's bits: a page of zeros is a page of priors, and memory that
//! no feature has touched is never asked for.

mod cell;
mod near;
mod numbered;
mod touched;

pub use cell::Packed;
pub use near::{AHEAD, Near};
pub use numbered::Numbered;
pub use touched::Touched;
