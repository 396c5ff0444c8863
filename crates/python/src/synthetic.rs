use crate::arrays::{link, raise};
use lapwing_engine::synthetic::{
    self, Activity, Categories, Criteo, Format, Gaps, Tail, Truth, Values, Weights,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A synthetic stream of the engine. `lapwing.synthetic` has a class for each kind.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Stream {
    stream: Mutex<synthetic::Stream>,
}

type Drawn<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f64>>,
);

#[pymethods]
impl Stream {
    #[staticmethod]
    fn independent(
        features: usize,
        active: f64,
        uniform_values: bool,
        deviations: PyReadonlyArray1<'_, f64>,
        uniform_weights: bool,
        link_name: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let activity = Activity::Independent(Gaps::new(features, active).map_err(raise)?);
        Stream::build(activity, uniform_values, &deviations, uniform_weights, link_name, seed)
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "a stream is described by as many")]
    fn categories(
        sizes: PyReadonlyArray1<'_, u32>,
        per_row: usize,
        tail: &str,
        tail_parameter: f64,
        deviations: PyReadonlyArray1<'_, f64>,
        uniform_weights: bool,
        link_name: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let tail = match tail {
            "even" => Tail::Even,
            "exponential" => Tail::Exponential(tail_parameter),
            "zipf" => Tail::Zipf(tail_parameter),
            other => return Err(PyValueError::new_err(format!("there is no tail {other:?}"))),
        };
        let categories = Categories::new(sizes.as_slice()?, per_row, tail).map_err(raise)?;
        let activity = Activity::Categories(categories);
        Stream::build(activity, false, &deviations, uniform_weights, link_name, seed)
    }

    #[staticmethod]
    fn criteo(
        most_values: u32,
        deviations: PyReadonlyArray1<'_, f64>,
        uniform_weights: bool,
        link_name: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let activity = Activity::Criteo(Criteo::new(most_values).map_err(raise)?);
        Stream::build(activity, false, &deviations, uniform_weights, link_name, seed)
    }

    /// The same stream from its first row on.
    fn again(&self) -> Self {
        Stream { stream: Mutex::new(self.lock().again()) }
    }

    #[getter]
    fn features(&self) -> usize {
        self.lock().weights().len()
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.lock().weights().to_vec().into_pyarray(py)
    }

    /// Row starts, features, values, labels, and the true log loss of the next rows.
    fn draw<'py>(&self, py: Python<'py>, rows: usize) -> Drawn<'py> {
        let drawn = py.detach(|| self.lock().draw(rows));
        (
            drawn.starts.into_pyarray(py),
            drawn.features.into_pyarray(py),
            drawn.values.into_pyarray(py),
            drawn.labels.into_pyarray(py),
            drawn.true_loss.into_pyarray(py),
        )
    }

    /// The next rows as text.
    fn text<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        format_name: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = match format_name {
            "vw" => Format::Vw,
            "svmlight" => Format::Svmlight,
            "criteo" => Format::Criteo,
            other => return Err(PyValueError::new_err(format!("there is no format {other:?}"))),
        };
        let text = py.detach(|| self.lock().text(rows, format)).map_err(raise)?;
        Ok(PyBytes::new(py, &text))
    }
}

impl Stream {
    fn build(
        activity: Activity,
        uniform_values: bool,
        deviations: &PyReadonlyArray1<'_, f64>,
        uniform_weights: bool,
        link_name: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let truth = Truth {
            weights: if uniform_weights { Weights::Uniform } else { Weights::Normal },
            deviations: deviations.as_slice()?,
            values: if uniform_values { Values::Uniform } else { Values::One },
            link: link(link_name)?,
            seed,
        };
        let stream = synthetic::Stream::new(activity, &truth).map_err(raise)?;
        Ok(Stream { stream: Mutex::new(stream) })
    }

    fn lock(&self) -> MutexGuard<'_, synthetic::Stream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
