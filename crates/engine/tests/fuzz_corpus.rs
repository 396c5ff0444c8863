//! What the fuzzer has found worth keeping, once more: `fuzz/corpus`, a folder for every target.

#[path = "../../../fuzz/checks.rs"]
mod checks;

use std::path::Path;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        check(&std::fs::read(entry.unwrap().path()).unwrap());
        files += 1;
    }
    assert!(files > 1, "{} has no corpus", folder.display());
}

#[test]
fn vw() {
    replay("vw", checks::vw);
}

#[test]
fn svmlight() {
    replay("svmlight", checks::svmlight);
}

#[test]
fn criteo() {
    replay("criteo", checks::criteo);
}

#[test]
fn csv() {
    replay("csv", checks::csv);
}

#[test]
fn model_file() {
    replay("model_file", checks::model_file);
}

#[test]
fn encoder() {
    replay("encoder", checks::encoder);
}
