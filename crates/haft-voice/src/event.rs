//! What happens while something that was said is answered, for everyone who watches: traces,
//! satellites, message brokers.

use std::fmt;
use std::time::Duration;

use haft_core::{ToolCall, ToolReport};
use haft_select::Classification;

use crate::error::VoiceError;

/// One step from what was said to its answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum VoiceEvent {
    /// Nothing will be done about it; the last event of this utterance.
    Dropped(DropReason),
    /// The words that were heard, without the wake phrase.
    Transcription {
        /// As the recogniser wrote them.
        text: String,
        /// How long the recogniser took; nothing for words that came as words.
        took: Duration,
    },
    /// What the words are about, and who answers them.
    Intent {
        /// What the classifier says.
        about: Classification,
        /// Who answers.
        by: Responder,
        /// Why, in a phrase for whoever watches.
        reason: &'static str,
    },
    /// A tool begins to run.
    ToolStarted(ToolCall),
    /// A tool call was answered.
    ToolFinished(Box<ToolReport>),
    /// One sentence of the answer, made to be spoken, as soon as the model has finished it.
    Sentence(String),
    /// The answer is complete; the last event of an utterance that was answered.
    Answer {
        /// All of its sentences.
        text: String,
        /// Who answered: the name of a model; `builtin` for local commands.
        model: String,
        /// From the words to the end of the answer.
        took: Duration,
    },
    /// A newer utterance took the turn; the last event of this one.
    Cancelled,
    /// Something failed. It is the last event where nothing was answered;
    /// [`VoiceError::spoken`] is what the user hears then.
    Error(VoiceError),
}

/// Who answers.
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

/// Why an utterance is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DropReason {
    /// It is shorter than any word.
    Click,
    /// It has no energy.
    Silence,
    /// The recogniser heard no words.
    NoWords,
    /// It does not begin with the wake phrase.
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
