use crate::arrays::raise;
use crate::dicts::put_dict;
use crate::label::Label;
use crate::table::ColumnArrays;
use lapwing_engine::Real;
use lapwing_engine::stream::{self, Array, Block, Choice, Encoding, Naming, encode_table};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How a model's names become numbers, and what its columns have shown. It never changes: what has
/// moved on is another one.
#[pyclass(frozen, eq, module = "lapwing._core")]
#[derive(PartialEq)]
pub struct Encoder {
    pub encoder: stream::Encoder,
}

/// Row starts, features, values, fields of features, and names that came for the first time.
pub type Encoded<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyAny>,
    Bound<'py, PyArray1<u32>>,
    Vec<(u32, String)>,
);

#[pymethods]
impl Encoder {
    #[new]
    fn new(bits: u32, crosses: Vec<Vec<String>>, keeps_names: bool) -> PyResult<Self> {
        let naming = Naming { bits, crosses, keeps_names };
        Ok(Encoder { encoder: stream::Encoder::new(naming).map_err(raise)? })
    }

    #[staticmethod]
    fn from_json(json: &str) -> PyResult<Self> {
        Ok(Encoder { encoder: stream::Encoder::from_json(json).map_err(raise)? })
    }

    fn to_json(&self) -> PyResult<String> {
        self.encoder.to_json().map_err(raise)
    }

    #[getter]
    fn bits(&self) -> u32 {
        self.encoder.naming().bits
    }

    #[getter]
    fn crosses(&self) -> Vec<Vec<String>> {
        self.encoder.naming().crosses.clone()
    }

    #[getter]
    fn keeps_names(&self) -> bool {
        self.encoder.naming().keeps_names
    }

    /// Whether named rows were learned with it.
    #[getter]
    fn is_in_use(&self) -> bool {
        self.encoder.is_in_use()
    }

    /// Where the label came from: a column or a comparison.
    #[getter]
    fn label(&self) -> Option<&str> {
        self.encoder.label()
    }

    /// The label of a stream with these columns; none where rows are only predicted and have none.
    #[pyo3(signature = (wanted, columns, learns))]
    fn find_label(
        &self,
        wanted: Option<&str>,
        columns: Vec<String>,
        learns: bool,
    ) -> PyResult<Option<Label>> {
        let found = self.encoder.find_label(wanted, &columns, learns).map_err(raise)?;
        Ok(found.map(|(_, label)| label.into()))
    }

    /// Those of these columns that are features: neither the label's nor left out by choice.
    fn features_among(&self, columns: Vec<String>, learns: bool) -> PyResult<Vec<String>> {
        let places = self.encoder.features_among(&columns, learns).map_err(raise)?;
        Ok(places.into_iter().map(|place| columns[place].clone()).collect())
    }

    /// Only these columns are features, or all but those.
    fn with_choice(&self, only: Option<Vec<String>>, all_but: Vec<String>) -> Self {
        let choice = match only {
            Some(only) => Choice::Only(only.into_iter().filter(|c| !all_but.contains(c)).collect()),
            None if all_but.is_empty() => Choice::All,
            None => Choice::AllBut(all_but),
        };
        Encoder { encoder: self.encoder.clone().with_choice(choice) }
    }

    fn in_use(&self) -> Self {
        Encoder { encoder: self.encoder.clone().in_use() }
    }

    fn with_label(&self, label: &str) -> Self {
        Encoder { encoder: self.encoder.clone().with_label(label) }
    }

    fn with_categories(&self, columns: Vec<String>) -> Self {
        let columns = columns.iter().map(String::as_str);
        Encoder { encoder: self.encoder.clone().with_categories(columns) }
    }

    fn is_category(&self, column: &str) -> bool {
        self.encoder.is_category(column)
    }

    /// Rows of a table, and the encoder after those of them that are learned (without `learned`,
    /// all).
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<(String, ColumnArrays<'py>)>,
        rows: usize,
        learned: Option<PyReadonlyArray1<'py, bool>>,
        dtype: &str,
    ) -> PyResult<(Encoded<'py>, Encoder)> {
        let array = |(name, arrays)| Ok((String::as_str(name), ColumnArrays::array(arrays)?));
        let columns: PyResult<Vec<(&str, Array<'_>)>> =
            columns.iter().map(|(name, arrays)| array((name, arrays))).collect();
        let columns = columns?;
        let learned = learned.as_ref().map(|learned| learned.as_slice()).transpose()?;
        let mut encoding = Encoding::new(self.encoder.clone()).map_err(raise)?;
        let encoded = if is_single(dtype)? {
            let block = py.detach(|| encode_table::<f32>(&columns, rows, learned, &mut encoding));
            arrays(py, block.map_err(raise)?)
        } else {
            let block = py.detach(|| encode_table::<f64>(&columns, rows, learned, &mut encoding));
            arrays(py, block.map_err(raise)?)
        };
        Ok((encoded, Encoder { encoder: encoding.encoder() }))
    }

    /// Rows that name their features themselves: they move no column.
    fn dicts<'py>(
        &self,
        py: Python<'py>,
        rows: Vec<Bound<'py, PyAny>>,
        dtype: &str,
    ) -> PyResult<Encoded<'py>> {
        let mut encoding = Encoding::new(self.encoder.clone()).map_err(raise)?;
        if is_single(dtype)? {
            dicts::<f32>(py, &rows, &mut encoding)
        } else {
            dicts::<f64>(py, &rows, &mut encoding)
        }
    }
}

pub fn is_single(dtype: &str) -> PyResult<bool> {
    match dtype {
        "float32" => Ok(true),
        "float64" => Ok(false),
        _ => Err(PyValueError::new_err(format!(
            "dtype is {dtype:?}; it must be \"float32\" or \"float64\""
        ))),
    }
}

fn dicts<'py, T: Real + Element>(
    py: Python<'py>,
    rows: &[Bound<'py, PyAny>],
    encoding: &mut Encoding,
) -> PyResult<Encoded<'py>> {
    let mut block = Block::<T>::default();
    for (number, row) in rows.iter().enumerate() {
        put_dict(number, row, encoding, &mut block)?;
    }
    Ok(arrays(py, block))
}

pub fn arrays<T: Real + Element>(py: Python<'_>, block: Block<T>) -> Encoded<'_> {
    let values = block.values.into_pyarray(py).into_any();
    let (starts, features) = (block.starts.into_pyarray(py), block.features.into_pyarray(py));
    (starts, features, values, block.fields.into_pyarray(py), block.new_names)
}
