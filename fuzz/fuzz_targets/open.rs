//! Any bytes: telling the format, unpacking, and whichever reader takes them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| flamelane_fuzz::check(None, data));
