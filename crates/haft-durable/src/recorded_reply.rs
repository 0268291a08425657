//! What is recorded of a reply of a model.

use haft_core::{AiMessage, ModelError, ModelErrorKind};
use serde::{Deserialize, Serialize};

use crate::run::RecordedStep;

/// The name of a step that asks the model.
pub(crate) const REPLY: &str = "reply";

/// What is recorded of a request: the reply, or why there was none.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    Message(Box<AiMessage>),
    Failed {
        kind: ModelErrorKind,
        message: String,
        hint: Option<String>,
    },
}

/// Whether a step is a reply that failed.
pub(crate) fn is_failed_reply(step: &RecordedStep) -> bool {
    let reply = Reply::deserialize(&step.value);
    step.name == REPLY && matches!(reply, Ok(Reply::Failed { .. }))
}

/// The message of a reply that did not fail.
pub(crate) fn reply_message(step: &RecordedStep) -> Option<AiMessage> {
    if step.name != REPLY {
        return None;
    }
    match Reply::deserialize(&step.value).ok()? {
        Reply::Message(message) => Some(*message),
        Reply::Failed { .. } => None,
    }
}

/// A reply in words: its text and its calls, or why it failed.
pub(crate) fn reply_text(step: &RecordedStep) -> Option<String> {
    Some(match Reply::deserialize(&step.value).ok()? {
        Reply::Failed { message, .. } => message,
        Reply::Message(message) => {
            let calls = message.tool_calls.iter().map(|call| {
                let arguments = serde_json::to_string(&call.args).unwrap_or_default();
                format!("{} {arguments}", call.name)
            });
            let text = message.content.text();
            let text = [text].into_iter().filter(|text| !text.is_empty());
            text.chain(calls).collect::<Vec<_>>().join("; ")
        }
    })
}

impl Reply {
    pub(crate) fn into_result(self) -> Result<AiMessage, ModelError> {
        match self {
            Self::Message(message) => Ok(*message),
            Self::Failed {
                kind,
                message,
                hint,
            } => {
                let error = ModelError::new(kind, message);
                Err(match hint {
                    Some(hint) => error.with_hint(hint),
                    None => error,
                })
            }
        }
    }
}

impl From<ModelError> for Reply {
    fn from(error: ModelError) -> Self {
        Self::Failed {
            kind: error.kind(),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
        }
    }
}
