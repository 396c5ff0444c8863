//! Bytes to rows.
//!
//! A [`Block`] is some rows of a stream with their labels. Named features become numbers by their
//! hash ([`hash`]), which is where a [`Namer`] puts them, with the crosses of fields. A [`Parser`] is
//! one text format. A [`Cell`] of a table becomes features by what its [`Column`] has shown; an
//! [`Encoder`] is all that a model knows about names and columns.

mod block;
mod bucket;
mod cell;
mod column;
mod encoder;
pub mod hash;
mod namer;
mod parser;

pub use block::Block;
pub use cell::{Cell, MISSING};
pub use column::Column;
pub use encoder::{Encoder, Encoding};
pub use namer::{Field, Namer, Naming};
pub use parser::{Labels, LineError, Parser, shown};
