//! The events of answering an utterance, for observers: traces, satellites, message brokers.

use std::fmt;
use std::time::Duration;

use haft_core::{ToolCall, ToolReport};
use haft_select::Classification;

use crate::error::VoiceError;

/// One step from an utterance to its answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum VoiceEvent {
    /// The utterance was ignored. The last event of this utterance.
    Dropped(DropReason),
    /// The transcript.
    Transcription {
        /// The text from speech-to-text, without the wake phrase.
        text: String,
        /// The duration of speech-to-text; `None` for a text utterance.
        took: Duration,
    },
    /// The intent of the transcript, and who answers.
    Intent {
        /// The result of the intent classifier.
        about: Classification,
        /// The component that answers.
        by: Responder,
        /// The reason, as a phrase for observers.
        reason: &'static str,
    },
    /// A tool call started.
    ToolStarted(ToolCall),
    /// A tool call has a result.
    ToolFinished(Box<ToolReport>),
    /// One speakable sentence of the answer, as soon as the model has finished it.
    Sentence(String),
    /// The answer is complete; the last event of an utterance that was answered.
    Answer {
        /// All sentences of the answer.
        text: String,
        /// The model's name; `builtin` for local commands.
        model: String,
        /// The time from the transcript to the end of the answer.
        took: Duration,
        /// The token limit truncated the reply.
        is_truncated: bool,
    },
    /// A newer utterance interrupted this one. The last event of this utterance.
    Cancelled,
    /// A failure; the last event if the utterance was not answered. [`VoiceError::spoken`] is the
    /// sentence for the user.
    Error(VoiceError),
}

/// The component that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Responder {
    /// The embedded command engine, in milliseconds.
    Local,
    /// The model of the agent.
    Model,
}

impl Responder {
    /// The name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Model => "model",
        }
    }
}

/// The reason why an utterance is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DropReason {
    /// The audio is too short for a word.
    Click,
    /// The audio is silent.
    Silence,
    /// The transcript is empty.
    NoWords,
    /// The transcript does not begin with the wake phrase.
    NotAddressed,
}

impl fmt::Display for DropReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Click => "too short to be a word",
            Self::Silence => "silence",
            Self::NoWords => "no words in it",
            Self::NotAddressed => "it does not begin with the wake phrase",
        })
    }
}
