#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "every target has one of the checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::svmlight(bytes));
