//! Chat models: Ollama, OpenAI-compatible servers, Anthropic, the embedded command engine
//! `builtin`, and recorded traffic, all behind [`ChatModel`](haft_core::ChatModel).
//!
//! # Brief overview
//!
//! [`ChatOllama`], [`ChatOpenAi`] and [`ChatAnthropic`] each speak one wire: `wire` holds its
//! types, `encode` turns messages and tools into a request, `decode` feeds what comes back into
//! the one `ReplyBuilder` that all providers share. All of them go through one HTTP layer with
//! its [`Limits`], retries and typed errors, whose [`Transport`] can record and replay.
//! [`Builtin`] is a local command engine and needs no server. [`ModelSpec`] names any of them
//! in one word, [`open_model`] opens it, [`choose_model`] finds a local one by itself.
//!
//! The neighbours are `haft-core` and `haft-schema` below and `haft-agent` above. No tool runs
//! here.
//!
//! ```
//! use haft_core::{CallOptions, ChatModel, Message};
//! use haft_models::{ModelSettings, ModelSpec, open_model};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let spec: ModelSpec = "builtin".parse()?;
//! let model = open_model(&spec, &ModelSettings::default())?;
//! let reply = model.invoke(&[Message::human("hello")], &CallOptions::default()).await?;
//! assert!(!reply.content.is_blank());
//! # Ok::<_, haft_core::ModelError>(())
//! # }).unwrap();
//! ```

mod anthropic;
mod bound;
mod builtin;
mod choose;
mod dialect;
mod hint;
mod http;
mod known_lists;
mod names;
mod ollama;
mod openai;
mod relay;
mod replay;
mod reply;
mod room;
mod server;
mod spec;
mod text_mode;
mod tool_choice;
mod tool_mode;
mod two_turns;
mod wire_ids;
mod wire_tools;

pub use anthropic::{AnthropicTool, ChatAnthropic, to_anthropic_tools};
pub use builtin::Builtin;
pub use choose::{
    AnthropicSurvey, Choice, ModelSurvey, OllamaSurvey, OpenAiSurvey, Survey, choose_model, survey,
};
pub use dialect::{ClientRequest, Dialect, ReplyWriter, status_of};
#[doc(no_inline)]
pub use haft_extract::Format;
pub use http::{Limits, Secret, Transport, is_loopback};
pub use ollama::{
    ChatOllama, QwenFunction, QwenTool, QwenToolType, to_qwen_tools, validate_qwen_tool,
};
pub use openai::ChatOpenAi;
pub use relay::{PassedRequest, Relay, Relayed};
pub use replay::{Recorder, open_replay};
pub use server::{ByteStream, ForwardBody, ModelServer, ServerKind};
pub use spec::{ModelSettings, ModelSpec, open_model};
pub use tool_mode::ToolMode;
