//! speedscope's JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flamelane_fuzz::check(Some("speedscope"), data));
