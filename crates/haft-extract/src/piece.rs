//! What an extractor hands out, piece by piece.

use haft_core::{InvalidToolCall, ToolCall};
use haft_schema::Repair;

use crate::Mention;

/// One piece of a reply. Text pieces are never empty and never cut a character.
///
/// `CallStart` and `CallArgs` are provisional, for display: a call is made by `CallEnd` alone. A
/// later `CallStart` with the same index replaces one that did not end (the call turned out to
/// be a repetition, or no call at all).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// Text for the user.
    Text(&'a str),
    /// Thinking.
    Reasoning(&'a str),
    /// Markup that is neither: markers, wrappers, names and separators of calls.
    Syntax(&'a str),
    /// All text so far was thinking, and the calls so far were thoughts: its closing tag came
    /// without an opening one. Indices begin again at 0.
    ThinkingEnded,
    /// A call begins.
    CallStart {
        /// Its place among the calls of this reply, from 0.
        index: usize,
        /// The tool's bound name; with [`ToolSet::any`](crate::ToolSet::any) as the model wrote it.
        name: &'a str,
    },
    /// More of a call's arguments, raw, as the model wrote them. Those of an unknown tool may come
    /// without a `CallStart` before them.
    CallArgs {
        /// The call's place.
        index: usize,
        /// The piece.
        fragment: &'a str,
    },
    /// A call is complete, and checked against the tool's schema.
    CallEnd {
        /// The call's place.
        index: usize,
        /// The call; its id is `<name>_<index>`.
        call: ToolCall,
        /// What was repaired, in order.
        repairs: Vec<Repair>,
        /// The name of the format it was written in, such as `hermes`.
        format: &'static str,
        /// It has no marker, or stands in a fence or a quotation: the text around it decided.
        is_bare: bool,
    },
    /// Something after the last call was repaired: the tag that closes its wrapper did not come.
    Repaired {
        /// The call's place.
        index: usize,
        /// What was repaired.
        repair: Repair,
    },
    /// A call is complete, unchecked; only with [`ExtractOptions::raw`](crate::ExtractOptions::raw).
    RawCall(RawCall<'a>),
    /// What reads like a call was only mentioned: it follows as text.
    NotACall {
        /// What the text around it makes of it.
        reason: Mention,
    },
    /// A call was meant, but cannot be understood or does not fit the tool.
    Invalid {
        /// The call's place.
        index: usize,
        /// What arrived, and in `error` what is wrong with it, for the model to read.
        call: InvalidToolCall,
        /// The name of the format it was written in.
        format: &'static str,
    },
}

/// A call whose arguments were found but not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawCall<'a> {
    /// The call's place among the calls of the reply, from 0.
    pub index: usize,
    /// The tool's bound name.
    pub name: &'a str,
    /// The arguments: the model's own text where the format carries JSON, else JSON made of the
    /// tags.
    pub arguments: &'a str,
}
