//! A safetensors container: the length of a header, the header in JSON, the arrays one after the
//! other.

use super::Problem;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The bytes of the header's length.
pub const START: u64 = 8;
/// What safetensors allows for a header.
const LONGEST_HEADER: u64 = 100_000_000;
const KEY: &str = "lapwing";
const HASH: &str = "xxh3";
const HASH_BYTES: usize = 8;

/// An array that is to be written, its numbers in little-endian order.
pub struct Tensor<'a> {
    pub name: &'static str,
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub bytes: Cow<'a, [u8]>,
}

/// The same description and arrays give the same bytes.
pub fn write(
    description: &str,
    tensors: &[Tensor<'_>],
    out: &mut dyn Write,
) -> Result<(), Problem> {
    let hash = Tensor {
        name: HASH,
        dtype: Dtype::U8,
        shape: vec![HASH_BYTES],
        bytes: Cow::Borrowed(&[0; HASH_BYTES]),
    };
    let mut infos = Vec::with_capacity(tensors.len() + 1);
    let mut end = 0;
    for tensor in tensors.iter().chain([&hash]) {
        let start = end;
        end += tensor.bytes.len();
        let (dtype, shape) = (tensor.dtype, tensor.shape.clone());
        let info = TensorInfo { dtype, shape, data_offsets: (start, end) };
        infos.push((tensor.name.to_string(), info));
    }
    let words = HashMap::from([(KEY.to_string(), description.to_string())]);
    let metadata = Metadata::new(Some(words), infos).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&metadata).map_err(io::Error::other)?;
    header.resize(header.len().next_multiple_of(START as usize), b' ');
    if header.len() as u64 > LONGEST_HEADER {
        return Err(Problem::LongDescription(description.len()));
    }
    let mut hashed = Hashed { out, hash: Xxh3::new() };
    hashed.write_all(&(header.len() as u64).to_le_bytes())?;
    hashed.write_all(&header)?;
    for tensor in tensors {
        hashed.write_all(&tensor.bytes)?;
    }
    let Hashed { out, hash } = hashed;
    out.write_all(&hash.digest().to_le_bytes())?;
    Ok(())
}

/// Hashes what passes through.
struct Hashed<'a> {
    out: &'a mut dyn Write,
    hash: Xxh3,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The length of the header of a file whose length is given, from its first bytes.
pub fn header_length(bytes: &[u8], file: u64) -> Result<u64, Problem> {
    let Some((length, _)) = bytes.split_first_chunk() else {
        return Err(if bytes.is_empty() { Problem::Empty } else { Problem::Foreign });
    };
    let length = u64::from_le_bytes(*length);
    if length > LONGEST_HEADER {
        return Err(Problem::Foreign);
    }
    if length > file.saturating_sub(START) {
        return Err(Problem::NoHeader);
    }
    Ok(length)
}

/// The length of the file that begins with these bytes, which hold its header.
pub fn whole_length(bytes: &[u8]) -> Result<u64, Problem> {
    let header = bytes.get(START as usize..).unwrap_or_default();
    let length = header.len() as u64 + START;
    let metadata = parse(header)?;
    length.checked_add(metadata.data_len() as u64).ok_or(Problem::Foreign)
}

fn parse(header: &[u8]) -> Result<Metadata, Problem> {
    // Headers are objects; what else begins with a small number is some other file.
    let metadata: Metadata = serde_json::from_slice(header).map_err(|_| Problem::Foreign)?;
    match metadata.metadata().as_ref().and_then(|words| words.get(KEY)) {
        Some(_) => Ok(metadata),
        None => Err(Problem::OtherTensors),
    }
}

/// A container in memory whose lengths all agree.
pub struct Container<'a> {
    metadata: Metadata,
    bytes: &'a [u8],
    arrays: &'a [u8],
    unread: RefCell<BTreeSet<String>>,
}

impl<'a> Container<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, Problem> {
        let found = bytes.len() as u64;
        // Within the bytes, so it fits.
        let end = (START + header_length(bytes, found)?) as usize;
        let (head, arrays) = bytes.split_at_checked(end).ok_or(Problem::Foreign)?;
        let expected = whole_length(head)?;
        if found != expected {
            return Err(Problem::length(found, expected));
        }
        let metadata = parse(&head[START as usize..])?;
        let mut unread: BTreeSet<String> = metadata.offset_keys().into_iter().collect();
        unread.remove(HASH);
        Ok(Container { metadata, bytes, arrays, unread: RefCell::new(unread) })
    }

    pub fn description(&self) -> Result<&str, Problem> {
        let words = self.metadata.metadata().as_ref();
        words.and_then(|words| words.get(KEY)).map(String::as_str).ok_or(Problem::OtherTensors)
    }

    /// The hash is the last array, of everything before it.
    pub fn check_hash(&self) -> Result<(), Problem> {
        let end = self.arrays.len();
        let place = self.metadata.info(HASH).map(|info| info.data_offsets);
        if place != end.checked_sub(HASH_BYTES).map(|start| (start, end)) {
            return Err(Problem::Altered);
        }
        match self.bytes.split_last_chunk() {
            Some((hashed, hash)) if u64::from_le_bytes(*hash) == xxh3_64(hashed) => Ok(()),
            _ => Err(Problem::Altered),
        }
    }

    /// The bytes of an array that is of this type and shape.
    pub fn array(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&'a [u8], Problem> {
        let info = self.info(name)?;
        if info.dtype != dtype {
            let wrong = format!("is of type {}; it must be {dtype}", info.dtype);
            return Err(Problem::array(name, wrong));
        }
        if info.shape != shape {
            let wrong = format!("has shape {:?}; it must be {shape:?}", info.shape);
            return Err(Problem::array(name, wrong));
        }
        let place = Range { start: info.data_offsets.0, end: info.data_offsets.1 };
        self.unread.borrow_mut().remove(name);
        self.arrays.get(place).ok_or_else(|| Problem::array(name, "is outside of the file"))
    }

    /// The length of an array of one dimension.
    pub fn length(&self, name: &str) -> Result<usize, Problem> {
        let shape = &self.info(name)?.shape;
        match shape[..] {
            [length] => Ok(length),
            _ => Err(Problem::array(name, format!("has {} dimensions instead of 1", shape.len()))),
        }
    }

    fn info(&self, name: &str) -> Result<&TensorInfo, Problem> {
        self.metadata.info(name).ok_or_else(|| Problem::array(name, "is missing"))
    }

    /// A file that holds more than was asked for is none of ours.
    pub fn check_all_read(&self) -> Result<(), Problem> {
        match self.unread.borrow().first() {
            Some(name) => Err(Problem::array(name, "does not belong to it")),
            None => Ok(()),
        }
    }
}
