use super::criteo::{Criteo, FIELDS, INTEGERS};
use super::csv::{Csv, is_csv};
use super::error::StreamError;
use super::number::number;
use super::parser::{Parser, shown};
use super::reader::Options;
use super::svmlight::Svmlight;
use super::vw::Vw;
use super::{Namer, Source};
use crate::error::Error;
use crate::real::Real;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Vw,
    Svmlight,
    Criteo,
    Csv,
}

const KNOWN: [(&str, Format); 4] = [
    ("vw", Format::Vw),
    ("svmlight", Format::Svmlight),
    ("criteo", Format::Criteo),
    ("csv", Format::Csv),
];

impl Format {
    pub fn named(name: &str) -> Option<Format> {
        KNOWN.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    pub fn name(self) -> &'static str {
        KNOWN.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Whether features have names, rather than numbers.
    pub fn is_named(self) -> bool {
        self != Format::Svmlight
    }

    /// Told by the first lines, or by what the file is called.
    pub fn detect(source: &Source, start: &[u8]) -> Result<Format, StreamError> {
        match by_name(source.path()) {
            // Criteo's files are tab-separated too, and have no header.
            Some(Format::Csv)
                if start.split(|&byte| byte == b'\n').next().is_some_and(is_criteo) =>
            {
                return Ok(Format::Criteo);
            }
            Some(format) => return Ok(format),
            None => {}
        }
        let lines =
            start.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let lines: Vec<&[u8]> = lines
            .filter(|line| !line.trim_ascii().is_empty() && line[0] != b'#')
            .take(20)
            .collect();
        if is_csv(lines.iter().copied()) {
            return Ok(Format::Csv);
        }
        lines.iter().copied().find_map(by_line).ok_or_else(|| StreamError::UnknownFormat {
            name: source.name(),
            text: shown(lines.first().copied().unwrap_or_default()),
            known: "vw, svmlight, criteo, csv",
        })
    }

    /// A reader of lines of this format.
    pub fn parser<T: Real>(self, options: &Options) -> Result<Box<dyn Parser<T>>, Error> {
        let namer = Namer::new(options.encoder.naming())?;
        Ok(match self {
            Format::Vw => Box::new(Vw::new(namer)),
            Format::Svmlight => Box::new(Svmlight::default()),
            Format::Criteo => Box::new(Criteo::new(namer, options.learns)),
            Format::Csv => {
                let (encoder, label) = (options.encoder.clone(), options.label.clone());
                Box::new(Csv::new(encoder, label, options.learns))
            }
        })
    }
}

fn by_name(path: &Path) -> Option<Format> {
    let extension = |path: &Path| path.extension().map(|e| e.to_ascii_lowercase());
    let compressed = extension(path).is_some_and(|e| e == "gz" || e == "zst");
    let inner = if compressed { path.file_stem().map(Path::new)? } else { path };
    match extension(inner)?.to_str()? {
        "vw" => Some(Format::Vw),
        "csv" | "tsv" => Some(Format::Csv),
        "svm" | "svmlight" | "libsvm" => Some(Format::Svmlight),
        _ => None,
    }
}

fn by_line(line: &[u8]) -> Option<Format> {
    if is_criteo(line) {
        Some(Format::Criteo)
    } else if is_svmlight(line) {
        Some(Format::Svmlight)
    } else if line.contains(&b'|') {
        Some(Format::Vw)
    } else {
        None
    }
}

fn is_criteo(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
    let first = match cells.len().checked_sub(FIELDS) {
        Some(first @ (0 | 1)) => first,
        _ => return false,
    };
    let whole = |cell: &&[u8]| {
        cell.is_empty() || std::str::from_utf8(cell).is_ok_and(|c| c.parse::<i64>().is_ok())
    };
    cells[..first + INTEGERS].iter().all(whole)
}

/// At least one `feature:value`, and nothing else but the label.
fn is_svmlight(line: &[u8]) -> bool {
    let content = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let words = content.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let pairs =
        words.enumerate().map(|(place, word)| match word.iter().position(|&byte| byte == b':') {
            None => place == 0 && number(word).is_some(),
            Some(colon) => {
                let name = &word[..colon];
                (name == b"qid" || name.iter().all(u8::is_ascii_digit))
                    && number(&word[colon + 1..]).is_some()
            }
        });
    content.contains(&b':') && pairs.fold(true, |all, good| all & good)
}
