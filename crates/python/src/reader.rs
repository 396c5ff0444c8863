use crate::arrays::raise;
use crate::encoder::{Encoded, Encoder, arrays, is_single};
use lapwing_engine::Real;
use lapwing_engine::stream::{self, Cuts, Format, Options, Progress, Source, StreamError};
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

/// So long Ctrl-C may wait while nothing comes.
const PATIENCE: Duration = Duration::from_millis(100);

/// The rows of files, piece by piece, read by a thread of the engine.
#[pyclass(frozen, module = "lapwing._core")]
pub struct Reader {
    precision: Precision,
}

enum Precision {
    Single(Mutex<stream::Reader<f32>>),
    Double(Mutex<stream::Reader<f64>>),
}

/// Rows; labels and weights; the encoder after them, where features have names; and the progress.
type Piece<'py> = (
    Encoded<'py>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<f64>>,
    Option<Encoder>,
    ProgressTuple,
);
/// Bytes read, bytes in all, rows, bad rows, and what was wrong with the first of them.
type ProgressTuple = (u64, Option<u64>, u64, u64, Option<String>);

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (paths, format_name, encoder, label, rows, cuts, learns, skip_bad_rows, dtype))]
    #[expect(clippy::too_many_arguments, reason = "a stream is described by as many")]
    fn new(
        paths: Vec<PathBuf>,
        format_name: Option<&str>,
        encoder: &Encoder,
        label: Option<String>,
        rows: usize,
        cuts: (u64, u64),
        learns: bool,
        skip_bad_rows: bool,
        dtype: &str,
    ) -> PyResult<Self> {
        let format = format_name.map(|name| Format::named(name).ok_or_else(|| no_format(name)));
        let encoder = encoder.encoder.clone();
        let (first, every) = cuts;
        let cuts = Cuts { first, every };
        let format = format.transpose()?;
        let options = Options { format, encoder, rows, cuts, skip_bad_rows, learns, label };
        let sources = paths.into_iter().map(Source::new).collect();
        let precision = if is_single(dtype)? {
            Precision::Single(reader(sources, options)?)
        } else {
            Precision::Double(reader(sources, options)?)
        };
        Ok(Reader { precision })
    }

    /// The next piece, if there is one.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Piece<'py>>> {
        match &self.precision {
            Precision::Single(reader) => next(py, reader),
            Precision::Double(reader) => next(py, reader),
        }
    }
}

fn no_format(name: &str) -> PyErr {
    PyValueError::new_err(format!("there is no text format {name:?}"))
}

fn reader<T: Real>(sources: Vec<Source>, options: Options) -> PyResult<Mutex<stream::Reader<T>>> {
    Ok(Mutex::new(stream::Reader::new(sources, options).map_err(raise_stream)?))
}

fn next<'py, T: Real + Element>(
    py: Python<'py>,
    reader: &Mutex<stream::Reader<T>>,
) -> PyResult<Option<Piece<'py>>> {
    let poll = || reader.lock().unwrap_or_else(PoisonError::into_inner).poll(PATIENCE);
    let piece = loop {
        py.check_signals()?;
        if let Poll::Ready(next) = py.detach(poll) {
            break next.transpose().map_err(raise_stream)?;
        }
    };
    let Some(stream::Piece { mut block, encoder, progress }) = piece else { return Ok(None) };
    let labels = std::mem::take(&mut block.labels).into_pyarray(py);
    let weights = std::mem::take(&mut block.weights).into_pyarray(py);
    let encoder = encoder.map(|encoder| Encoder { encoder });
    let Progress { bytes_read, total_bytes, rows, bad_rows, first_bad } = progress;
    let progress = (bytes_read, total_bytes, rows, bad_rows, first_bad);
    Ok(Some((arrays(py, block), labels, weights, encoder, progress)))
}

/// The engine's sentence, as the exception that Python's own files raise.
fn raise_stream(error: StreamError) -> PyErr {
    let sentence = error.to_string();
    match error {
        StreamError::Missing { .. } => PyFileNotFoundError::new_err(sentence),
        StreamError::Folder { .. } => PyIsADirectoryError::new_err(sentence),
        StreamError::Io { error, .. } if error.kind() == ErrorKind::PermissionDenied => {
            PyPermissionError::new_err(sentence)
        }
        StreamError::Io { .. } => PyOSError::new_err(sentence),
        StreamError::Setting(error) => raise(error),
        _ => PyValueError::new_err(sentence),
    }
}
