//! Integration tests of the classifier: properties of every text, and accuracy on the datasets.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests may panic and print"
)]

mod datasets;
mod properties;
