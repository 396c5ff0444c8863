use crate::arrays::raise;
use crate::table::ColumnArrays;
use lapwing_engine::stream;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The column of a table that is the label, or that a comparison makes one of.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Label {
    label: Mutex<stream::Label>,
    #[pyo3(get)]
    column: String,
    #[pyo3(get)]
    text: String,
}

#[pymethods]
impl Label {
    /// What the user wants, among these columns; without a wish, the column that is usual.
    #[new]
    fn new(wanted: Option<&str>, columns: Vec<String>) -> PyResult<Self> {
        let (_, label) = stream::Label::find(wanted, &columns).map_err(raise)?;
        Ok(label.into())
    }

    /// -1, 1, or 0 where it is missing, for every row of a part of the column, which begins at
    /// row number `first_row` of the table.
    fn read<'py>(
        &self,
        py: Python<'py>,
        column: ColumnArrays<'py>,
        first_row: usize,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let array = column.array()?;
        let mut label = self.label.lock().unwrap_or_else(PoisonError::into_inner);
        let labels: PyResult<Vec<i8>> = (0..array.len())
            .map(|row| {
                let raise =
                    |error| PyValueError::new_err(format!("row {}: {error}", first_row + row));
                label.of(array.cell(row)).map_err(raise)
            })
            .collect();
        Ok(labels?.into_pyarray(py))
    }
}

impl From<stream::Label> for Label {
    fn from(label: stream::Label) -> Self {
        let (column, text) = (label.column().to_string(), label.text().to_string());
        Label { label: Mutex::new(label), column, text }
    }
}
