//! Chrome trace events of other makers.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flamelane_fuzz::check(Some("chrome"), data));
