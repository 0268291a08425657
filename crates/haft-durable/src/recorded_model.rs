//! A model whose replies are recorded.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::StreamExt;
use haft_core::{
    CallOptions, ChatChunk, ChatModel, ChatStream, Emitter, Message, ModelError, ModelErrorKind,
    Tool, generate,
};

use crate::chunks::ChunkWriter;
use crate::recorded_reply::{REPLY, Reply};
use crate::steps::Steps;

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

impl fmt::Debug for RecordedModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecordedModel")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
