use crate::arrays::raise;
use lapwing_engine::metrics::{self, Bin};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The engine's metrics. `lapwing.Metrics` is what users see of them.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Metrics {
    metrics: Mutex<metrics::Metrics>,
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Bins<'py> = (Vector<'py>, Vector<'py>, Vector<'py>);

impl Metrics {
    fn lock(&self) -> MutexGuard<'_, metrics::Metrics> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Metrics {
    #[new]
    fn new() -> Self {
        Metrics { metrics: Mutex::default() }
    }

    fn add(
        &self,
        py: Python<'_>,
        predictions: PyReadonlyArray1<'_, f64>,
        labels: PyReadonlyArray1<'_, i8>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let (predictions, labels) = (predictions.as_slice()?, labels.as_slice()?);
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        py.detach(|| self.lock().add(predictions, labels, weights)).map_err(raise)
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.lock().rows()
    }

    #[getter]
    fn weight(&self) -> f64 {
        self.lock().weight()
    }

    #[getter]
    fn total_loss(&self) -> f64 {
        self.lock().total_loss()
    }

    #[getter]
    fn log_loss(&self) -> f64 {
        self.lock().log_loss()
    }

    #[getter]
    fn base_rate(&self) -> f64 {
        self.lock().base_rate()
    }

    #[getter]
    fn mean_prediction(&self) -> f64 {
        self.lock().mean_prediction()
    }

    #[getter]
    fn constant_loss(&self) -> f64 {
        self.lock().constant_loss()
    }

    #[getter]
    fn auc(&self) -> f64 {
        self.lock().auc()
    }

    /// Positive weight, negative weight and sum of predictions of groups in order of prediction.
    fn reliability<'py>(&self, py: Python<'py>, groups: usize) -> Bins<'py> {
        columns(py, &self.lock().reliability(groups.max(1)))
    }

    /// The same for equal steps of the prediction.
    fn histogram<'py>(&self, py: Python<'py>, steps: usize) -> Bins<'py> {
        columns(py, &self.lock().histogram(steps.max(1)))
    }
}

fn columns<'py>(py: Python<'py>, bins: &[Bin]) -> Bins<'py> {
    let column = |of: fn(&Bin) -> f64| bins.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
    (column(|bin| bin.positive), column(|bin| bin.negative), column(|bin| bin.predicted))
}
