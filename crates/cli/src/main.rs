//! The flamelane command.
fn main() {}
