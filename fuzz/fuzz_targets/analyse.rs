//! Kineto traces through linking, folding and finding.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flamelane_fuzz::analyse(data));
