//! Stacks of graph nodes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flamelane_fuzz::check(Some("node-stacks"), data));
