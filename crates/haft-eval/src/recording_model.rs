//! Records a model's first reply, to score it before repair and recovery change it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::StreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Tool,
};

/// The first reply of a case, once it has arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstReply(Arc<Mutex<Option<AiMessage>>>);

impl FirstReply {
    pub(crate) fn get(&self) -> Option<AiMessage> {
        let reply = self.0.lock();
        reply.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Wraps `model` to record its first reply here.
    pub(crate) fn of(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Arc::new(RecordingModel {
            model,
            first: self.clone(),
        })
    }
}

#[derive(Debug)]
struct RecordingModel {
    model: Arc<dyn ChatModel>,
    first: FirstReply,
}

#[async_trait]
impl ChatModel for RecordingModel {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(self.first.of(self.model.bind_tools(tools)?))
    }

    fn context(&self) -> Option<u64> {
        self.model.context()
    }

    fn parameters(&self) -> Option<u64> {
        self.model.parameters()
    }

    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream {
        let first = self.first.clone();
        let keep = move |chunk: &Result<ChatChunk, ModelError>| {
            if let Ok(ChatChunk::Done(reply)) = chunk {
                let mut first = first.0.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert_with(|| reply.clone());
            }
        };
        self.model.stream(messages, options).inspect(keep).boxed()
    }
}
