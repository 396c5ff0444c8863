//! Dicts that come one at a time: what costs more than learning a row is kept between them.

use crate::arrays::raise;
use crate::dicts::put_dict;
use crate::encoder::Encoder;
use crate::model::{Model, Precision};
use lapwing_engine::belief::Packed;
use lapwing_engine::stream::{self, Block, Encoding};
use lapwing_engine::{self as engine, Rows};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A feature's field is remembered, but not those of more keys than this.
const MOST_KEYS: usize = 1 << 16;

#[pyclass(frozen, module = "lapwing._core")]
pub struct SingleRows {
    model: Py<Model>,
    encoder: stream::Encoder,
    /// Taken out while in use: reading a dict may run Python code, which may come back here.
    encoding: Mutex<Option<Encoding>>,
}

#[pymethods]
impl SingleRows {
    #[new]
    fn new(model: Py<Model>, encoder: &Encoder) -> Self {
        SingleRows { model, encoder: encoder.encoder.clone(), encoding: Mutex::new(None) }
    }

    /// Predicts a row, then learns it.
    fn learn(&self, row: &Bound<'_, PyAny>, label: i8, weight: f64) -> PyResult<f64> {
        let model = self.model.bind(row.py()).get();
        match &model.precision {
            Precision::Single(engine) => self.learn_in(engine.as_ref(), model, row, label, weight),
            Precision::Double(engine) => self.learn_in(engine.as_ref(), model, row, label, weight),
        }
    }

    fn predict(&self, row: &Bound<'_, PyAny>) -> PyResult<f64> {
        match &self.model.bind(row.py()).get().precision {
            Precision::Single(engine) => self.predict_in(engine.as_ref(), row),
            Precision::Double(engine) => self.predict_in(engine.as_ref(), row),
        }
    }
}

impl SingleRows {
    fn learn_in<T: Packed>(
        &self,
        engine: &dyn engine::Model<T>,
        model: &Model,
        row: &Bound<'_, PyAny>,
        label: i8,
        weight: f64,
    ) -> PyResult<f64> {
        let (mut block, encoding) = self.read(row)?;
        let new_names = std::mem::take(&mut block.new_names);
        let predictions = with_rows(&block, |rows| {
            model.learn_rows(engine, rows, self.slots(), &[label], Some(&[weight]), new_names)
        })?;
        // Names were told once: an encoding whose row was refused is not used again.
        self.keep(encoding);
        Ok(predictions.first().copied().unwrap_or(f64::NAN))
    }

    fn predict_in<T: Packed>(
        &self,
        engine: &dyn engine::Model<T>,
        row: &Bound<'_, PyAny>,
    ) -> PyResult<f64> {
        let (block, encoding) = self.read(row)?;
        let predictions = with_rows(&block, |rows| engine.predict(rows))?;
        if block.new_names.is_empty() {
            self.keep(encoding);
        }
        Ok(predictions.first().copied().unwrap_or(f64::NAN))
    }

    fn slots(&self) -> usize {
        self.encoder.naming().slots()
    }

    fn read<T: Packed>(&self, row: &Bound<'_, PyAny>) -> PyResult<(Block<T>, Encoding)> {
        let kept = self.encoding.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut encoding = match kept {
            Some(encoding) => encoding,
            None => Encoding::new(self.encoder.clone()).map_err(raise)?,
        };
        let mut block = Block::default();
        put_dict(0, row, &mut encoding, &mut block)?;
        Ok((block, encoding))
    }

    fn keep(&self, encoding: Encoding) {
        if encoding.columns_met() <= MOST_KEYS {
            *self.encoding.lock().unwrap_or_else(PoisonError::into_inner) = Some(encoding);
        }
    }
}

fn with_rows<T: Packed, A>(
    block: &Block<T>,
    answer: impl FnOnce(&Rows<'_, T>) -> Result<A, engine::Error>,
) -> PyResult<A> {
    let rows = Rows::of(block.given()).map_err(raise)?;
    answer(&rows).map_err(raise)
}
