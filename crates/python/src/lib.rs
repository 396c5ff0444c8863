//! Bindings: convert, check, let Python's other threads run, call the engine. No mathematics.

mod arrays;
mod dicts;
mod encoder;
mod file;
mod head;
mod label;
mod metrics;
mod model;
mod reader;
mod rule;
mod single_rows;
mod synthetic;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::encoder::Encoder;
    #[pymodule_export]
    use super::file::replace;
    #[pymodule_export]
    use super::head::{Head, Member};
    #[pymodule_export]
    use super::label::Label;
    #[pymodule_export]
    use super::metrics::Metrics;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::reader::Reader;
    #[pymodule_export]
    use super::rule::Rule;
    #[pymodule_export]
    use super::single_rows::SingleRows;
    #[pymodule_export]
    use super::synthetic::Stream;
}
