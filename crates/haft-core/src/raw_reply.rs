//! A bounded copy of what a model wrote for one request, before anything is extracted or repaired.
//!
//! It belongs to the [`RequestContext`](crate::RequestContext) of a client. The scheduler notes
//! which server is asked, and the adapters of `haft-models` add the pieces of the reply while they
//! arrive, if a program that shows raw replies has [allowed](RawReply::record_content) that.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

/// The maximum number of recorded attempts. A request with more is not usable anyway.
const MOST_ATTEMPTS: usize = 32;

/// The replies of the model to one request, in the order in which they were asked for. By default it
/// has only the names of the servers. Clones share the record.
///
/// ```
/// use haft_core::RawReply;
///
/// let raw = RawReply::default();
/// raw.record_content(1024);
/// raw.asks("desk");
/// raw.begin();
/// raw.text("<tool_call>");
/// assert_eq!(raw.attempts()[0].server.as_deref(), Some("desk"));
/// assert_eq!(serde_json::to_value(&raw.attempts()[0].parts).unwrap()[0]["text"], "<tool_call>");
/// ```
#[derive(Clone, Debug, Default)]
pub struct RawReply(Arc<Mutex<Record>>);

#[derive(Debug, Default)]
struct Record {
    attempts: Vec<RawAttempt>,
    /// The bytes that may still be added.
    bytes_left: usize,
}

/// One request to a model server and the reply to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RawAttempt {
    /// The name of the server, if there is a choice of servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<Arc<str>>,
    /// The pieces of the reply, joined by kind.
    pub parts: Vec<RawPart>,
    /// Whether the end is missing because the record was full.
    pub is_cut: bool,
}

/// A part of a raw reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RawPart {
    /// Text.
    Text(String),
    /// Reasoning that the server sent apart from the text.
    Reasoning(String),
    /// A call that the server reported.
    Call(RawCall),
}

/// A call that the server reported, as the model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RawCall {
    /// The index of the call within the reply, from 0.
    pub index: usize,
    /// The name of the tool.
    pub name: String,
    /// The arguments, usually JSON.
    pub arguments: String,
}

impl RawReply {
    /// Records at most `bytes` bytes of content from now on.
    pub fn record_content(&self, bytes: usize) {
        self.record().bytes_left = bytes;
    }

    /// Records that the server of this name is asked now.
    pub fn asks(&self, server: impl Into<Arc<str>>) {
        self.record().open(Some(server.into()));
    }

    /// Records that a reply begins. A second reply of one server is a new attempt.
    pub fn begin(&self) {
        let mut record = self.record();
        match record.attempts.last() {
            Some(last) if last.parts.is_empty() => {}
            last => {
                let server = last.and_then(|last| last.server.clone());
                record.open(server);
            }
        }
    }

    /// Adds text.
    pub fn text(&self, piece: &str) {
        self.add(piece, |parts, piece| match parts.last_mut() {
            Some(RawPart::Text(text)) => text.push_str(piece),
            _ => parts.push(RawPart::Text(piece.to_owned())),
        });
    }

    /// Adds reasoning that the server sends apart from the text.
    pub fn reasoning(&self, piece: &str) {
        self.add(piece, |parts, piece| match parts.last_mut() {
            Some(RawPart::Reasoning(text)) => text.push_str(piece),
            _ => parts.push(RawPart::Reasoning(piece.to_owned())),
        });
    }

    /// Adds to the name of a call, by its index in the reply.
    pub fn call_name(&self, index: usize, piece: &str) {
        self.add(piece, |parts, piece| {
            call(parts, index, |call| call.name.push_str(piece));
        });
    }

    /// Adds to the arguments of a call, by its index in the reply.
    pub fn call_arguments(&self, index: usize, piece: &str) {
        self.add(piece, |parts, piece| {
            call(parts, index, |call| call.arguments.push_str(piece));
        });
    }

    /// What is recorded so far.
    #[must_use]
    pub fn attempts(&self) -> Vec<RawAttempt> {
        self.record().attempts.clone()
    }

    /// The name of the server that was asked last.
    #[must_use]
    pub fn server(&self) -> Option<Arc<str>> {
        self.record().attempts.last()?.server.clone()
    }

    /// Forgets the content, and records no more of it.
    pub fn forget(&self) {
        let mut record = self.record();
        record.bytes_left = 0;
        for attempt in &mut record.attempts {
            attempt.is_cut |= !mem::take(&mut attempt.parts).is_empty();
        }
    }

    /// Adds as much of a piece as there is room for.
    fn add(&self, piece: &str, add: impl FnOnce(&mut Vec<RawPart>, &str)) {
        let mut record = self.record();
        let kept = piece.floor_char_boundary(record.bytes_left.min(piece.len()));
        let is_cut = kept < piece.len();
        // Nothing after a gap.
        record.bytes_left = if is_cut { 0 } else { record.bytes_left - kept };
        let Some(attempt) = record.attempts.last_mut() else {
            return;
        };
        attempt.is_cut |= is_cut;
        if let Some(kept) = piece.get(..kept).filter(|kept| !kept.is_empty()) {
            add(&mut attempt.parts, kept);
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn open(&mut self, server: Option<Arc<str>>) {
        if self.attempts.len() < MOST_ATTEMPTS {
            self.attempts.push(RawAttempt {
                server,
                ..RawAttempt::default()
            });
        }
    }
}

/// Changes the call with this index, which is new if there is none.
fn call(parts: &mut Vec<RawPart>, index: usize, change: impl FnOnce(&mut RawCall)) {
    let known = parts.iter_mut().find_map(|part| match part {
        RawPart::Call(call) if call.index == index => Some(call),
        _ => None,
    });
    match known {
        Some(call) => change(call),
        None => {
            let mut call = RawCall {
                index,
                ..RawCall::default()
            };
            change(&mut call);
            parts.push(RawPart::Call(call));
        }
    }
}

#[cfg(test)]
mod tests;
