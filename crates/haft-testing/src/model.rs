//! A chat model that plays a script and records every request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, ModelErrorKind,
    Tool,
};

/// One request that a [`ScriptedModel`] received.
#[derive(Clone, Debug)]
pub struct ScriptedRequest {
    /// The conversation.
    pub messages: Vec<Message>,
    /// The names of the bound tools.
    pub tools: Vec<String>,
    /// The options of the request.
    pub options: CallOptions,
}

/// One scripted reaction of a [`ScriptedModel`].
#[derive(Clone, Debug)]
enum Scripted {
    Reply(AiMessage),
    /// A reply whose stream ends without [`ChatChunk::Done`].
    Cut(AiMessage),
    Error(ModelError),
}

/// A model that gives prepared replies in order.
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel {
    replies: Arc<Mutex<VecDeque<Scripted>>>,
    requests: Arc<Mutex<Vec<ScriptedRequest>>>,
    tools: Vec<String>,
}

impl ScriptedModel {
    /// Creates a model with these replies. A request after the last one fails.
    pub fn new(replies: impl IntoIterator<Item = Result<AiMessage, ModelError>>) -> Self {
        Self {
            replies: Arc::new(Mutex::new(replies.into_iter().map(Into::into).collect())),
            ..Self::default()
        }
    }

    /// Appends a reply whose stream ends before it is complete.
    #[must_use]
    pub fn then_cut(self, reply: AiMessage) -> Self {
        self.replies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(Scripted::Cut(reply));
        self
    }

    /// Creates a model whose replies all succeed.
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
            Scripted::Error(ModelError::new(
                ModelErrorKind::Unsupported,
                "The script is over",
            ))
        });
        stream::iter(reply.chunks()).boxed()
    }
}

impl Scripted {
    /// The items that the stream of this reply yields.
    fn chunks(self) -> Vec<Result<ChatChunk, ModelError>> {
        let text = |message: &AiMessage| {
            let text = message.content.text();
            (!text.is_empty()).then_some(Ok(ChatChunk::Text(text)))
        };
        match self {
            Self::Reply(message) => {
                let text = text(&message).into_iter();
                text.chain([Ok(ChatChunk::Done(message))]).collect()
            }
            Self::Cut(message) => {
                let text = text(&message).into_iter();
                let calls = message.tool_calls.into_iter().enumerate();
                let calls = calls.map(|(index, call)| Ok(ChatChunk::CallEnd { index, call }));
                text.chain(calls).collect()
            }
            Self::Error(error) => vec![Err(error)],
        }
    }
}

impl From<Result<AiMessage, ModelError>> for Scripted {
    fn from(reply: Result<AiMessage, ModelError>) -> Self {
        reply.map_or_else(Self::Error, Self::Reply)
    }
}
