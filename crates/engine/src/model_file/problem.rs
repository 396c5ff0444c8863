use super::description::FORMAT;
use crate::error::Error;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a model cannot be read or written; which file it is, the caller knows.
#[derive(Debug, Error)]
pub enum Problem {
    #[error("this cannot be read: {0}")]
    Read(io::Error),

    #[error("this cannot be written: {0}")]
    Write(#[from] io::Error),

    #[error("the folder {} does not exist", .0.display())]
    NoFolder(PathBuf),

    #[error("this path names no file")]
    NoName,

    #[error("this is a folder; a file was expected")]
    Folder,

    #[error("this is neither a file nor a link to one")]
    NotAFile,

    #[error("this file is empty; a Lapwing model was expected")]
    Empty,

    #[error("this is not a Lapwing model")]
    Foreign,

    #[error("this is not a Lapwing model, or one that ends in the middle of its header")]
    NoHeader,

    #[error("this is a safetensors file, but not a Lapwing model")]
    OtherTensors,

    #[error("this model ends early: {found} of its {expected} bytes are here")]
    Truncated { found: u64, expected: u64 },

    #[error("this model has {found} bytes where it should have {expected}")]
    TooLong { found: u64, expected: u64 },

    #[error("this model was altered or damaged: its checksum is another one")]
    Altered,

    #[error(
        "this model has format {format}, written by {written_by}; this version of Lapwing reads \
         format {FORMAT}: upgrade Lapwing"
    )]
    Newer { format: u64, written_by: String },

    #[error("this model is damaged: its description is wrong: {0}")]
    Description(serde_json::Error),

    #[error("this model is damaged: its array {name:?} {wrong}")]
    Array { name: String, wrong: String },

    #[error("this model is damaged: {0}")]
    Contents(#[from] Error),

    #[error("{bytes} bytes do not fit into memory")]
    Memory { bytes: u64 },

    #[error("its description takes {0} bytes, which is too long for a file that can be read")]
    LongDescription(usize),
}

impl Problem {
    pub(super) fn length(found: u64, expected: u64) -> Self {
        match found {
            0 => Problem::Empty,
            _ if found < expected => Problem::Truncated { found, expected },
            _ => Problem::TooLong { found, expected },
        }
    }

    pub(super) fn array(name: &str, wrong: impl Into<String>) -> Self {
        Problem::Array { name: name.to_string(), wrong: wrong.into() }
    }
}
