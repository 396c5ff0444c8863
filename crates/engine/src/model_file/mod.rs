//! Model files: one safetensors container, of arrays that any tool can open and of nothing that can
//! execute.
//!
//! The arrays are the beliefs that differ from the prior (`feature`, `mean`, and `variance` or, for
//! AdaGrad, `squared_gradients`), or all of them with their `covariance` or `precision` matrix; the
//! dictionary of names, if there is one; and the last eight bytes are the hash of all bytes before
//! them, so that a change anywhere is found. A description in JSON says the rest
//! ([`description`]).

mod arrays;
mod container;
pub mod description;
mod panel;
mod problem;
mod replace;
#[cfg(test)]
mod tests;

pub use problem::Problem;
pub use replace::replace_file;

use crate::belief::Packed;
use crate::names::Names;
use crate::state::State;
use arrays::{beliefs_of, names_of, tensors};
use container::Container;
use description::{Description, Precision};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Contents<'a, T> {
    pub state: State<T>,
    pub names: Option<Cow<'a, Names>>,
    /// What those who use the engine keep with a model, in words of their own.
    pub notes: BTreeMap<String, String>,
}

/// In whichever precision the file is.
#[derive(Clone, Debug)]
pub enum AnyContents {
    Single(Contents<'static, f32>),
    Double(Contents<'static, f64>),
}

impl<T: Stored> Contents<'_, T> {
    /// Refuses to write what could not be read again.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Problem> {
        self.state.check()?;
        let description = Description::of(self).to_json()?;
        container::write(&description, &tensors(self), out)
    }

    pub fn to_bytes(&self) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// A crash leaves the old file or the whole new one.
    pub fn save(&self, path: &Path) -> Result<(), Problem> {
        replace_file(path, |out| self.write(out))
    }
}

impl<T: Stored> Contents<'static, T> {
    fn read(container: &Container<'_>, description: Description) -> Result<Self, Problem> {
        let (settings, rows_learned) = (description.settings, description.rows_learned);
        let beliefs = beliefs_of(container, &description)?;
        let state = State { settings, rows_learned, beliefs };
        // The names take room by the size of the table, which is checked here.
        state.check()?;
        let names = names_of(container, &description)?;
        container.check_all_read()?;
        Ok(Contents { state, names: names.map(Cow::Owned), notes: description.notes })
    }
}

impl AnyContents {
    /// The contents, and the description as it is in the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, String), Problem> {
        let container = Container::read(bytes)?;
        let text = container.description()?;
        Description::check_format(text)?;
        container.check_hash()?;
        let description = Description::from_json(text)?;
        let contents = match description.dtype {
            Precision::Float32 => AnyContents::Single(Contents::read(&container, description)?),
            Precision::Float64 => AnyContents::Double(Contents::read(&container, description)?),
        };
        Ok((contents, text.to_string()))
    }

    pub fn load(path: &Path) -> Result<(Self, String), Problem> {
        Self::from_bytes(&read_whole(path)?)
    }
}

/// The bytes of a file that says of itself, in its header, how long it is.
fn read_whole(path: &Path) -> Result<Vec<u8>, Problem> {
    let mut file = File::open(path).map_err(Problem::Read)?;
    let kind = file.metadata().map_err(Problem::Read)?;
    if kind.is_dir() {
        return Err(Problem::Folder);
    }
    if !kind.is_file() {
        return Err(Problem::NotAFile);
    }
    let mut bytes = Vec::new();
    take(&mut file, container::START, &mut bytes)?;
    take(&mut file, container::header_length(&bytes, kind.len())?, &mut bytes)?;
    let length = container::whole_length(&bytes)?;
    if length != kind.len() {
        return Err(Problem::length(kind.len(), length));
    }
    take(&mut file, length - bytes.len() as u64, &mut bytes)?;
    Ok(bytes)
}

fn take(file: &mut File, length: u64, bytes: &mut Vec<u8>) -> Result<(), Problem> {
    let room = usize::try_from(length).ok().and_then(|n| bytes.try_reserve_exact(n).ok());
    room.ok_or(Problem::Memory { bytes: length })?;
    file.take(length).read_to_end(bytes).map_err(Problem::Read)?;
    Ok(())
}

/// A precision that files know.
pub trait Stored: Packed + arrays::Number {
    const PRECISION: Precision;
}

impl Stored for f32 {
    const PRECISION: Precision = Precision::Float32;
}

impl Stored for f64 {
    const PRECISION: Precision = Precision::Float64;
}
