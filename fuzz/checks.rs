//! What must be true of any bytes, for the fuzzer and for the test that replays its corpus
//! (`crates/engine/tests/fuzz_corpus.rs`). One function for every target.

use lapwing_engine::Rows;
use lapwing_engine::model_file::{AnyContents, Contents, Stored};
use lapwing_engine::state::Beliefs;
use lapwing_engine::stream::{
    Block, Cell, Criteo, Csv, Encoder, Encoding, Format, Namer, Naming, Parser, Source, Svmlight,
    Vw,
};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

pub fn vw(text: &[u8]) {
    rows(&mut Vw::new(namer()), text);
}

pub fn svmlight(text: &[u8]) {
    rows(&mut Svmlight::default(), text);
}

pub fn criteo(text: &[u8]) {
    for learns in [true, false] {
        rows(&mut Criteo::new(namer(), learns), text);
    }
}

pub fn csv(text: &[u8]) {
    // What a file is told to be must not depend on luck.
    let unnamed = Source::new(Path::new("unnamed"));
    let _ = Format::detect(&unnamed, text);
    let known = || Encoder::new(naming()).unwrap().with_label("b > 1");
    for (label, learns) in [(None, true), (Some("a".to_string()), true), (None, false)] {
        let mut parser = Csv::new(known(), label, learns);
        rows(&mut parser, text);
        if let Some(encoder) = Parser::<f64>::encoder(&parser) {
            let json = encoder.to_json().unwrap();
            assert_eq!(Encoder::from_json(&json), Ok(encoder));
        }
    }
}

/// A file that says it is a model is one that can be written and read again, or is refused. The
/// last eight bytes are made the hash of the others, as a forger would.
pub fn model_file(bytes: &[u8]) {
    let mut forged = bytes.to_vec();
    if let Some(end) = bytes.len().checked_sub(8) {
        let hash = xxh3_64(&bytes[..end]);
        forged[end..].copy_from_slice(&hash.to_le_bytes());
    }
    match AnyContents::from_bytes(&forged) {
        Err(problem) => assert!(!problem.to_string().is_empty()),
        Ok((AnyContents::Single(contents), _)) => model(contents),
        Ok((AnyContents::Double(contents), _)) => model(contents),
    }
}

fn model<T: Stored>(contents: Contents<'static, T>) {
    let again = contents.to_bytes().unwrap();
    assert!(AnyContents::from_bytes(&again).is_ok());
    if !is_small(&contents.state.beliefs) {
        return;
    }
    match contents.state.into_model() {
        Ok(model) => model.state().unwrap().check().unwrap(),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A description of columns that is taken is told as it was, and takes cells.
pub fn encoder(bytes: &[u8]) {
    let Ok(json) = std::str::from_utf8(bytes) else { return };
    let Ok(encoder) = Encoder::from_json(json) else { return };
    assert_eq!(Encoder::from_json(&encoder.to_json().unwrap()).as_ref(), Ok(&encoder));
    let columns: Vec<String> = encoder.columns().keys().cloned().collect();
    let _ = encoder.find_label(None, &columns, true);
    let _ = encoder.features_among(&columns, true);
    let mut encoding = Encoding::new(encoder).unwrap();
    let mut block = Block::<f32>::default();
    for name in columns.iter().map(String::as_str).chain(["a", ""]) {
        let column = encoding.column(name);
        for cell in ["", "7", "-1e300", "x"] {
            encoding.put(column, Cell::read(cell.as_bytes()), true, &mut block);
        }
    }
    encoding.end_row(1, 1.0, &mut block);
    check(&block);
    let after = encoding.encoder();
    assert_eq!(Encoder::from_json(&after.to_json().unwrap()), Ok(after));
}

fn naming() -> Naming {
    let names = |fields: &[&str]| fields.iter().map(ToString::to_string).collect();
    let crosses = vec![names(&["a", "b"]), names(&["a", "", "C1"])];
    Naming { bits: 18, crosses, keeps_names: true }
}

fn namer() -> Namer {
    Namer::new(&naming()).unwrap()
}

/// A line is one row, none, or an error that leaves no trace.
fn rows(parser: &mut impl Parser<f64>, text: &[u8]) {
    let mut block = Block::default();
    parser.begin_file();
    for line in text.split(|&byte| byte == b'\n') {
        let (rows, features) = (block.rows(), block.features.len());
        match parser.line(line, &mut block) {
            Ok(()) => assert!(block.rows() <= rows + 1),
            Err(error) => {
                assert_eq!((block.rows(), block.features.len()), (rows, features));
                let sentence = error.to_string();
                assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
                if parser.expects_header() {
                    break;
                }
            }
        }
    }
    check(&block);
}

/// Whether it is what a learner takes.
fn check<T: lapwing_engine::Real>(block: &Block<T>) {
    assert_eq!(block.values.len(), block.features.len());
    assert_eq!((block.labels.len(), block.weights.len()), (block.rows(), block.rows()));
    assert!(block.labels.iter().all(|label| (-1..=1).contains(label)));
    assert!(block.weights.iter().all(|weight| (0.0..=1e6).contains(weight)));
    if let Err(error) = Rows::new(&block.starts, &block.features, &block.values) {
        // Values may be as large as is allowed, and meet.
        assert!(error.to_string().contains("at most"), "{error}");
    }
}

fn is_small<T>(beliefs: &Beliefs<T>) -> bool {
    match beliefs {
        Beliefs::Table { size, .. } => *size < 1 << 16,
        Beliefs::Panel(panel) => panel.size < 1 << 16,
        Beliefs::Dense { mean, .. } => mean.len() < 64,
    }
}
