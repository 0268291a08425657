//! What the two test programs of this folder share: the cases ([`case`]), a run of the extractor with
//! its answer ([`answer`]), and the table of what went wrong ([`report`]). For fuzzing: damage
//! ([`mutator`]), arguments in all notations ([`notations`]), schemas ([`instances`]), what must
//! hold for a reply ([`subject`]), and the search for what fails ([`campaign`]). Replies made to
//! be slow are in [`hostile`].
#![allow(
    dead_code,
    unreachable_pub,
    clippy::string_slice,
    reason = "each of the two test programs uses its own part"
)]

pub mod answer;
pub mod campaign;
pub mod case;
pub mod hostile;
pub mod instances;
pub mod mutator;
pub mod notations;
pub mod report;
pub mod subject;
