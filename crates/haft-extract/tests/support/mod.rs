//! What the test programs of this folder share: the cases ([`case`]), a run of the extractor with
//! its answer ([`answer`]), and the table of what went wrong ([`report`]).
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die, and each test program uses its own part"
)]

pub mod answer;
pub mod case;
pub mod report;
