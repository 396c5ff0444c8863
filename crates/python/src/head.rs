use lapwing_engine::{HeadForm, HeadSettings, Prior};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A head of the engine. `lapwing.Head` describes it.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Head {
    pub settings: HeadSettings,
}

#[pymethods]
impl Head {
    #[new]
    #[pyo3(signature = (form, scale_variance, bias_variance, memory))]
    fn new(
        form: &str,
        scale_variance: f64,
        bias_variance: f64,
        memory: Option<f64>,
    ) -> PyResult<Self> {
        let form = match form {
            "scale" => HeadForm::Scale,
            "fields" => HeadForm::Fields,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "head is {form:?}; it must be \"scale\" or \"fields\""
                )));
            }
        };
        Ok(Head { settings: HeadSettings { form, scale_variance, bias_variance, memory } })
    }
}

/// A member of a panel. `lapwing.Member` describes it.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Member {
    pub settings: lapwing_engine::Member,
}

#[pymethods]
impl Member {
    #[new]
    #[pyo3(signature = (prior_mean, prior_variance, memory, head))]
    fn new(prior_mean: f64, prior_variance: f64, memory: Option<f64>, head: Option<&Head>) -> Self {
        let prior = Prior { mean: prior_mean, variance: prior_variance };
        let head = head.map(|head| head.settings);
        Member { settings: lapwing_engine::Member { prior, memory, head } }
    }
}
