//! Files that are no text of rows.

use super::Source;
use super::error::StreamError;

const DECOMPRESS: &str = "decompress it first; gzip and zstd are read as they are";
const TEXT: &str = "expected text with a row on every line";
const AS_UTF8: &str = "write it as UTF-8";

/// How files of other kinds begin.
const KINDS: [(&[u8], &str, &str); 9] = [
    (b"PAR1", "a Parquet file", "name it with format=\"parquet\""),
    (b"PK\x03\x04", "a zip archive", DECOMPRESS),
    (b"BZh", "compressed by bzip2", DECOMPRESS),
    (b"\xfd7zXZ\0", "compressed by xz", DECOMPRESS),
    (b"ARROW1", "an Arrow file", TEXT),
    (b"%PDF", "a PDF", TEXT),
    (b"\x89PNG", "a picture", TEXT),
    (b"\xff\xfe", "text in UTF-16", AS_UTF8),
    (b"\xfe\xff", "text in UTF-16", AS_UTF8),
];

/// The beginning of a file behind its byte order mark, if it looks like text.
pub fn text<'a>(source: &Source, start: &'a [u8]) -> Result<&'a [u8], StreamError> {
    let refuse = |what, remedy| Err(StreamError::NotText { name: source.name(), what, remedy });
    if let Some((_, what, remedy)) = KINDS.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return refuse(what, remedy);
    }
    if is_binary(start) {
        return refuse("a binary file", TEXT);
    }
    Ok(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start))
}

/// A stray control character or two may be a slip in a text.
fn is_binary(start: &[u8]) -> bool {
    let start = &start[..start.len().min(4096)];
    let odd = start.iter().filter(|&&byte| byte < b'\t' || (14..27).contains(&byte)).count();
    odd >= 8 && odd * 64 > start.len()
}
