//! Models as files and as bytes.

use lapwing_engine::model_file::{Problem, replace_file};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyMemoryError, PyOSError, PyPermissionError,
    PyValueError,
};
use pyo3::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// The engine's sentence, as the exception that Python's own files raise.
pub fn raise_file(path: &Path, problem: &Problem) -> PyErr {
    exception(problem, format!("{}: {problem}", path.display()))
}

/// The same for what came from no file.
pub fn raise_problem(problem: &Problem) -> PyErr {
    exception(problem, problem.to_string())
}

fn exception(problem: &Problem, sentence: String) -> PyErr {
    match problem {
        Problem::Read(error) | Problem::Write(error) => match error.kind() {
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(sentence),
            io::ErrorKind::PermissionDenied => PyPermissionError::new_err(sentence),
            _ => PyOSError::new_err(sentence),
        },
        Problem::NoFolder(_) => PyFileNotFoundError::new_err(sentence),
        Problem::Folder => PyIsADirectoryError::new_err(sentence),
        Problem::NotAFile | Problem::NoName => PyOSError::new_err(sentence),
        Problem::Memory { .. } | Problem::Contents(lapwing_engine::Error::Memory { .. }) => {
            PyMemoryError::new_err(sentence)
        }
        _ => PyValueError::new_err(sentence),
    }
}

/// Writes a file that is there as a whole or not at all.
#[pyfunction]
pub fn replace(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    let written = py.detach(|| replace_file(&path, |out| Ok(out.write_all(content)?)));
    written.map_err(|problem| raise_file(&path, &problem))
}
