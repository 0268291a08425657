//! One request with its reply, from the first byte to the end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use haft_core::{RawReply, Usage};
use serde::Serialize;
use serde_json::Value;

use super::content::{Given, KeptRequest, REPLY_BYTES};
use super::summary::{Counts, Outcome, Summary, milliseconds};
use crate::dialects::dialect::Dialect;
use crate::interventions::Interventions;

/// The maximum length of a model's name and of an error in bytes.
const LONGEST: usize = 512;

/// A request with its reply. It is shared by the request, which writes, and the list.
#[derive(Debug)]
pub(crate) struct Exchange {
    number: u64,
    began: SystemTime,
    asked: Asked,
    /// The servers that were asked, and what the model wrote if content is kept.
    pub(crate) raw: RawReply,
    state: Mutex<State>,
}

/// What is known about a request when it begins.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) dialect: &'static dyn Dialect,
    pub(crate) id: String,
    /// The name of the key.
    pub(crate) key: Option<Arc<str>>,
    pub(crate) raw: RawReply,
}

/// Whether the texts of requests and replies are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ContentPolicy {
    /// In memory, within limits.
    Kept,
    /// Not at all.
    Left,
}

#[derive(Debug)]
struct State {
    content: ContentPolicy,
    model: String,
    is_streamed: bool,
    outcome: Outcome,
    /// Whether the reply passes through unchanged.
    is_passed: bool,
    first_output: Option<Duration>,
    end: Option<End>,
    error: Option<String>,
    request: KeptRequest,
    /// The bytes of a reply that passed through.
    passed: Vec<u8>,
    given: Option<Given>,
}

/// The end of a request.
#[derive(Debug)]
pub(crate) struct Finished<'a> {
    pub(crate) outcome: Outcome,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    pub(crate) usage: Usage,
    pub(crate) calls: usize,
    pub(crate) interventions: &'a Interventions,
}

#[derive(Clone, Debug)]
struct End {
    status: u16,
    took: Duration,
    usage: Usage,
    calls: usize,
    counts: Counts,
    interventions: Option<Value>,
}

/// The content of a request, as far as it is kept.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) policy: ContentPolicy,
    pub(crate) dialect: &'static dyn Dialect,
    pub(crate) request: KeptRequest,
    /// The reply of a request that passed through, as text.
    pub(crate) passed: Option<String>,
    pub(crate) given: Option<Given>,
    pub(crate) interventions: Option<Value>,
}

impl Exchange {
    pub(super) fn new(number: u64, asked: Asked, content: ContentPolicy) -> Self {
        let raw = asked.raw.clone();
        if content == ContentPolicy::Kept {
            raw.record_content(REPLY_BYTES);
        }
        let state = State {
            content,
            model: String::new(),
            is_streamed: false,
            outcome: Outcome::Running,
            is_passed: false,
            first_output: None,
            end: None,
            error: None,
            request: KeptRequest::Nothing,
            passed: Vec::new(),
            given: None,
        };
        Self {
            number,
            began: SystemTime::now(),
            asked,
            raw,
            state: Mutex::new(state),
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Records what the request asks for.
    pub(crate) fn name(&self, model: &str, is_streamed: bool) {
        let mut state = self.state();
        bounded(model).clone_into(&mut state.model);
        state.is_streamed = is_streamed;
    }

    /// Records how long the first part of the reply took.
    pub(crate) fn begin_output(&self, after: Duration) {
        self.state().first_output = Some(after);
    }

    /// Records that the reply passes through unchanged, and its next bytes.
    pub(crate) fn pass(&self, piece: &[u8]) {
        let mut state = self.state();
        state.is_passed = true;
        if state.content == ContentPolicy::Kept {
            let room = REPLY_BYTES - state.passed.len().min(REPLY_BYTES);
            let kept = piece.get(..room).unwrap_or(piece);
            state.passed.extend_from_slice(kept);
        }
    }

    /// Records what the client received.
    pub(crate) fn give(&self, given: impl FnOnce() -> Given) {
        let mut state = self.state();
        if state.content == ContentPolicy::Kept {
            state.given = Some(given());
        }
    }

    /// Records the error that the client reads.
    pub(crate) fn fail(&self, error: &str) {
        self.state().error = Some(bounded(error).to_owned());
    }

    /// Keeps the body, and returns the number of bytes.
    pub(super) fn keep_request(&self, body: &Bytes) -> usize {
        let mut state = self.state();
        if state.content == ContentPolicy::Kept {
            state.request = KeptRequest::of(body);
        }
        state.request.bytes()
    }

    pub(super) fn finish(&self, finished: &Finished<'_>) {
        let mut state = self.state();
        state.outcome = finished.outcome;
        state.end = Some(End {
            status: finished.status,
            took: finished.took,
            usage: finished.usage,
            calls: finished.calls,
            counts: Counts::of(finished.interventions),
            interventions: finished.interventions.report(),
        });
    }

    /// Forgets all content, and keeps no more of it.
    pub(super) fn forget(&self) {
        self.raw.forget();
        let mut state = self.state();
        state.content = ContentPolicy::Left;
        state.request = KeptRequest::Nothing;
        state.passed = Vec::new();
        state.given = None;
    }

    /// The model's name in the request.
    pub(super) fn model(&self) -> String {
        self.state().model.clone()
    }

    pub(crate) fn summary(&self) -> Summary {
        let state = self.state();
        let end = state.end.as_ref();
        let usage = end.map(|end| end.usage).unwrap_or_default();
        let began = self.began.duration_since(SystemTime::UNIX_EPOCH);
        Summary {
            number: self.number,
            id: self.asked.id.clone(),
            at: milliseconds(began.unwrap_or_default()),
            key: self.asked.key.clone(),
            dialect: self.asked.dialect.name(),
            model: state.model.clone(),
            upstream: self.raw.server(),
            stream: state.is_streamed,
            passed: state.is_passed,
            outcome: state.outcome,
            status: end.map(|end| end.status),
            ms: end.map(|end| milliseconds(end.took)),
            first_ms: state.first_output.map(milliseconds),
            tokens_in: usage.input_tokens,
            tokens_out: usage.output_tokens,
            calls: end.map_or(0, |end| end.calls),
            counts: end.map(|end| end.counts).unwrap_or_default(),
            error: state.error.clone(),
        }
    }

    pub(crate) fn contents(&self) -> Contents {
        let state = self.state();
        let passed = String::from_utf8_lossy(&state.passed);
        Contents {
            policy: state.content,
            dialect: self.asked.dialect,
            request: state.request.clone(),
            passed: state.is_passed.then(|| passed.into_owned()),
            given: state.given.clone(),
            interventions: state.end.as_ref().and_then(|end| end.interventions.clone()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The beginning of a name or a sentence, as clients can make them up in any length.
fn bounded(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST))
        .unwrap_or_default()
}
