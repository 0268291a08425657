//! What an extractor hands out, piece by piece, and what all pieces of a reply come to.

use haft_core::{InvalidToolCall, ToolCall};
use haft_schema::Repair;

use crate::{ExtractOptions, Extractor, Mention, ToolSet};

/// What a reply holds.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extraction {
    /// The calls, in order.
    pub calls: Vec<ToolCall>,
    /// What was meant as a call and cannot run, in order.
    pub invalid: Vec<InvalidToolCall>,
    /// The text without calls and thinking.
    pub content: String,
    /// The thinking.
    pub reasoning: String,
    /// What was repaired: the call's place among the calls, valid and invalid, and how.
    pub repairs: Vec<(usize, Repair)>,
    /// Why what reads like a call, and is text, is none: once for each place in the text.
    pub mentions: Vec<Mention>,
    /// The name of the format of the first call, if any.
    pub format: Option<&'static str>,
}

impl Extraction {
    /// Takes in the next piece of a reply.
    ///
    /// ```
    /// use haft_extract::{ExtractOptions, Extraction, Extractor, ToolSet};
    ///
    /// let mut extraction = Extraction::default();
    /// let mut extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
    /// for chunk in ["get_time(zone=\"Asia", "/Tokyo\")"] {
    ///     extractor.push(chunk.as_bytes(), &mut |piece| extraction.add(piece));
    /// }
    /// extractor.finish(&mut |piece| extraction.add(piece));
    /// assert_eq!(extraction.calls[0].args["zone"], "Asia/Tokyo");
    /// ```
    pub fn add(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Text(text) => self.content.push_str(text),
            Piece::Reasoning(text) => self.reasoning.push_str(text),
            Piece::ThinkingEnded => {
                let reasoning = std::mem::take(&mut self.reasoning) + &self.content;
                *self = Self::default();
                self.reasoning = reasoning;
            }
            Piece::CallEnd {
                index,
                call,
                repairs,
                format,
                ..
            } => {
                self.format.get_or_insert(format);
                let repairs = repairs.into_iter().map(|repair| (index, repair));
                self.repairs.extend(repairs);
                self.calls.push(call);
            }
            Piece::Invalid { call, format, .. } => {
                self.format.get_or_insert(format);
                self.invalid.push(call);
            }
            Piece::NotACall { reason } => self.mentions.push(reason),
            Piece::Repaired { index, repair } => self.repairs.push((index, repair)),
            // Markup, and what is only for display.
            _ => {}
        }
    }
}

/// Reads a whole reply.
#[must_use]
pub fn extract(tools: &ToolSet, options: ExtractOptions, reply: &str) -> Extraction {
    let mut extraction = Extraction::default();
    Extractor::new(tools, options).finish_with(reply, &mut |piece| extraction.add(piece));
    extraction
}

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
