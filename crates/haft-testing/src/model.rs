//! A chat model that follows a script and remembers every request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, ModelErrorKind,
    Tool,
};

/// One request that a [`ScriptedModel`] got.
#[derive(Clone, Debug)]
pub struct ScriptedRequest {
    /// The conversation.
    pub messages: Vec<Message>,
    /// Names of the bound tools.
    pub tools: Vec<String>,
    /// The options.
    pub options: CallOptions,
}

/// A model that gives prepared replies in order.
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel {
    replies: Arc<Mutex<VecDeque<Result<AiMessage, ModelError>>>>,
    requests: Arc<Mutex<Vec<ScriptedRequest>>>,
    tools: Vec<String>,
}

impl ScriptedModel {
    /// A model with these replies; asking once more is an error.
    pub fn new(replies: impl IntoIterator<Item = Result<AiMessage, ModelError>>) -> Self {
        Self {
            replies: Arc::new(Mutex::new(replies.into_iter().collect())),
            ..Self::default()
        }
    }

    /// A model whose replies all succeed.
    pub fn saying(replies: impl IntoIterator<Item = AiMessage>) -> Self {
        Self::new(replies.into_iter().map(Ok))
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<ScriptedRequest> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn id(&self) -> &str {
        "scripted"
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        let tools = tools.iter().map(|tool| tool.name().to_owned()).collect();
        Ok(Arc::new(Self {
            tools,
            ..self.clone()
        }))
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(ScriptedRequest {
                messages: messages.to_vec(),
                tools: self.tools.clone(),
                options: options.clone(),
            });
        let reply = self
            .replies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let reply = reply.unwrap_or_else(|| {
            Err(ModelError::new(
                ModelErrorKind::Unsupported,
                "The script is over",
            ))
        });
        let chunks = match reply {
            Ok(message) => {
                let text = message.content.text();
                let text = (!text.is_empty()).then_some(Ok(ChatChunk::Text(text)));
                text.into_iter()
                    .chain([Ok(ChatChunk::Done(message))])
                    .collect()
            }
            Err(error) => vec![Err(error)],
        };
        stream::iter(chunks).boxed()
    }
}
