//! The protodash command.
fn main() {}
