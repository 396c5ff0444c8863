use lapwing_engine::stream::{Array, Texts, Values};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

type TextArrays<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, u8>);
type ColumnTuple<'py> =
    (Option<Bound<'py, PyAny>>, Option<PyReadonlyArray1<'py, bool>>, Option<TextArrays<'py>>);

/// One column's arrays, borrowed for a call: values (float64, int64, or int32 places in a
/// dictionary), what is missing, and text.
pub struct ColumnArrays<'py> {
    values: Numbers<'py>,
    missing: Option<PyReadonlyArray1<'py, bool>>,
    text: Option<TextArrays<'py>>,
}

enum Numbers<'py> {
    None,
    Float(PyReadonlyArray1<'py, f64>),
    Whole(PyReadonlyArray1<'py, i64>),
    Places(PyReadonlyArray1<'py, i32>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for ColumnArrays<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (values, missing, text): ColumnTuple<'py> = given.extract()?;
        let values = match values {
            None => Numbers::None,
            Some(values) => numbers(&values)?,
        };
        Ok(ColumnArrays { values, missing, text })
    }
}

fn numbers<'py>(values: &Bound<'py, PyAny>) -> PyResult<Numbers<'py>> {
    if let Ok(values) = values.extract() {
        return Ok(Numbers::Float(values));
    }
    if let Ok(values) = values.extract() {
        return Ok(Numbers::Whole(values));
    }
    values.extract().map(Numbers::Places).map_err(|_| odd_column())
}

fn odd_column() -> PyErr {
    PyTypeError::new_err("a column's values must be float64, int64, or int32 places of its text")
}

impl ColumnArrays<'_> {
    pub fn array(&self) -> PyResult<Array<'_>> {
        let text = match &self.text {
            None => None,
            Some((starts, bytes)) => {
                Some(Texts { starts: starts.as_slice()?, bytes: bytes.as_slice()? })
            }
        };
        let values = match (&self.values, text) {
            (Numbers::Float(values), None) => Values::Float(values.as_slice()?),
            (Numbers::Whole(values), None) => Values::Whole(values.as_slice()?),
            (Numbers::Places(places), Some(texts)) => Values::Coded(places.as_slice()?, texts),
            (Numbers::None, Some(texts)) => Values::Text(texts),
            _ => return Err(odd_column()),
        };
        let missing = self.missing.as_ref().map(|missing| missing.as_slice()).transpose()?;
        Ok(Array { values, missing })
    }
}
