//! Files to blocks, on a thread of its own.

use super::cuts::Cuts;
use super::error::StreamError;
use super::lines::{Lines, Obstacle};
use super::parser::{LineError, Parser};
use super::source::Compression;
use super::{Block, Encoder, Format, Source, foreign};
use crate::real::Real;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Poll;
use std::time::Duration;

/// Blocks that wait to be learned while the next one is read: some, for on a busy machine a thread
/// that waits for the other loses its turn.
const AHEAD: usize = 3;
/// A block of fewer rows than asked for ends when it has so many features: memory is bounded
/// whatever the rows are like.
const MOST_FEATURES: usize = 1 << 21;

#[derive(Clone, Debug)]
pub struct Options {
    /// Told by the first lines if not given.
    pub format: Option<Format>,
    /// What the model knows about names and columns before the first row.
    pub encoder: Encoder,
    /// Rows of a block.
    pub rows: usize,
    /// Where blocks end before they are full.
    pub cuts: Cuts,
    /// Bad lines are counted and passed over.
    pub skip_bad_rows: bool,
    /// Rows are learned: they need labels, and columns move on with them. If not, they are
    /// predicted, every one by what the encoder says.
    pub learns: bool,
    /// The label among the columns, where the format has columns: a name or a comparison.
    pub label: Option<String>,
}

/// Some rows, and how far the stream is after them.
#[derive(Clone, Debug)]
pub struct Piece<T> {
    pub block: Block<T>,
    /// What is known about names and columns after these rows; none where features are numbered.
    pub encoder: Option<Encoder>,
    pub progress: Progress,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// As they are on disk.
    pub bytes_read: u64,
    pub total_bytes: Option<u64>,
    pub rows: u64,
    pub bad_rows: u64,
    /// What was wrong with the first of them.
    pub first_bad: Option<String>,
}

/// The rows of a stream, block by block. Its thread reads ahead; what comes out does not depend on
/// when. Dropping it ends the thread.
pub struct Reader<T> {
    name: String,
    pieces: Receiver<Message<T>>,
    ended: bool,
}

enum Message<T> {
    Piece(Box<Piece<T>>),
    End(Result<(), StreamError>),
}

impl<T: Real> Reader<T> {
    pub fn new(sources: Vec<Source>, options: Options) -> Result<Self, StreamError> {
        let worker = Worker::new(sources, options)?;
        let (sender, pieces) = sync_channel(AHEAD);
        let name = worker.sources.first().map(Source::name).unwrap_or_default();
        let run = move || worker.run(&sender);
        let thread = std::thread::Builder::new().name("lapwing reader".to_string());
        thread.spawn(run).map_err(|error| StreamError::Io { name: name.clone(), error })?;
        Ok(Reader { name, pieces, ended: false })
    }
}

impl<T> Reader<T> {
    /// The next piece, if it comes within this time.
    pub fn poll(&mut self, patience: Duration) -> Poll<Option<Result<Piece<T>, StreamError>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let message = match self.pieces.recv_timeout(patience) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return Poll::Pending,
            // The thread always says how it ended, unless it panicked.
            Err(RecvTimeoutError::Disconnected) => {
                Message::End(Err(StreamError::Thread { name: self.name.clone() }))
            }
        };
        Poll::Ready(match message {
            Message::Piece(piece) => Some(Ok(*piece)),
            Message::End(end) => {
                self.ended = true;
                end.err().map(Err)
            }
        })
    }
}

impl<T> Iterator for Reader<T> {
    type Item = Result<Piece<T>, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Poll::Ready(next) = self.poll(Duration::from_secs(3600)) {
                return next;
            }
        }
    }
}

struct Worker<T> {
    sources: Vec<Source>,
    options: Options,
    parser: Option<Box<dyn Parser<T>>>,
    is_named: bool,
    block: Block<T>,
    read: Arc<AtomicU64>,
    progress: Progress,
    bad_rows_told: u64,
    /// Where a label other than 1 came first.
    first_negative: Option<String>,
}

/// Why reading ends before the stream does.
enum Stop {
    /// Nobody listens any more.
    Dropped,
    Failed(StreamError),
}

impl From<StreamError> for Stop {
    fn from(error: StreamError) -> Self {
        Stop::Failed(error)
    }
}

impl<T: Real> Worker<T> {
    fn new(sources: Vec<Source>, options: Options) -> Result<Self, StreamError> {
        if sources.is_empty() {
            return Err(StreamError::NoFiles);
        }
        let sizes: Result<Vec<Option<u64>>, StreamError> =
            sources.iter().map(Source::check).collect();
        let total_bytes = sizes?.into_iter().sum();
        Ok(Worker {
            sources,
            options,
            parser: None,
            is_named: false,
            block: Block::default(),
            read: Arc::default(),
            progress: Progress { total_bytes, ..Progress::default() },
            bad_rows_told: 0,
            first_negative: None,
        })
    }

    fn run(mut self, sender: &SyncSender<Message<T>>) {
        let end = match self.read_all(sender) {
            Ok(()) => Ok(()),
            Err(Stop::Dropped) => return,
            Err(Stop::Failed(error)) => Err(error),
        };
        // What was read before an error is not lost. Nobody may be listening to either.
        if self.send(sender).is_ok() {
            let _ = sender.send(Message::End(end));
        }
    }

    fn read_all(&mut self, sender: &SyncSender<Message<T>>) -> Result<(), Stop> {
        for source in self.sources.clone() {
            let input = source.open(Arc::clone(&self.read))?;
            let lines = Lines::new(input.bytes);
            self.read_file(&source, lines, input.compression, sender)?;
        }
        match (self.rows(), self.sources.first()) {
            (0, Some(first)) => Err(self.no_rows(first, 0).into()),
            _ => Ok(()),
        }
    }

    fn read_file(
        &mut self,
        source: &Source,
        mut lines: Lines<impl Read>,
        compression: Compression,
        sender: &SyncSender<Message<T>>,
    ) -> Result<(), Stop> {
        let rows_before = self.rows();
        let mut number = 0;
        let mut has_begun = false;
        loop {
            let mut piece = match lines.piece() {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(Obstacle::LongLine) => {
                    number += 1;
                    let error = StreamError::LongLine { name: source.name(), line: number };
                    if !has_begun {
                        return Err(error.into());
                    }
                    self.bad_row(error)?;
                    continue;
                }
                Err(Obstacle::Io(error)) => {
                    return Err(source.failure_at(number + 1, compression, error).into());
                }
            };
            if !has_begun {
                piece = foreign::text(source, piece)?;
                if piece.trim_ascii().is_empty() {
                    number += memchr::memchr_iter(b'\n', piece).count() as u64;
                    continue;
                }
                self.begin(source, piece)?;
                has_begun = true;
            }
            let has_nul = memchr::memchr(0, piece).is_some();
            while !piece.is_empty() {
                let end = memchr::memchr(b'\n', piece).map_or(piece.len(), |end| end + 1);
                let line;
                (line, piece) = piece.split_at(end);
                number += 1;
                let result = match (has_nul.then(|| memchr::memchr(0, line)), &mut self.parser) {
                    (Some(Some(place)), _) => Err(LineError::Nul { column: place + 1 }),
                    (_, Some(parser)) => parser.line(without_end(line), &mut self.block),
                    (_, None) => Ok(()),
                };
                match result {
                    Ok(()) => self.note(source, number),
                    Err(error) if self.expects_header() => {
                        return Err(self.sentence(source, number, error).into());
                    }
                    Err(error) => self.bad_row(self.sentence(source, number, error))?,
                }
                if self.is_piece() {
                    self.send(sender)?;
                }
            }
        }
        if self.rows() == rows_before && !self.options.skip_bad_rows {
            return Err(self.no_rows(source, number).into());
        }
        Ok(())
    }

    /// All files of a stream have the first one's format.
    fn begin(&mut self, source: &Source, piece: &[u8]) -> Result<(), StreamError> {
        let parser = match self.parser.take() {
            Some(parser) => parser,
            None => {
                let known = self.options.format.map(Ok);
                let format = known.unwrap_or_else(|| Format::detect(source, piece))?;
                self.is_named = format.is_named();
                format.parser(&self.options)?
            }
        };
        self.parser.insert(parser).begin_file();
        Ok(())
    }

    fn expects_header(&self) -> bool {
        self.parser.as_ref().is_some_and(|parser| parser.expects_header())
    }

    /// Whether the block is full, or ends here before it is.
    fn is_piece(&self) -> bool {
        self.block.rows() >= self.options.rows
            || self.block.features.len() >= MOST_FEATURES
            || (self.block.rows() > 0 && self.options.cuts.is_at(self.rows()))
    }

    fn rows(&self) -> u64 {
        self.progress.rows + self.block.rows() as u64
    }

    fn note(&mut self, source: &Source, number: u64) {
        if self.first_negative.is_none() && self.block.labels.last() == Some(&-1) {
            self.first_negative = Some(format!("line {number} of {}", source.name()));
        }
    }

    fn sentence(&self, source: &Source, line: u64, error: LineError) -> StreamError {
        let name = source.name();
        match (error, &self.first_negative) {
            (LineError::MixedLabels { label, other }, Some(earlier)) => {
                StreamError::MixedLabels { name, line, label, other, earlier: earlier.clone() }
            }
            (error, _) => StreamError::Line { name, line, error },
        }
    }

    fn bad_row(&mut self, error: StreamError) -> Result<(), StreamError> {
        if !self.options.skip_bad_rows {
            return Err(error);
        }
        self.progress.bad_rows += 1;
        self.progress.first_bad.get_or_insert_with(|| error.to_string());
        Ok(())
    }

    fn no_rows(&self, source: &Source, lines: u64) -> StreamError {
        let name = source.name();
        match &self.progress.first_bad {
            Some(first) => StreamError::NoRows { name, first: format!(": {first}") },
            None if lines > 0 => StreamError::NoRows { name, first: String::new() },
            None => StreamError::Empty { name },
        }
    }

    /// Hands out the block, if it says anything, and begins another.
    fn send(&mut self, sender: &SyncSender<Message<T>>) -> Result<(), Stop> {
        let bad_rows = std::mem::replace(&mut self.bad_rows_told, self.progress.bad_rows);
        if self.block.rows() == 0 && bad_rows == self.progress.bad_rows {
            return Ok(());
        }
        self.progress.rows += self.block.rows() as u64;
        self.progress.bytes_read = self.read.load(Ordering::Relaxed);
        let names = || self.options.encoder.clone().in_use();
        let encoder = self.parser.as_ref().and_then(|parser| parser.encoder());
        let encoder = encoder.or_else(|| self.is_named.then(names));
        let next = Block::like(&self.block);
        let block = std::mem::replace(&mut self.block, next);
        let piece = Piece { block, encoder, progress: self.progress.clone() };
        sender.send(Message::Piece(Box::new(piece))).map_err(|_| Stop::Dropped)
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use std::io::Write;
    use std::path::PathBuf;

    fn options(rows: usize) -> Options {
        Options {
            format: None,
            encoder: Encoder::default(),
            rows,
            cuts: Cuts::default(),
            skip_bad_rows: false,
            learns: true,
            label: None,
        }
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Folder(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn with(&self, name: &str, content: &[u8]) -> Source {
            std::fs::write(self.path(name), content).unwrap();
            Source::new(self.path(name))
        }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// All blocks, and the sentence at the end.
    fn read(sources: &[Source], options: Options) -> (Vec<Piece<f32>>, String) {
        let reader = match Reader::new(sources.to_vec(), options) {
            Ok(reader) => reader,
            Err(error) => return (Vec::new(), error.to_string()),
        };
        let (mut pieces, mut end) = (Vec::new(), String::new());
        for piece in reader {
            match piece {
                Ok(piece) => pieces.push(piece),
                Err(error) => end = error.to_string(),
            }
        }
        (pieces, end)
    }

    fn labels(pieces: &[Piece<f32>]) -> Vec<Vec<i8>> {
        pieces.iter().map(|piece| piece.block.labels.clone()).collect()
    }

    #[test]
    fn blocks_have_as_many_rows_as_asked_for_whatever_the_files() {
        let folder = Folder::new();
        let sources = [
            folder.with("a.vw", b"1 |a x\n\n0 |a y\r\n1 |b z"),
            folder.with("b", &gzip(b"\xef\xbb\xbf0 |a x\n")),
            folder.with("c.zst", &zstd::encode_all(&b"1 |a x\n1 |a x\n"[..], 1).unwrap()),
        ];
        let (pieces, end) = read(&sources, options(2));
        assert_eq!(end, "");
        assert_eq!(labels(&pieces), [[1, -1], [1, -1], [1, 1]]);
        let x: Vec<u32> = [(0, 0), (1, 2), (2, 0)].map(|(p, i)| pieces[p].block.features[i]).into();
        assert!(x.iter().all(|&feature| feature == x[0]));
        let progress = &pieces[2].progress;
        assert_eq!(Some(progress.bytes_read), progress.total_bytes);
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        let folder = Folder::new();
        let twice = |bytes: Vec<u8>| [bytes.clone(), bytes].concat();
        let gz = folder.with("gz", &twice(gzip(b"1 |a x\n0 |a")));
        let zst = folder.with("zst", &twice(zstd::encode_all(&b"1 |a x\n0 |a"[..], 1).unwrap()));
        for source in [gz, zst] {
            let (pieces, end) = read(&[source], options(10));
            assert_eq!((labels(&pieces), end.as_str()), (vec![vec![1, -1, -1]], ""));
        }
    }

    #[test]
    fn rows_before_a_bad_one_come_first() {
        let folder = Folder::new();
        let good = folder.with("good.vw", b"1 |a x\n");
        let bad = folder.with("bad.vw", b"0 |a x\n1 |a x:y\n1 |a x\n");
        let (pieces, end) = read(&[good.clone(), bad.clone()], options(10));
        assert_eq!(labels(&pieces), [[1, -1]]);
        assert!(end.ends_with(
            "bad.vw, line 2: the value of feature \"x\" is \"y\"; it must be a finite number"
        ));
        let (pieces, end) = read(&[good, bad], Options { skip_bad_rows: true, ..options(10) });
        assert_eq!((labels(&pieces), end.as_str()), (vec![vec![1, -1, 1]], ""));
        assert_eq!(pieces[0].progress.bad_rows, 1);
        assert!(pieces[0].progress.first_bad.as_ref().unwrap().contains("bad.vw, line 2"));
    }

    #[test]
    fn labels_of_both_kinds_are_told_with_both_lines() {
        let folder = Folder::new();
        let first = folder.with("first.vw", b"1 |a\n0 |a\n");
        let second = folder.with("second.vw", b"1 |a\n\n-1 |a\n");
        let (pieces, end) = read(&[first, second], options(10));
        assert_eq!(labels(&pieces), [[1, -1, 1]]);
        assert!(end.contains("second.vw, line 3: the label is -1, but line 2 of "), "{end}");
        assert!(end.contains("first.vw has 0; the labels of a stream are 0 and 1, or -1 and 1"));
    }

    #[test]
    fn a_file_cut_in_the_middle_gives_the_rows_before() {
        let folder = Folder::new();
        let text: String = (0..2000).map(|i| format!("1 |a x{i}\n")).collect();
        let whole = gzip(text.as_bytes());
        let (pieces, end) = read(&[folder.with("f.gz", &whole[..whole.len() / 2])], options(9999));
        let rows = pieces[0].block.rows();
        assert!(rows > 500);
        assert!(
            end.ends_with(&format!("f.gz, line {}: the gzip data end in the middle", rows + 1))
        );
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 0xff;
        let (_, end) = read(&[folder.with("g.gz", &damaged)], options(9999));
        assert!(end.contains("g.gz, line "), "{end}");
        let zst = zstd::encode_all(text.as_bytes(), 1).unwrap();
        let (_, end) = read(&[folder.with("f.zst", &zst[..zst.len() - 10])], options(9999));
        assert!(end.ends_with("the zstd data end in the middle"), "{end}");
    }

    #[test]
    fn what_is_no_text_of_rows_is_told() {
        let folder = Folder::new();
        let missing = Source::new(folder.path("missing"));
        for (source, sentence) in [
            (missing, "missing: there is no such file"),
            (Source::new(folder.path("")), " is a folder; give the files in it"),
            (folder.with("empty", b""), "empty is empty: there are no rows in it"),
            (folder.with("blank", b"\n \n"), "blank has no rows"),
            (folder.with("comments.svm", b"# a\n# b\n"), "comments.svm has no rows"),
            (folder.with("p", b"PAR1\0\0"), "is a Parquet file; name it with format=\"parquet\""),
            (
                folder.with("z", b"PK\x03\x04 |"),
                "z is a zip archive; decompress it first; gzip and",
            ),
            (folder.with("u", b"\xff\xfe1\0 \0|\0"), "u is text in UTF-16; write it as UTF-8"),
            (
                folder.with("b", &[b"1 |a".as_slice(), &[0; 99]].concat()),
                "b is a binary file; expected",
            ),
            (
                folder.with("nul", b"1 |a\n1 |a\0b\n"),
                "nul, line 2: there is a NUL byte at column 5",
            ),
            (
                folder.with("t", b"Dear all,\n1 |"),
                "t begins with \"Dear all,\", which is no line of",
            ),
        ] {
            let (pieces, end) = read(&[source], options(10));
            assert!(end.contains(sentence), "{end}, not {sentence}");
            assert!(pieces.len() <= 1);
        }
        assert_eq!(read(&[], options(1)).1, "there are no files to read");
    }

    #[test]
    fn when_every_row_is_bad_that_is_told() {
        let folder = Folder::new();
        let skipping = Options { skip_bad_rows: true, ..options(10) };
        let bad = folder.with("bad.vw", b"what\nis this\n");
        let (_, end) = read(&[bad.clone(), folder.with("empty.vw", b"")], skipping.clone());
        assert!(end.contains("bad.vw has no rows: "), "{end}");
        assert!(
            end.ends_with("bad.vw, line 1: expected a \"|\" before the features, found \"what\"")
        );
        let good = folder.with("good.vw", b"1 |a\n");
        let (pieces, end) = read(&[folder.with("empty.vw", b""), good, bad], skipping);
        assert_eq!((labels(&pieces), end.as_str()), (vec![vec![1]], ""));
        assert_eq!(pieces[0].progress.bad_rows, 2);
    }

    #[test]
    fn dropping_a_reader_ends_its_thread() {
        let folder = Folder::new();
        let source = folder.with("a.vw", "1 |a x\n".repeat(100_000).as_bytes());
        let worker = Worker::<f32>::new(vec![source], options(10)).unwrap();
        let (sender, pieces) = sync_channel(AHEAD);
        let thread = std::thread::spawn(move || worker.run(&sender));
        pieces.recv().unwrap();
        drop(pieces);
        thread.join().unwrap();
    }

    #[test]
    fn a_thread_that_ended_unexpectedly_is_told_once() {
        let (_, pieces) = sync_channel::<Message<f32>>(1);
        let mut reader = Reader { name: "a.vw".into(), pieces, ended: false };
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("the thread that reads a.vw ended unexpectedly"));
        assert!(reader.next().is_none());
    }

    /// The rows of a text that is cut into pieces of some size.
    fn block_of(text: &[u8], piece: usize, format: Format) -> Result<Vec<Piece<f64>>, String> {
        let options = Options { format: Some(format), skip_bad_rows: true, ..options(1 << 20) };
        let mut worker = Worker::<f64>::new(vec![Source::new("-")], options).unwrap();
        let (sender, pieces) = sync_channel(10);
        let lines = Lines::with_sizes(text, piece, 1 << 20);
        let result = worker.read_file(&Source::new("-"), lines, Compression::None, &sender);
        if let Err(Stop::Failed(error)) = result {
            return Err(error.to_string());
        }
        assert!(worker.send(&sender).is_ok());
        drop(sender);
        Ok(pieces
            .iter()
            .map(|message| match message {
                Message::Piece(piece) => *piece,
                Message::End(_) => unreachable!(),
            })
            .collect())
    }

    fn check_whole<T: Real>(block: &Block<T>) {
        let end = block.features.len();
        assert_eq!((block.values.len(), block.starts.last()), (end, Some(&(end as i64))));
        assert_eq!((block.weights.len(), block.starts.len()), (block.rows(), block.rows() + 1));
        assert!(crate::Rows::new(&block.starts, &block.features, &block.values).is_ok());
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_the_same_rows(
            lines in proptest::collection::vec("(-1|1|0|2)? [0-9.]{0,3}'?(\\|a?(:2)?( [a-c]{0,3}(:[-0-9e.]{1,4})?){0,4}){0,3}\r?", 0..20),
            piece in 1_usize..60,
        ) {
            let text = lines.join("\n");
            let whole = block_of(text.as_bytes(), 1 << 16, Format::Vw);
            let cut = block_of(text.as_bytes(), piece, Format::Vw);
            prop_assert_eq!(format!("{whole:?}"), format!("{cut:?}"));
        }

        #[test]
        fn no_bytes_break_a_parser(
            text in proptest::collection::vec(prop_oneof![
                Just(b' '), Just(b'|'), Just(b':'), Just(b'\n'), Just(b'\t'), Just(b'1'), Just(b'-'), any::<u8>(),
            ], 0..300),
        ) {
            for format in [Format::Vw, Format::Svmlight, Format::Criteo, Format::Csv] {
                for piece in block_of(&text, 50, format).into_iter().flatten() {
                    check_whole(&piece.block);
                }
            }
        }
    }
}
