use crate::arrays::{Arrays, RowArrays, link, pairs, priors, raise};
use crate::file::{raise_file, raise_problem};
use crate::head::{Head, Member};
use crate::rule::Rule;
use lapwing_engine::belief::Packed;
use lapwing_engine::dense::{DenseLearner, Form};
use lapwing_engine::model_file::{AnyContents, Contents, Problem, Stored};
use lapwing_engine::{self as engine, Learner, Names, PanelSettings, Prior, Rows, Settings};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Any model of the engine, in either precision.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Model {
    pub precision: Precision,
    /// Held while learning, so that what is saved has counted the rows it has learned.
    names: Option<Mutex<Names>>,
}

pub enum Precision {
    Single(Box<dyn engine::Model<f32>>),
    Double(Box<dyn engine::Model<f64>>),
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Touched<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyAny>, Bound<'py, PyAny>);
type Named = (Vec<Option<String>>, Vec<u64>);
type Trusted = (Vec<f64>, Vec<f64>, Vec<(u64, Vec<f64>, Vec<f64>)>);
type Notes = BTreeMap<String, String>;

/// Builds a model of the engine for a dtype by its name.
macro_rules! build {
    ($dtype:expr, $new:expr) => {
        match $dtype {
            "float32" => Precision::Single(Box::new($new.map_err(raise)?)),
            "float64" => Precision::Double(Box::new($new.map_err(raise)?)),
            other => return Err(no_dtype(other)),
        }
    };
}

/// Evaluates an expression with the engine's model of whatever precision.
macro_rules! with {
    ($self:ident, |$model:ident| $call:expr) => {
        match &$self.precision {
            Precision::Single($model) => $call,
            Precision::Double($model) => $call,
        }
    };
}

fn no_dtype(given: &str) -> PyErr {
    PyValueError::new_err(format!("dtype is {given:?}; it must be \"float32\" or \"float64\""))
}

impl Model {
    /// Learns, and where names are kept, tells and counts them once the rows are learned.
    pub fn learn_rows<T: Packed>(
        &self,
        model: &dyn engine::Model<T>,
        rows: &Rows<'_, T>,
        columns: usize,
        labels: &[i8],
        weights: Option<&[f64]>,
        new_names: Vec<(u32, String)>,
    ) -> Result<Vec<f64>, engine::Error> {
        let Some(names) = &self.names else {
            return model.learn(rows, columns, labels, weights);
        };
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        names.make_room(columns.max(model.size()))?;
        let predictions = model.learn(rows, columns, labels, weights)?;
        names.count(rows, weights);
        names.tell(new_names);
        Ok(predictions)
    }

    /// Writes what the model is between two calls of `learn`.
    fn write<T: Stored, A>(
        &self,
        model: &dyn engine::Model<T>,
        notes: Notes,
        to: impl FnOnce(&Contents<'_, T>) -> Result<A, Problem>,
    ) -> Result<A, Problem> {
        let names = self.names.as_ref();
        let names = names.map(|names| names.lock().unwrap_or_else(PoisonError::into_inner));
        let names = names.as_deref().map(Cow::Borrowed);
        to(&Contents { state: model.state()?, names, notes })
    }

    fn of(contents: AnyContents) -> Result<Self, Problem> {
        let (precision, names) = match contents {
            AnyContents::Single(contents) => {
                (Precision::Single(contents.state.into_model()?), contents.names)
            }
            AnyContents::Double(contents) => {
                (Precision::Double(contents.state.into_model()?), contents.names)
            }
        };
        Ok(Model { precision, names: names.map(|names| Mutex::new(names.into_owned())) })
    }
}

#[pymethods]
impl Model {
    /// Numbered features with one prior; the table grows if no size is given.
    #[staticmethod]
    #[pyo3(signature = (rule, link_name, prior_mean, prior_variance, size, dtype, seed, keeps_names, memory, head, fields))]
    #[expect(clippy::too_many_arguments, reason = "a model is described by as many")]
    fn numbered(
        rule: &Rule,
        link_name: &str,
        prior_mean: f64,
        prior_variance: f64,
        size: Option<usize>,
        dtype: &str,
        seed: u64,
        keeps_names: bool,
        memory: Option<f64>,
        head: Option<&Head>,
        fields: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let prior = Prior { mean: prior_mean, variance: prior_variance };
        let head = head.map(|head| head.settings);
        let link = link(link_name)?;
        let settings = Settings { rule: rule.choice, link, prior, seed, memory, head };
        let names = keeps_names.then(Mutex::default);
        let fields = fields.as_slice()?.to_vec();
        let precision = build!(dtype, Learner::new(settings, size).map(|l| l.with_fields(fields)));
        Ok(Model { precision, names })
    }

    /// Numbered features with a prior for each.
    #[staticmethod]
    #[pyo3(signature = (rule, link_name, prior_mean, prior_variance, dtype, seed, memory, head, fields))]
    #[expect(clippy::too_many_arguments, reason = "a model is described by as many")]
    fn with_priors(
        rule: &Rule,
        link_name: &str,
        prior_mean: PyReadonlyArray1<'_, f64>,
        prior_variance: PyReadonlyArray1<'_, f64>,
        dtype: &str,
        seed: u64,
        memory: Option<f64>,
        head: Option<&Head>,
        fields: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let priors = priors(&prior_mean, &prior_variance)?;
        let (prior, head) = (Prior::default(), head.map(|head| head.settings));
        let link = link(link_name)?;
        let settings = Settings { rule: rule.choice, link, prior, seed, memory, head };
        let fields = fields.as_slice()?.to_vec();
        let precision =
            build!(dtype, Learner::with_priors(settings, &priors).map(|l| l.with_fields(fields)));
        Ok(Model { precision, names: None })
    }

    /// Several learners of the same rows.
    #[staticmethod]
    #[pyo3(signature = (rule, link_name, members, share, size, dtype, seed, keeps_names, fields))]
    #[expect(clippy::too_many_arguments, reason = "a model is described by as many")]
    fn panel(
        rule: &Rule,
        link_name: &str,
        members: Vec<PyRef<'_, Member>>,
        share: f64,
        size: Option<usize>,
        dtype: &str,
        seed: u64,
        keeps_names: bool,
        fields: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let members: Vec<_> = members.iter().map(|member| member.settings).collect();
        let (rule, link, prior) = (rule.choice, link(link_name)?, Prior::default());
        let settings = Settings { rule, link, prior, seed, memory: None, head: None };
        let panel = PanelSettings { members, share };
        let fields = fields.as_slice()?.to_vec();
        let precision = match dtype {
            "float32" => Precision::Single(
                engine::panel::panel(settings, panel, size, fields).map_err(raise)?,
            ),
            "float64" => Precision::Double(
                engine::panel::panel(settings, panel, size, fields).map_err(raise)?,
            ),
            other => return Err(no_dtype(other)),
        };
        Ok(Model { precision, names: keeps_names.then(Mutex::default) })
    }

    /// For a panel: the members' weights; the sums of their losses, and of the panel's; and both
    /// as they were after so many rows.
    fn trust(&self, py: Python<'_>) -> Option<Trusted> {
        let trust = with!(self, |model| py.detach(|| model.trust()))?;
        let marks = trust.marks().iter();
        let marks = marks.map(|mark| (mark.rows, mark.weights.clone(), mark.losses.clone()));
        Some((trust.weights().to_vec(), trust.losses().to_vec(), marks.collect()))
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
        let (link, memory, head) = (link(link_name)?, None, None);
        let settings = Settings { rule: rule.choice, link, prior, seed: 0, memory, head };
        let form = batch.map_or(Form::Covariance, Form::Precision);
        Ok(Model {
            precision: build!(dtype, DenseLearner::new(settings, &priors, form)),
            names: None,
        })
    }

    /// Where names are kept, those told with the rows are kept once the rows are learned.
    #[pyo3(signature = (rows, columns, labels, weights, new_names=None))]
    fn learn<'py>(
        &self,
        py: Python<'py>,
        rows: RowArrays<'py>,
        columns: usize,
        labels: PyReadonlyArray1<'py, i8>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
        new_names: Option<Vec<(u32, String)>>,
    ) -> PyResult<Vector<'py>> {
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let predictions = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let given = arrays.given()?;
            let new_names = new_names.unwrap_or_default();
            py.detach(|| {
                self.learn_rows(
                    model.as_ref(),
                    &Rows::of(given)?,
                    columns,
                    labels,
                    weights,
                    new_names,
                )
            })
        });
        Ok(predictions.map_err(raise)?.into_pyarray(py))
    }

    fn predict<'py>(&self, py: Python<'py>, rows: RowArrays<'py>) -> PyResult<Vector<'py>> {
        let predictions = with!(self, |model| {
            let arrays = Arrays::new(rows)?;
            let given = arrays.given()?;
            py.detach(|| model.predict(&Rows::of(given)?))
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
            let given = arrays.given()?;
            py.detach(|| model.predict_logit(&Rows::of(given)?))
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
            let given = arrays.given()?;
            py.detach(|| model.interval(&Rows::of(given)?, level))
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
            let given = arrays.given()?;
            py.detach(|| model.sample(&Rows::of(given)?, seed))
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

    /// The features whose beliefs are not the prior, and both numbers of their beliefs.
    fn touched<'py>(&self, py: Python<'py>) -> PyResult<Touched<'py>> {
        with!(self, |model| {
            let touched = py.detach(|| model.touched()).map_err(raise)?;
            Ok((
                touched.features.into_pyarray(py),
                touched.mean.into_pyarray(py).into_any(),
                touched.second.into_pyarray(py).into_any(),
            ))
        })
    }

    /// Where names are kept: the names of features, and how many rows were learned with each.
    fn named(
        &self,
        py: Python<'_>,
        features: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Option<Named>> {
        let features = features.as_slice()?;
        Ok(py.detach(|| {
            let names = self.names.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
            let named =
                features.iter().map(|&f| (names.name(f).map(str::to_string), names.rows(f)));
            Some(named.unzip())
        }))
    }

    #[getter]
    fn keeps_names(&self) -> bool {
        self.names.is_some()
    }

    /// Writes a model file, with notes of the caller's in it. The file is replaced as a whole.
    fn save(&self, py: Python<'_>, path: PathBuf, notes: Notes) -> PyResult<()> {
        let written = py.detach(|| {
            with!(self, |model| self.write(model.as_ref(), notes, |contents| contents.save(&path)))
        });
        written.map_err(|problem| raise_file(&path, &problem))
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>, notes: Notes) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            with!(self, |model| self.write(model.as_ref(), notes, |contents| contents.to_bytes()))
        });
        Ok(PyBytes::new(py, &bytes.map_err(|problem| raise_problem(&problem))?))
    }

    /// The model of a file, and the file's description in JSON.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Self, String)> {
        py.detach(|| {
            let (contents, description) = AnyContents::load(&path)?;
            Ok((Model::of(contents)?, description))
        })
        .map_err(|problem| raise_file(&path, &problem))
    }

    /// The model of a file's bytes, and the file's description in JSON.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, content: &[u8]) -> PyResult<(Self, String)> {
        py.detach(|| {
            let (contents, description) = AnyContents::from_bytes(content)?;
            Ok((Model::of(contents)?, description))
        })
        .map_err(|problem| raise_problem(&problem))
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
