//! NumPy arrays as the engine's slices, and the engine's errors as Python's.

use lapwing_engine::belief::Packed;
use lapwing_engine::rows::Given;
use lapwing_engine::{Error, Link, Prior};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A matrix in compressed rows: row starts, feature numbers, values, the fields of features where
/// they are told, and whether the numbers are hashes of names.
pub type RowArrays<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, u32>,
    Bound<'py, PyAny>,
    Option<PyReadonlyArray1<'py, u32>>,
    bool,
);

/// The same with the values in the model's precision, borrowed for one call.
pub struct Arrays<'py, T: Element> {
    starts: PyReadonlyArray1<'py, i64>,
    features: PyReadonlyArray1<'py, u32>,
    values: PyReadonlyArray1<'py, T>,
    fields: Option<PyReadonlyArray1<'py, u32>>,
    named: bool,
}

impl<'py, T: Element + Packed> Arrays<'py, T> {
    pub fn new((starts, features, values, fields, named): RowArrays<'py>) -> PyResult<Self> {
        let values = values.extract().map_err(|_| {
            PyTypeError::new_err("the values' dtype must be that of the model, float32 or float64")
        })?;
        Ok(Arrays { starts, features, values, fields, named })
    }

    /// What can be checked and used while other Python threads run.
    pub fn given(&self) -> PyResult<Given<'_, T>> {
        Ok(Given {
            starts: self.starts.as_slice()?,
            features: self.features.as_slice()?,
            values: self.values.as_slice()?,
            fields: self.fields.as_ref().map_or(Ok(&[][..]), |fields| fields.as_slice())?,
            named: self.named,
        })
    }
}

/// The engine's sentence, as the exception a Python user expects.
pub fn raise(error: Error) -> PyErr {
    let sentence = error.to_string();
    match error {
        Error::Memory { .. } => PyMemoryError::new_err(sentence),
        _ => PyValueError::new_err(sentence),
    }
}

pub fn link(name: &str) -> PyResult<Link> {
    match name {
        "logit" => Ok(Link::Logit),
        "probit" => Ok(Link::Probit),
        _ => Err(PyValueError::new_err(format!(
            "link is {name:?}; it must be \"logit\" or \"probit\""
        ))),
    }
}

pub fn priors(
    means: &PyReadonlyArray1<'_, f64>,
    variances: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Vec<Prior>> {
    let (means, variances) = (means.as_slice()?, variances.as_slice()?);
    if means.len() != variances.len() {
        return Err(PyValueError::new_err(format!(
            "there are {} prior means and {} prior variances; there must be as many",
            means.len(),
            variances.len()
        )));
    }
    let pairs = means.iter().zip(variances);
    Ok(pairs.map(|(&mean, &variance)| Prior { mean, variance }).collect())
}

pub fn pairs<'py>(
    py: Python<'py>,
    pairs: Vec<(f64, f64)>,
) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>) {
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    (first.into_pyarray(py), second.into_pyarray(py))
}
