//! The push parser: chunks of a reply in, pieces out.
//!
//! `extractor` takes chunks and keeps what is not decided. `reader` has the states, and says as
//! events what the text is; `judge` holds back calls that may only be mentioned; `output` counts
//! calls, drops repetitions and hands out pieces, with `seam` for the white space around what was
//! taken out.

pub(crate) mod event;
pub(crate) mod extractor;
pub(crate) mod judge;
pub(crate) mod output;
pub(crate) mod raw_call;
pub(crate) mod reader;
pub(crate) mod seam;

pub(crate) use event::ParseEvent;
pub(crate) use judge::Placement;
pub(crate) use raw_call::{Calls, RawCall, Written};

use crate::{ExtractOptions, ToolSet};

/// What is known before a reply is read.
#[derive(Clone, Copy)]
pub(crate) struct About<'t> {
    pub(crate) tools: &'t ToolSet,
    pub(crate) options: &'t ExtractOptions,
}
