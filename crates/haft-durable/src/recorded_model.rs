//! A model whose replies are recorded.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError,
    ModelErrorKind, Tool, generate,
};
use serde::{Deserialize, Serialize};

use crate::chunks::ChunkWriter;
use crate::run::RecordedStep;
use crate::steps::Steps;

/// The name of a step that asks the model.
pub(crate) const REPLY: &str = "reply";

/// Asks `model`, or returns the recorded reply, without its chunks.
pub(crate) struct RecordedModel {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) steps: Arc<Steps>,
}

impl ChatModel for RecordedModel {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self {
            model: self.model.bind_tools(tools)?,
            steps: self.steps.clone(),
        }))
    }

    fn context(&self) -> Option<u64> {
        self.model.context()
    }

    fn parameters(&self) -> Option<u64> {
        self.model.parameters()
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let model = self.model.clone();
        let steps = self.steps.clone();
        let messages = messages.to_vec();
        let options = options.clone();
        generate(|chunks| async move {
            let was_shown = AtomicBool::new(false);
            let ask = async || {
                let shown = steps.show_text();
                let reply = pass_on(model.stream(&messages, &options), &chunks, &shown).await;
                was_shown.store(shown.has_written(), Ordering::Relaxed);
                reply
            };
            let reply: Reply = steps.record(REPLY, ask).await;
            if was_shown.load(Ordering::Relaxed) {
                steps.forget_text().await;
            }
            chunks.emit(ChatChunk::Done(reply.into_result()?)).await;
            Ok(())
        })
    }
}

/// Passes the chunks of a reply on and returns the whole of it.
async fn pass_on(mut reply: ChatStream, chunks: &Emitter<ChatChunk>, shown: &ChunkWriter) -> Reply {
    while let Some(chunk) = reply.next().await {
        if let Ok(ChatChunk::Text(text)) = &chunk {
            shown.push(text);
        }
        match chunk {
            Ok(ChatChunk::Done(message)) => return Reply::Message(Box::new(message)),
            Ok(chunk) => chunks.emit(chunk).await,
            Err(error) => return error.into(),
        }
    }
    let cut = "The reply ended before it was complete";
    ModelError::new(ModelErrorKind::CutStream, cut).into()
}

/// What is recorded of a request: the reply, or why there was none.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
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
    fn into_result(self) -> Result<AiMessage, ModelError> {
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

impl fmt::Debug for RecordedModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecordedModel")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
