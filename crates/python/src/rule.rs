use lapwing_engine::{MeanForm, RuleChoice, VarianceForm};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A rule of the engine. `lapwing.rules` has a class for each.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Rule {
    pub choice: RuleChoice,
}

#[pymethods]
impl Rule {
    #[staticmethod]
    fn gauss(variance: &str) -> PyResult<Rule> {
        let variance = variance_form(variance)?;
        Ok(Rule { choice: RuleChoice::Gauss { variance } })
    }

    #[staticmethod]
    fn approx(variance: &str) -> PyResult<Rule> {
        let variance = variance_form(variance)?;
        Ok(Rule { choice: RuleChoice::Approx { variance } })
    }

    #[staticmethod]
    fn dim_gauss(mean: &str) -> PyResult<Rule> {
        let mean = mean_form(mean)?;
        Ok(Rule { choice: RuleChoice::DimGauss { mean } })
    }

    #[staticmethod]
    fn adf() -> Rule {
        Rule { choice: RuleChoice::Adf }
    }

    #[staticmethod]
    fn moments() -> Rule {
        Rule { choice: RuleChoice::Moments }
    }

    #[staticmethod]
    fn vb(samples: usize, mean: &str, tolerance: f64, iterations: usize) -> PyResult<Rule> {
        let mean = mean_form(mean)?;
        Ok(Rule { choice: RuleChoice::Vb { samples, mean, tolerance, iterations } })
    }

    #[staticmethod]
    fn two_point() -> Rule {
        Rule { choice: RuleChoice::TwoPoint }
    }

    #[staticmethod]
    fn least_squares() -> Rule {
        Rule { choice: RuleChoice::LeastSquares }
    }

    #[staticmethod]
    fn ada_grad(learning_rate: f64, epsilon: f64) -> Rule {
        Rule { choice: RuleChoice::AdaGrad { learning_rate, epsilon } }
    }
}

fn variance_form(name: &str) -> PyResult<VarianceForm> {
    match name {
        "laplace" => Ok(VarianceForm::Laplace),
        "height" => Ok(VarianceForm::Height),
        _ => Err(PyValueError::new_err(format!(
            "variance is {name:?}; it must be \"laplace\" or \"height\""
        ))),
    }
}

fn mean_form(name: &str) -> PyResult<MeanForm> {
    match name {
        "newton" => Ok(MeanForm::Newton),
        "taylor" => Ok(MeanForm::Taylor),
        _ => Err(PyValueError::new_err(format!(
            "mean is {name:?}; it must be \"newton\" or \"taylor\""
        ))),
    }
}
