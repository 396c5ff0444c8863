use super::lines::LONGEST_LINE;
use super::parser::LineError;
use crate::error::Error;
use std::io;
use thiserror::Error;

/// What stops a stream, as sentences for the user, with file and line. Lines are counted from 1.
#[derive(Debug, Error)]
pub enum StreamError {
    #[error("{name}: there is no such file")]
    Missing { name: String },

    #[error("{name} is a folder; give the files in it")]
    Folder { name: String },

    #[error("{name} is empty: there are no rows in it")]
    Empty { name: String },

    #[error("{name} has no rows{first}")]
    NoRows { name: String, first: String },

    #[error("{name} is {what}; {remedy}")]
    NotText { name: String, what: &'static str, remedy: &'static str },

    #[error("{name} begins with {text}, which is no line of {known}; if it is, name the format")]
    UnknownFormat { name: String, text: String, known: &'static str },

    #[error("{name}, line {line}: {error}")]
    Line { name: String, line: u64, error: LineError },

    #[error(
        "{name}, line {line}: the label is {label}, but {earlier} has {other}; the labels of a \
         stream are 0 and 1, or -1 and 1"
    )]
    MixedLabels {
        name: String,
        line: u64,
        label: &'static str,
        other: &'static str,
        earlier: String,
    },

    #[error(
        "{name}, line {line}: the line is longer than {limit} MiB; is this a text file of rows?",
        limit = LONGEST_LINE >> 20
    )]
    LongLine { name: String, line: u64 },

    #[error("{name}, line {line}: the {kind} data end in the middle")]
    Cut { name: String, line: u64, kind: &'static str },

    #[error("{name}, line {line}: the {kind} data are damaged ({reason})")]
    Damaged { name: String, line: u64, kind: &'static str, reason: String },

    #[error("{name}: {error}")]
    Io { name: String, error: io::Error },

    #[error(transparent)]
    Setting(#[from] Error),

    #[error("there are no files to read")]
    NoFiles,

    #[error("the thread that reads {name} ended unexpectedly; this is a fault of Lapwing")]
    Thread { name: String },
}
