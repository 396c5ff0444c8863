//! Bytes to rows.
//!
//! A [`Source`] is bytes, decompressed, which come in large pieces of whole lines; a [`Parser`] is
//! one text format; a [`Reader`] puts them together on a thread of its own and gives out a
//! [`Block`] after the other: some rows of a stream with their labels. Named features become
//! numbers by their hash ([`hash`]), which is where a [`Namer`] puts them, with the crosses of
//! fields. A [`Cell`] of a table becomes features by what its [`Column`] has shown; an [`Encoder`]
//! is all that a model knows about names and columns.

mod block;
mod bucket;
mod cell;
mod choice;
mod column;
mod criteo;
mod csv;
mod cuts;
mod encoder;
mod error;
mod foreign;
mod format;
pub mod hash;
mod label;
mod lines;
mod namer;
mod number;
mod parser;
mod reader;
mod source;
mod svmlight;
mod table;
mod vw;

pub use block::Block;
pub use cell::{Cell, MISSING};
pub use choice::Choice;
pub use column::Column;
pub use criteo::Criteo;
pub use csv::Csv;
pub use cuts::Cuts;
pub use encoder::{Encoder, Encoding};
pub use error::StreamError;
pub use format::Format;
pub use label::{Label, no_column};
pub use namer::{Field, Namer, Naming};
pub use number::number;
pub use parser::{Labels, LineError, Parser, shown};
pub use reader::{Options, Piece, Progress, Reader};
pub use source::{Compression, Input, Source};
pub use svmlight::Svmlight;
pub use table::{Array, Texts, Values, encode_table};
pub use vw::Vw;
