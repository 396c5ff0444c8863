use crate::arrays::{link, raise};
use lapwing_engine::synthetic;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The paper's random binary stream.
#[pyclass(frozen, module = "lapwing._core")]
pub struct BinaryStream {
    stream: Mutex<synthetic::BinaryStream>,
}

type Drawn<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f64>>,
);

#[pymethods]
impl BinaryStream {
    #[new]
    fn new(
        features: u32,
        active: f64,
        deviation: f64,
        link_name: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let link = link(link_name)?;
        let stream = synthetic::BinaryStream::new(features, active, deviation, link, seed);
        Ok(BinaryStream { stream: Mutex::new(stream.map_err(raise)?) })
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.lock().weights().to_vec().into_pyarray(py)
    }

    /// Row starts, features, labels, and the true log loss of the next rows.
    fn draw<'py>(&self, py: Python<'py>, rows: usize) -> Drawn<'py> {
        let drawn = py.detach(|| self.lock().draw(rows));
        (
            drawn.starts.into_pyarray(py),
            drawn.features.into_pyarray(py),
            drawn.labels.into_pyarray(py),
            drawn.true_loss.into_pyarray(py),
        )
    }
}

impl BinaryStream {
    fn lock(&self) -> std::sync::MutexGuard<'_, synthetic::BinaryStream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
