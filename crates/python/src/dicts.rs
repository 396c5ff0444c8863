use lapwing_engine::Real;
use lapwing_engine::rows::LARGEST_VALUE;
use lapwing_engine::stream::{Block, Cell, Encoding};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMapping, PyString};

/// Puts a row that names its features: `{"price": 3.5, "colour": "red"}`.
pub fn put_dict<T: Real>(
    row: usize,
    given: &Bound<'_, PyAny>,
    encoding: &mut Encoding,
    block: &mut Block<T>,
) -> PyResult<()> {
    if let Ok(dict) = given.cast::<PyDict>() {
        for (key, value) in dict.iter() {
            put(row, &key, &value, encoding, block)?;
        }
    } else if let Ok(mapping) = given.cast::<PyMapping>() {
        for item in mapping.items()?.iter() {
            let (key, value) = item.extract()?;
            put(row, &key, &value, encoding, block)?;
        }
    } else {
        return Err(PyTypeError::new_err(format!(
            "row {row} is a {}; where the first row is a dict, all must be",
            given.get_type().name()?
        )));
    }
    encoding.end_row(0, 1.0, block);
    Ok(())
}

fn put<T: Real>(
    row: usize,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    encoding: &mut Encoding,
    block: &mut Block<T>,
) -> PyResult<()> {
    let number;
    let name = match key.cast::<PyString>() {
        Ok(name) => name.to_str()?,
        Err(_) if key.cast::<PyInt>().is_ok() => {
            number = key.str()?.to_string();
            &number
        }
        Err(_) => {
            return Err(PyTypeError::new_err(format!(
                "row {row}: a feature is called {}; names must be text or whole numbers",
                key.repr()?
            )));
        }
    };
    let column = encoding.column(name);
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_str()?.as_bytes();
        let cell = if text.is_empty() { Cell::Missing } else { Cell::Text(text) };
        encoding.put_explicit(column, cell, block);
        return Ok(());
    }
    let Some(x) = explicit_number(value)? else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "row {row}: {name:?} is a {kind}; it must be a number, a bool, text or None"
        )));
    };
    if x.abs() > LARGEST_VALUE {
        return Err(PyValueError::new_err(format!(
            "row {row}: {name:?} is {x:?}; values may be at most {LARGEST_VALUE} in magnitude: scale \
             the feature"
        )));
    }
    let cell = if x.is_nan() { Cell::Missing } else { Cell::Number(x) };
    encoding.put_explicit(column, cell, block);
    Ok(())
}

/// The number a value is, NaN where it is missing, and nothing for what is no number.
fn explicit_number(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() {
        return Ok(Some(f64::NAN));
    }
    if value.cast::<PyFloat>().is_ok()
        || value.cast::<PyInt>().is_ok()
        || value.cast::<PyBool>().is_ok()
    {
        // A whole number beyond all doubles is too large in any case.
        return Ok(Some(value.extract().unwrap_or(f64::INFINITY)));
    }
    match value.get_type().name()?.to_str()? {
        "NAType" | "NaTType" => Ok(Some(f64::NAN)),
        // NumPy's numbers, Decimal, Fraction; an array of one number is a nested value.
        _ if value.hasattr("__float__")? && !value.hasattr("__len__")? => {
            Ok(Some(value.call_method0("__float__")?.extract()?))
        }
        _ => Ok(None),
    }
}
