//! Chat models of Ollama, OpenAI-compatible servers and Anthropic, and replayed recordings, all
//! behind [`ChatModel`](haft_core::ChatModel).
//!
//! # Brief overview
//!
//! [`ChatOllama`], [`ChatOpenAi`] and [`ChatAnthropic`] each implement one wire protocol: `wire`
//! holds its types, `encode` turns messages and tools into a request, `decode` feeds the response
//! into the `ReplyBuilder` that all providers share. They share an HTTP layer with [`Limits`],
//! retries and typed errors; its [`Transport`] can record and replay. A [`ModelSpec`]
//! names a model, [`open_model`] opens it, [`choose_model`] finds a local one. The command engine
//! `builtin` has a name here too, but it is no provider: `haft-command` implements it, and
//! `haft_agent::open_model` opens it as well.
//!
//! The crate depends on `haft-core` and `haft-schema`, and `haft-agent` builds on it. No tools run
//! here.
//!
//! ```
//! use haft_models::{ModelSettings, ModelSpec, open_model};
//!
//! let spec: ModelSpec = "ollama:qwen3:0.6b".parse()?;
//! let model = open_model(&spec, &ModelSettings::default())?;
//! assert_eq!(model.id(), "ollama:qwen3:0.6b");
//! # Ok::<_, haft_core::ModelError>(())
//! ```

mod anthropic;
mod borrowed_text;
mod bound;
mod choose;
mod client_request;
mod description;
mod document;
mod emit;
mod hint;
mod http;
mod known_lists;
mod lenient;
mod local;
mod max_tokens;
mod names;
mod non_empty;
mod offered;
mod ollama;
mod openai;
mod pass_through;
mod provider;
mod providers;
mod quoted;
mod replay;
mod reply;
mod schema_after_tools;
mod server;
mod server_kind;
mod settings;
mod size;
mod spec;
mod stable_prefix;
mod surrogates;
mod template_tokens;
mod text_mode;
mod tool_choice;
mod tool_mode;
mod wire_ids;
mod wire_tools;

pub use anthropic::{AnthropicTool, ChatAnthropic, to_anthropic_tools};
pub use choose::{
    AnthropicSurvey, Choice, ModelSurvey, OllamaSurvey, OpenAiSurvey, ServedSurvey, Survey,
    choose_model, survey, survey_model,
};
pub use client_request::{ClientHistory, ClientRequest, ClientTool, ClientToolResult, ClientTools};
pub use description::ToolSupport;
#[doc(no_inline)]
pub use haft_extract::{BareCalls, Format};
pub use http::{Limits, Secret, Transport, is_loopback};
pub use ollama::{
    ChatOllama, QwenFunction, QwenTool, QwenToolType, to_qwen_tools, validate_qwen_tool,
};
pub use openai::ChatOpenAi;
pub use pass_through::{PassThrough, PassThroughApi, PassThroughReply, PassThroughRequest};
pub use provider::{LlamaCppPage, LlamaCppPageKind};
pub use replay::{Recorder, open_replay};
pub use server::{ByteStream, ForwardBody, ModelServer, OpenedModel};
pub use server_kind::ServerKind;
pub use settings::{ModelSettings, ServerSettings};
pub use size::{billions, is_small};
pub use spec::{ModelSpec, ServedModel, open_model};
pub use stable_prefix::StablePrefix;
pub use template_tokens::without_template_tokens;
pub use tool_mode::ToolMode;
