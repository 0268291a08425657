//! The trait that every model implements, and the stream in which it answers.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde_json::Value;

use crate::{
    AiMessage, Generation, InvalidToolCall, Mend, Message, ModelError, ModelErrorKind, Tool,
    ToolCall,
};

/// A reply on its way: deltas for whoever watches, then one [`ChatChunk::Done`] with the whole.
pub type ChatStream = BoxStream<'static, Result<ChatChunk, ModelError>>;

/// A model that continues a conversation.
///
/// Streaming is the only driver: [`invoke`](Self::invoke) is [`stream`](Self::stream) collected,
/// so both always agree. Dropping the stream cancels the request.
#[async_trait]
pub trait ChatModel: Send + Sync + Debug {
    /// The model's full name, such as `ollama:qwen3:0.6b`.
    fn id(&self) -> &str;

    /// The same model with `tools` bound: they are turned into the provider's wire format here,
    /// once, in the given order, and every request of the bound model carries them.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] when a tool cannot be expressed on this wire.
    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// How many tokens prompt and reply may have together, where the model knows it.
    fn context(&self) -> Option<u64> {
        None
    }

    /// Sends the conversation and streams the reply. Errors come as the stream's last item.
    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream;

    /// Sends the conversation and waits for the whole reply.
    ///
    /// # Errors
    ///
    /// Whatever ended the stream early.
    async fn invoke(
        &self,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<AiMessage, ModelError> {
        collect(self.stream(messages, options)).await
    }
}

/// What may differ from request to request.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// Whether the model may, must or must not call a tool.
    pub tool_choice: ToolChoice,
    /// JSON Schema that the text of the reply must follow.
    pub response_schema: Option<Arc<Value>>,
    /// How the reply is written.
    pub generation: Generation,
    /// The last reply ran out of tokens: this one may have several times as many, as far as the
    /// adapter can arrange it.
    pub more_room: bool,
    /// The last reply was nothing but thoughts: this one comes without, where the provider lets
    /// them be switched off.
    pub without_thinking: bool,
    /// Nobody reads the reply before its end: a server need not stream it.
    pub in_one_piece: bool,
}

/// Whether a model may, must or must not call a tool. Enforced by the adapter, also where the
/// server ignores it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No call: the request goes out without tools.
    None,
    /// One call of a bound tool, or the express word that none is needed, but no prose: a reply
    /// without calls and without text means "none".
    OneOrNone,
    /// At least one call, of any bound tool.
    Required,
    /// A call of this tool.
    Tool(String),
}

/// One step of a reply.
///
/// `CallStart` and `CallArgs` are provisional, for display; `CallEnd` is a complete call, and `Done`
/// the truth: a call that was printed as text may be missing in it, where what follows shows that
/// it was no more than a thought. Such a call may also be there under another id, where the server
/// told of it as well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChatChunk {
    /// More of the text.
    Text(String),
    /// More of the thinking.
    Reasoning(String),
    /// The provider's seal under the latest thought, or a piece of it. Whoever continues the
    /// conversation gives it back with the thought.
    Signature(String),
    /// A thought that the provider hides.
    RedactedThinking(String),
    /// A call begins.
    CallStart {
        /// Its place among the calls of this reply, from 0.
        index: usize,
        /// The tool's name as far as known.
        name: String,
        /// The call's id, where the server itself tells of the call. What is read out of a text
        /// may still turn out to be none.
        id: Option<String>,
    },
    /// More of a call's arguments, as the model wrote them.
    CallArgs {
        /// The call's place.
        index: usize,
        /// A piece of raw text, usually JSON.
        fragment: String,
    },
    /// A call is complete.
    CallEnd {
        /// The call's place.
        index: usize,
        /// The call.
        call: ToolCall,
    },
    /// Something was put right in a call of this reply.
    Mended(Mend),
    /// A call could not be understood.
    Invalid(InvalidToolCall),
    /// Another model than the one that was asked for answers in its place; it is told first.
    AnsweredBy(String),
    /// The whole reply; always the last item of a stream that did not fail.
    Done(AiMessage),
}

/// Waits for the end of a reply.
///
/// # Errors
///
/// The stream's error, or [`ModelErrorKind::CutStream`] when it ends without `Done`.
pub async fn collect(mut stream: ChatStream) -> Result<AiMessage, ModelError> {
    while let Some(chunk) = stream.next().await {
        if let ChatChunk::Done(message) = chunk? {
            return Ok(message);
        }
    }
    Err(ModelError::new(
        ModelErrorKind::CutStream,
        "The reply ended before it was complete",
    ))
}
