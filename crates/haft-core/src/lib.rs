//! The shared types of haft: messages, tool calls, events and errors, and the traits of tools and
//! chat models, independent of any model server or tool server.
//!
//! This crate does no I/O and knows no provider. `haft-schema` checks arguments, `haft-models`
//! talks to model servers, `haft-tools` runs tools, and `haft-agent` combines them into a loop. A
//! plug-in needs this crate alone.
//!
//! # Brief overview
//!
//! A conversation is a list of [`Message`]s. A [`ChatModel`] continues it with an [`AiMessage`],
//! which may ask for tools through its `tool_calls`. A [`Tool`] is anything with a name, a
//! description, a JSON Schema and an [`invoke`](Tool::invoke) that takes a [`ToolInput`].
//! Every call is answered by a [`ToolMessage`] with the same id.
//!
//! ```
//! use haft_core::{AiMessage, Message, ToolCall, ToolMessage};
//! use serde_json::json;
//!
//! let call = ToolCall::new("get_weather", json!({"city": "Oslo"}), "call_1");
//! let asked = AiMessage::new("Let me look.").with_tool_calls([call]);
//! let answered = ToolMessage::success("21 degrees", "call_1");
//! let history = [Message::human("A coat?"), asked.into(), answered.into()];
//! assert_eq!(serde_json::to_value(&history[1]).unwrap()["tool_calls"][0]["name"], "get_weather");
//! ```
//!
//! The JSON form is the flat one of LangChain's message classes
//! (`langchain-ai/langchain: libs/core/langchain_core/messages`).

mod answer;
mod chat_model;
mod client_document;
mod content;
mod event;
mod generate;
mod generation;
mod message;
mod model_error;
mod quoted_call;
mod raw_reply;
mod recovery;
mod repair;
mod request_context;
mod role;
mod secrets;
mod server_fields;
mod token_estimate;
mod tool;
mod tool_call;
mod tool_error;
mod traces;
mod usage;
mod web_search;

pub use answer::{Answer, Outcome};
pub use chat_model::{
    CallOptions, ChatChunk, ChatModel, ChatStream, QueueShare, ToolChoice, collect,
};
pub use client_document::{ClientApi, ClientDocument, ClientHeader, ClientMessage};
pub use content::{Content, ContentBlock, ImageBlock};
pub use event::{Event, ToolReport};
pub use generate::{Emitter, generate};
pub use generation::{Generation, ThinkingEffort};
pub use message::{
    AiMessage, HumanMessage, Message, StopReason, SystemMessage, ToolMessage, ToolStatus,
};
pub use model_error::{ModelError, ModelErrorKind};
pub use quoted_call::{QuoteSource, QuotedCall};
pub use raw_reply::{RawAttempt, RawCall, RawPart, RawReply};
pub use recovery::{Recovery, RecoveryStep};
pub use repair::CallRepair;
pub use request_context::RequestContext;
pub use role::Role;
pub use secrets::{
    HIDDEN, Secrets, is_secret_name, looks_like_key, mask_arguments, mask_keys, mask_url,
};
pub use server_fields::ServerFields;
pub use token_estimate::estimated_tokens;
pub use tool::{Tool, ToolAnnotations, ToolInput, ToolOutput, ToolSource};
pub use tool_call::{Arguments, InvalidToolCall, ToolCall};
pub use tool_error::{ToolError, ToolErrorKind};
pub use traces::TRACES;
pub use usage::Usage;
pub use web_search::{SearchReport, SearchVia, Source};
