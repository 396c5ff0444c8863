use crate::arrays::{Arrays, RowArrays, link, pairs, priors, raise};
use crate::rule::Rule;
use lapwing_engine::dense::{DenseLearner, Form};
use lapwing_engine::{self as engine, Learner, Prior, Settings};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Any model of the engine, in either precision.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Model {
    model: Precision,
}

enum Precision {
    Single(Box<dyn engine::Model<f32>>),
    Double(Box<dyn engine::Model<f64>>),
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;

/// Builds a model of the engine for a dtype by its name.
macro_rules! build {
    ($dtype:expr, $new:expr) => {
        match $dtype {
            "float32" => Precision::Single(Box::new($new.map_err(raise)?)),
            "float64" => Precision::Double(Box::new($new.map_err(raise)?)),
            other => {
                return Err(PyValueError::new_err(format!(
                    "dtype is {other:?}; it must be \"float32\" or \"float64\""
                )));
            }
        }
    };
}

/// Evaluates an expression with the engine's model of whatever precision.
macro_rules! with {
    ($self:ident, |$model:ident| $call:expr) => {
        match &$self.model {
            Precision::Single($model) => $call,
            Precision::Double($model) => $call,
        }
    };
}

#[pymethods]
impl Model {
    /// Numbered features with one prior; the table grows if no size is given.
    #[staticmethod]
    #[pyo3(signature = (rule, link_name, prior_mean, prior_variance, size, dtype, seed))]
    fn numbered(
        rule: &Rule,
        link_name: &str,
        prior_mean: f64,
        prior_variance: f64,
        size: Option<usize>,
        dtype: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let prior = Prior { mean: prior_mean, variance: prior_variance };
        let settings = Settings { rule: rule.choice, link: link(link_name)?, prior, seed };
        Ok(Model { model: build!(dtype, Learner::new(settings, size)) })
    }

    /// Numbered features with a prior for each.
    #[staticmethod]
    fn with_priors(
        rule: &Rule,
        link_name: &str,
        prior_mean: PyReadonlyArray1<'_, f64>,
        prior_variance: PyReadonlyArray1<'_, f64>,
        dtype: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let priors = priors(&prior_mean, &prior_variance)?;
        let prior = Prior::default();
        let settings = Settings { rule: rule.choice, link: link(link_name)?, prior, seed };
        Ok(Model { model: build!(dtype, Learner::with_priors(settings, &priors)) })
    }

    /// The full covariance; in precision form if the rows of a mini-batch are given.
    #[staticmethod]
    #[pyo3(signature = (rule, link_name, prior_mean, prior_variance, batch, dtype))]
    fn dense(
        rule: &Rule,
        link_name: &str,
        prior_mean: PyReadonlyArray1<'_, f64>,
        prior_variance: PyReadonlyArray1<'_, f64>,
        batch: Option<usize>,
        dtype: &str,
    ) -> PyResult<Self> {
        let priors = priors(&prior_mean, &prior_variance)?;
        let prior = Prior::default();
        let settings = Settings { rule: rule.choice, link: link(link_name)?, prior, seed: 0 };
        let form = batch.map_or(Form::Covariance, Form::Precision);
        Ok(Model { model: build!(dtype, DenseLearner::new(settings, &priors, form)) })
    }

    fn learn<'py>(
        &self,
        py: Python<'py>,
        rows: RowArrays<'py>,
        columns: usize,
        labels: PyReadonlyArray1<'py, i8>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<Vector<'py>> {
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let predictions = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let slices = arrays.slices()?;
            py.detach(|| model.learn(&slices.rows()?, columns, labels, weights))
        });
        Ok(predictions.map_err(raise)?.into_pyarray(py))
    }

    fn predict<'py>(&self, py: Python<'py>, rows: RowArrays<'py>) -> PyResult<Vector<'py>> {
        let predictions = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let slices = arrays.slices()?;
            py.detach(|| model.predict(&slices.rows()?))
        });
        Ok(predictions.map_err(raise)?.into_pyarray(py))
    }

    fn predict_logit<'py>(
        &self,
        py: Python<'py>,
        rows: RowArrays<'py>,
    ) -> PyResult<(Vector<'py>, Vector<'py>)> {
        let totals = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let slices = arrays.slices()?;
            py.detach(|| model.predict_logit(&slices.rows()?))
        });
        Ok(pairs(py, totals.map_err(raise)?))
    }

    fn interval<'py>(
        &self,
        py: Python<'py>,
        rows: RowArrays<'py>,
        level: f64,
    ) -> PyResult<(Vector<'py>, Vector<'py>)> {
        let bounds = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let slices = arrays.slices()?;
            py.detach(|| model.interval(&slices.rows()?, level))
        });
        Ok(pairs(py, bounds.map_err(raise)?))
    }

    fn sample<'py>(
        &self,
        py: Python<'py>,
        rows: RowArrays<'py>,
        seed: u64,
    ) -> PyResult<Vector<'py>> {
        let draws = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let slices = arrays.slices()?;
            py.detach(|| model.sample(&slices.rows()?, seed))
        });
        Ok(draws.map_err(raise)?.into_pyarray(py))
    }

    /// The first and the second number of every feature's belief.
    fn beliefs<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        with!(self, |model| {
            let (first, second) = py.detach(|| model.beliefs()).map_err(raise)?;
            Ok((first.into_pyarray(py).into_any(), second.into_pyarray(py).into_any()))
        })
    }

    /// The covariance of the weights, row by row in one array, where it is kept.
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Option<Vector<'py>>> {
        let entries = with!(self, |model| py.detach(|| model.covariance()));
        Ok(entries.transpose().map_err(raise)?.map(|entries| entries.into_pyarray(py)))
    }

    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        with!(self, |model| py.detach(|| model.size()))
    }

    #[getter]
    fn rows_learned(&self, py: Python<'_>) -> u64 {
        with!(self, |model| py.detach(|| model.rows_learned()))
    }
}
