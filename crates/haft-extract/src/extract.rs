//! Reads a whole reply at once.

use haft_core::{InvalidToolCall, ToolCall};
use haft_schema::Repair;

use crate::{ExtractOptions, Extractor, Mention, Piece, ToolSet};

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
                self.reasoning.push_str(&std::mem::take(&mut self.content));
                let reasoning = std::mem::take(&mut self.reasoning);
                *self = Self {
                    reasoning,
                    ..Self::default()
                };
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
    let extractor = Extractor::new(tools, options);
    extractor.finish_with(reply, &mut |piece| extraction.add(piece));
    extraction
}
