//! The push parser: chunks of a reply in, pieces out.
//!
//! `extractor` takes chunks and keeps what is not decided. `reader` has the states, and says as
//! events what the text is; `judge` holds back calls that may only be mentioned; `output` counts
//! calls, drops repetitions and hands out pieces, with `seam` for the white space around what was
//! taken out.

pub(crate) mod extractor;
pub(crate) mod found_call;
pub(crate) mod judge;
pub(crate) mod output;
pub(crate) mod reader;
pub(crate) mod seam;

pub(crate) use found_call::{Calls, FoundCall, Written};
pub(crate) use judge::Placement;

use crate::{ExtractOptions, ToolSet};

/// What is known before a reply is read.
#[derive(Clone, Copy)]
pub(crate) struct About<'t> {
    pub(crate) tools: &'t ToolSet,
    pub(crate) options: &'t ExtractOptions,
}

/// One step of reading: what the reader finds in a reply, before anything is read as arguments.
///
/// The texts of the events, one after the other, are the reply: what an event was read from is in
/// that event and in no other. Only what is shown ahead of a call comes again with it.
#[derive(Debug)]
pub(crate) enum ParseEvent<'t> {
    /// Text.
    Text(&'t str),
    /// Thinking.
    Reasoning(&'t str),
    /// Markup.
    Markup(&'t str),
    /// All text so far was thinking.
    ThinkingEnded,
    /// A call of the tool with this name, as written, has certainly begun.
    CallBegins(&'t str),
    /// More of its arguments, shown ahead.
    Arguments(&'t str),
    /// A call is complete, begun before or not; with the text that it was read from, as far as that
    /// did not come as markup.
    Call(FoundCall<'t>, &'t str),
    /// A call of the tool with this name may have begun: in something that is held back.
    CallMayBegin(&'t str),
    /// More of the arguments of that call.
    ArgumentsAhead(&'t str),
    /// What was held back is decided: calls that may have begun and did not come are none.
    Decided,
    /// The reply ended without the tag that closes the wrapper of the last call.
    Unclosed,
    /// How the next calls stand in the reply. Whether those are meant that have no marker outside of
    /// fences and quotations is judged by the text around them. A call that no such event precedes
    /// has one.
    Candidate(Placement),
}

/// Where events go.
pub(crate) type EventSink<'s> = &'s mut dyn FnMut(ParseEvent<'_>);
