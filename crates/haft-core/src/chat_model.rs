//! The trait [`ChatModel`], its options, and the stream of its reply.
//!
//! This trait is the boundary between haft and model servers. Above it there are only
//! [`Message`]s, [`Tool`]s and [`ChatChunk`]s; below it each provider in `haft-models` has its wire
//! format. A model of yours needs this trait and nothing else (`examples/write_a_chat_model.rs`).
//!
//! Streaming is the one way to ask: `invoke` collects the stream. A model that implements both
//! could answer differently in each, and only one of them would be tested.
//!
//! A stream is chunks, which are for display, then one [`ChatChunk::Done`] with the whole reply,
//! which is what counts. Only that last item says which calls the reply makes: what looked like a
//! call half-way can turn out to be text. A stream that ends without `Done` was cut, and is an
//! error rather than a short reply.

use std::fmt::Debug;
use std::num::NonZeroU16;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde_json::Value;

use crate::{
    AiMessage, CallRepair, ClientDocument, Generation, InvalidToolCall, Message, ModelError,
    ModelErrorKind, QuotedCall, RawReply, RequestContext, ServerFields, Tool, ToolCall,
};

/// A streamed reply: chunks, then one [`ChatChunk::Done`] with the whole reply.
pub type ChatStream = BoxStream<'static, Result<ChatChunk, ModelError>>;

/// A model that continues a conversation.
///
/// [`invoke`](Self::invoke) collects [`stream`](Self::stream), so both give the same reply.
/// Dropping the stream cancels the request.
#[async_trait]
pub trait ChatModel: Send + Sync + Debug {
    /// The model's full name, such as `ollama:qwen3:0.6b`.
    fn id(&self) -> &str;

    /// A copy of the model that offers `tools` in every request. The tools are converted to the
    /// provider's wire format here, once and in the given order.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] when a tool cannot be expressed in this wire format.
    fn bind_tools(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// The context size in tokens, prompt and reply together, if known.
    fn context(&self) -> Option<u64> {
        None
    }

    /// The number of the model's parameters, if it is known and not only said by its name.
    fn parameters(&self) -> Option<u64> {
        None
    }

    /// Sends the conversation and streams the reply. Errors come as the stream's last item.
    fn stream(&self, messages: &[Message], options: &CallOptions) -> ChatStream;

    /// Sends the conversation and waits for the whole reply.
    ///
    /// # Errors
    ///
    /// The error that ended the stream, or [`ModelErrorKind::CutStream`].
    async fn invoke(
        &self,
        messages: &[Message],
        options: &CallOptions,
    ) -> Result<AiMessage, ModelError> {
        collect(self.stream(messages, options)).await
    }
}

/// The options of one request.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// Whether the model may, must or must not call a tool.
    pub tool_choice: ToolChoice,
    /// JSON Schema that the text of the reply must follow.
    pub response_schema: Option<Arc<Value>>,
    /// Sampling parameters and limits of the reply.
    pub generation: Generation,
    /// Raises the token limit several times, as far as the server permits, because the last reply
    /// reached it.
    pub raise_max_tokens: bool,
    /// Switches reasoning off if the provider supports that, because the last reply had nothing
    /// else.
    pub without_thinking: bool,
    /// Untrusted text that a program added to the user's messages, such as results of a web
    /// search. A call in it is not a request of the user.
    pub foreign_text: Option<Arc<str>>,
    /// Only the whole reply is needed, so the server may send it without streaming.
    pub in_one_piece: bool,
    /// Whose request this is, where several users share model servers.
    pub queue_share: Option<QueueShare>,
    /// The document of the client on whose behalf the model is asked. A server of the same API is
    /// sent it with only those parts replaced that differ from the other arguments.
    pub client_document: Option<Arc<ClientDocument>>,
    /// The request of that client.
    pub request_context: Option<Arc<RequestContext>>,
}

impl CallOptions {
    /// Where the reply is recorded as the model wrote it.
    #[must_use]
    pub fn raw_reply(&self) -> RawReply {
        let context = self.request_context.as_ref();
        context.map_or_else(RawReply::default, |context| context.raw_reply().clone())
    }
}

/// The share of a user in model servers that several users wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueShare {
    /// The user; the shares of one user add up to one.
    pub owner: Arc<str>,
    /// How many requests of the user are served for each one of a user with weight 1, while both
    /// have requests waiting.
    pub weight: NonZeroU16,
}

/// Whether a model may, must or must not call a tool. The adapter enforces it even when the
/// server ignores it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No call: the request goes out without tools.
    None,
    /// One call of a bound tool or an explicit "none", but no prose. A reply without calls and
    /// without text means "none".
    OneOrNone,
    /// At least one call, of any bound tool.
    Required,
    /// A call of the tool with this name.
    Tool(String),
}

/// One chunk of a streamed reply.
///
/// `CallStart` and `CallArgs` are provisional, for display. `CallEnd` is a complete call. Only
/// `Done` is final: a call that was read from the text may be missing there, when later text shows
/// that it was not meant, or have another id, when the server reported it as well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChatChunk {
    /// More of the text.
    Text(String),
    /// More of the reasoning.
    Reasoning(String),
    /// The provider's signature of the latest reasoning, or a part of it; sent back unchanged when
    /// the conversation continues.
    Signature(String),
    /// Reasoning that the provider encrypts.
    RedactedThinking(String),
    /// A call starts.
    CallStart {
        /// The index of the call within this reply, from 0.
        index: usize,
        /// The tool's name as far as known.
        name: String,
        /// The call's id if the server reported the call. A call that is read from the text has
        /// none yet and may turn out not to be one.
        id: Option<String>,
    },
    /// More of a call's arguments, as the model wrote them.
    CallArgs {
        /// The index of the call.
        index: usize,
        /// A piece of raw text, usually JSON.
        fragment: String,
    },
    /// A call is complete.
    CallEnd {
        /// The index of the call.
        index: usize,
        /// The call.
        call: ToolCall,
    },
    /// A call of this reply was repaired.
    Repaired(CallRepair),
    /// A call in the text is only quoted from the conversation. It is not a call and stays in the
    /// text.
    Quoted(QuotedCall),
    /// A call could not be parsed.
    Invalid(InvalidToolCall),
    /// A fallback model answers; its name, before any other chunk.
    AnsweredBy(String),
    /// The model gets no native tools from its server, so they are taught in its prompt; the reason,
    /// as a phrase for people. Once per model, before the first reply that was asked for this way.
    ToolsTaught(String),
    /// Fields of the reply that haft's types do not have, for a client whose
    /// [document](CallOptions::client_document) has the server's API. They belong to the content
    /// before them.
    ServerFields(Box<ServerFields>),
    /// Fields of the client's document that this server's API has no counterpart for, so that they
    /// were not sent. Before any other chunk of the reply.
    FieldsDropped(Vec<String>),
    /// The whole reply; always the last item of a stream that did not fail.
    Done(AiMessage),
}

/// Reads a stream to its end and returns the whole reply.
///
/// # Errors
///
/// The error of the stream, or [`ModelErrorKind::CutStream`] when it ends without `Done`.
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
