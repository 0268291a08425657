//! The result of one utterance, as a JSON object.

use std::time::Duration;

use haft::types::ToolStatus;
use haft::voice::{VoiceError, VoiceErrorKind, VoiceEvent};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;

/// One line of `--json`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Record {
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<&'static str>,
    /// `local` or `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Call>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// The answer was cut off at the token limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// The time from the transcript to the end of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// The reason why the utterance was not answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The spoken version of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cancelled: bool,
}

/// A tool call.
#[derive(Debug, Serialize)]
struct Call {
    name: String,
    args: Value,
    result: String,
    is_error: bool,
    duration_ms: u64,
}

impl Record {
    /// The number of the utterance, from 1.
    pub(super) fn new(id: u64, file: Option<String>) -> Self {
        Self {
            id,
            file,
            ..Self::default()
        }
    }

    /// A record of an utterance that could not be read.
    pub(super) fn of_failure(id: u64, file: Option<String>, failure: &Failure) -> Self {
        Self {
            id,
            file,
            error: Some(failure.message.clone()),
            hint: failure.hint.clone(),
            ..Self::default()
        }
    }

    /// Adds an event; true for the last one.
    pub(super) fn add(&mut self, event: &VoiceEvent) -> bool {
        match event {
            VoiceEvent::Dropped(reason) => self.dropped = Some(reason.to_string()),
            VoiceEvent::Transcription { text, .. } => {
                self.text = Some(text.clone());
                return false;
            }
            VoiceEvent::Intent { about, by, .. } => {
                self.intent = Some(about.label().name());
                self.by = Some(by.name());
                return false;
            }
            VoiceEvent::ToolFinished(report) => {
                self.calls.push(Call {
                    name: report.call.name.clone(),
                    args: Value::Object(report.call.args.clone()),
                    result: report.message.content.text(),
                    is_error: report.message.status == ToolStatus::Error,
                    duration_ms: milliseconds(report.duration),
                });
                return false;
            }
            VoiceEvent::Answer {
                text,
                model,
                took,
                is_truncated,
            } => {
                self.truncated = *is_truncated;
                self.answer = Some(text.clone());
                self.model = Some(model.clone());
                self.duration_ms = Some(milliseconds(*took));
            }
            VoiceEvent::Cancelled => self.cancelled = true,
            VoiceEvent::Error(error) if ends(error) => {
                self.error = Some(error.to_string());
                self.hint = error.hint().map(str::to_owned);
                self.spoken = Some(error.spoken());
            }
            _ => return false,
        }
        true
    }

    /// True when the user was answered.
    pub(super) fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    pub(super) fn is_failed(&self) -> bool {
        self.error.is_some()
    }

    pub(super) fn said(&self) -> Option<&str> {
        self.answer.as_deref().or(self.spoken)
    }
}

/// An answer that cannot be spoken is still an answer.
fn ends(error: &VoiceError) -> bool {
    error.kind() != VoiceErrorKind::Speech
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
