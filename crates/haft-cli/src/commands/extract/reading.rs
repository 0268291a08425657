//! A parsed reply: the output of the extractor, and the same as JSON for programs.
//!
//! `people` prints it as text, `trail` keeps the pieces for `--explain`, `lines` processes many
//! replies.

use std::num::NonZeroUsize;

use haft::extract::{ExtractOptions, Extraction, Extractor, Piece, ToolSet};
use haft::schema::Repair;
use haft::types::Arguments;
use serde::Serialize;
use serde_json::Value;

/// The contents of a reply.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The extraction; its repairs are moved to `repairs`.
    pub(super) extraction: Extraction,
    /// The repairs of each call.
    pub(super) repairs: Vec<Vec<Repair>>,
}

/// How a reply is fed to the extractor and parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) options: ExtractOptions,
    /// Whether only a chat template suggests that the reply starts inside reasoning.
    pub(super) guessed: bool,
    /// The number of bytes to feed at a time; all at once if unset.
    pub(super) split: Option<NonZeroUsize>,
}

impl Reading {
    /// Parses a reply.
    pub(super) fn of(reply: &[u8], tools: &ToolSet, manner: Manner) -> Self {
        let mut reading = Self::default();
        feed(reply, tools, manner, &mut |piece| reading.add(piece));
        reading
    }

    /// Adds the next piece.
    pub(super) fn add(&mut self, mut piece: Piece<'_>) {
        match &mut piece {
            Piece::CallEnd { repairs, .. } => self.repairs.push(std::mem::take(repairs)),
            Piece::Repaired { repair, .. } => {
                if let Some(last) = self.repairs.last_mut() {
                    last.push(repair.clone());
                }
            }
            Piece::ThinkingEnded => self.repairs.clear(),
            _ => {}
        }
        self.extraction.add(piece);
    }

    /// True if nothing in the reply was meant as a call.
    pub(super) fn is_empty(&self) -> bool {
        self.extraction.calls.is_empty() && self.extraction.invalid.is_empty()
    }

    /// The reading as JSON, with an id if there is one.
    pub(super) fn report<'a>(&'a self, id: Option<&'a Value>) -> Report<'a> {
        let extraction = &self.extraction;
        let calls = extraction.calls.iter().map(|call| CallReport {
            id: &call.id,
            name: &call.name,
            args: &call.args,
        });
        let invalid = extraction.invalid.iter().map(|call| InvalidReport {
            id: &call.id,
            name: &call.name,
            args: &call.args,
            error: &call.error,
        });
        let repairs = extraction.calls.iter().zip(&self.repairs);
        let repairs = repairs.flat_map(|(call, repairs)| {
            repairs
                .iter()
                .map(|repair| RepairReport::new(&call.id, repair))
        });
        Report {
            id,
            calls: calls.collect(),
            content: &extraction.content,
            reasoning: &extraction.reasoning,
            invalid: invalid.collect(),
            repairs: repairs.collect(),
            mentions: extraction
                .mentions
                .iter()
                .map(|reason| reason.reason())
                .collect(),
            format: extraction.format,
        }
    }
}

/// Feeds a reply to an extractor. If a template suggested that the reply starts inside reasoning
/// and then all of it is reasoning, the suggestion is dropped: the server has already separated the
/// reasoning, or there was none.
pub(super) fn feed(reply: &[u8], tools: &ToolSet, manner: Manner, sink: &mut dyn FnMut(Piece<'_>)) {
    let mut manner = manner;
    if manner.guessed && manner.options.starts_thinking {
        manner.guessed = false;
        let reading = Reading::of(reply, tools, manner);
        manner.options.starts_thinking =
            !reading.is_empty() || !reading.extraction.content.is_empty();
    }
    let mut extractor = Extractor::new(tools, manner.options);
    let size = manner.split.map_or(reply.len().max(1), NonZeroUsize::get);
    for chunk in reply.chunks(size) {
        extractor.push(chunk, sink);
    }
    extractor.finish(sink);
}

/// A parsed reply for programs.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    calls: Vec<CallReport<'a>>,
    content: &'a str,
    reasoning: &'a str,
    invalid: Vec<InvalidReport<'a>>,
    repairs: Vec<RepairReport<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<&'static str>,
    format: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct CallReport<'a> {
    id: &'a str,
    name: &'a str,
    args: &'a Arguments,
}

#[derive(Debug, Serialize)]
struct InvalidReport<'a> {
    id: &'a str,
    name: &'a str,
    args: &'a str,
    error: &'a str,
}

#[derive(Debug, Serialize)]
struct RepairReport<'a> {
    call: &'a str,
    path: &'a str,
    kind: String,
    before: &'a str,
    after: &'a str,
    reason: String,
}

impl<'a> RepairReport<'a> {
    fn new(call: &'a str, repair: &'a Repair) -> Self {
        Self {
            call,
            path: &repair.path,
            kind: repair.kind.name(),
            before: &repair.before,
            after: &repair.after,
            reason: repair.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
