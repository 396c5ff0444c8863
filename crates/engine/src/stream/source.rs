//! Where bytes come from: files and standard input, decompressed where they are compressed.

use super::error::StreamError;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const STANDARD_INPUT: &str = "-";

/// A file by its path, or standard input by `-`.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compression {
    None,
    Gzip,
    Zstd,
}

/// An opened source.
pub struct Input {
    pub bytes: Box<dyn Read + Send>,
    pub compression: Compression,
}

impl Source {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Source { path: path.into() }
    }

    pub fn is_standard_input(&self) -> bool {
        self.path == Path::new(STANDARD_INPUT)
    }

    /// As sentences call it.
    pub fn name(&self) -> String {
        if self.is_standard_input() {
            return "standard input".to_string();
        }
        self.path.display().to_string()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is something to open; the bytes on disk, where they can be known.
    pub fn check(&self) -> Result<Option<u64>, StreamError> {
        if self.is_standard_input() {
            return Ok(None);
        }
        let found = std::fs::metadata(&self.path).map_err(|error| self.failure(error))?;
        if found.is_dir() {
            return Err(StreamError::Folder { name: self.name() });
        }
        Ok(Some(found.len()).filter(|_| found.is_file()))
    }

    /// Opens it; what is read is added to `read`, as it is on disk.
    pub fn open(&self, read: Arc<AtomicU64>) -> Result<Input, StreamError> {
        self.check()?;
        let raw: Box<dyn Read + Send> = if self.is_standard_input() {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.path).map_err(|error| self.failure(error))?)
        };
        Input::new(Counted { raw, read }).map_err(|error| self.failure(error))
    }

    pub fn failure(&self, error: io::Error) -> StreamError {
        let name = self.name();
        match error.kind() {
            ErrorKind::NotFound => StreamError::Missing { name },
            ErrorKind::IsADirectory => StreamError::Folder { name },
            _ => StreamError::Io { name, error },
        }
    }

    /// What a failure in the middle means, at a line.
    pub fn failure_at(&self, line: u64, compression: Compression, error: io::Error) -> StreamError {
        let kind = match compression {
            Compression::None => return self.failure(error),
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        };
        let name = self.name();
        match error.kind() {
            ErrorKind::UnexpectedEof => StreamError::Cut { name, line, kind },
            _ => StreamError::Damaged { name, line, kind, reason: error.to_string() },
        }
    }
}

impl Input {
    /// Decompresses what begins like gzip or zstd, whatever it is called.
    pub fn new(mut raw: impl Read + Send + 'static) -> io::Result<Self> {
        let mut magic = Vec::with_capacity(4);
        raw.by_ref().take(4).read_to_end(&mut magic)?;
        let compression = match magic[..] {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
            // A skippable frame, which may stand before the others.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Compression::Zstd,
            _ => Compression::None,
        };
        let whole = Cursor::new(magic).chain(raw);
        const CHUNK: usize = 1 << 17;
        let bytes: Box<dyn Read + Send> = match compression {
            Compression::None => Box::new(whole),
            Compression::Gzip => {
                Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(CHUNK, whole)))
            }
            Compression::Zstd => {
                let buffered = io::BufReader::with_capacity(CHUNK, whole);
                Box::new(zstd::stream::read::Decoder::with_buffer(buffered)?)
            }
        };
        Ok(Input { bytes, compression })
    }
}

/// Counts what is read.
struct Counted<R> {
    raw: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.raw.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
