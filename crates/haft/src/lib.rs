//! Tool calling that works with any language model, above all with small local ones.
//!
//! # Brief overview
//!
//! An [`Agent`] is a model with tools. Its model is named like `ollama:qwen3:0.6b`,
//! `openai:gpt-5@http://localhost:8080/v1` or `anthropic:claude-haiku-4-5`, or it is any
//! [`ChatModel`] of yours. Its tools are functions made with [`tool()`], the tools of MCP
//! servers, and any [`Tool`] of yours, in one flat list. Every call that the model makes is
//! answered, even an invalid one.
//!
//! ```
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct WeatherArgs {
//!     /// City name
//!     city: String,
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let agent = haft::Agent::builder()
//!     .model("builtin") // or "ollama:qwen3:0.6b", or any ChatModel
//!     .tool(haft::tools::get_current_datetime())
//!     .tool(haft::tool("get_weather", "Current weather in a city", |args: WeatherArgs| async move {
//!         Ok::<_, haft::ToolError>(format!("21 degrees in {}", args.city))
//!     }))
//!     .build()
//!     .await?;
//! let answer = agent.ask("What time is it in Oslo?").await?;
//! assert!(answer.text.contains("in Oslo"));
//! assert_eq!(answer.rounds, 2);
//! # Ok::<_, haft::AgentError>(())
//! # }).unwrap();
//! ```
//!
//! An agent has no memory; a [`Session`] keeps the history of a conversation. Its questions are
//! answered one after the other, also when they are asked at the same time:
//!
//! ```
//! use haft::{Agent, Role};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let agent = Agent::builder()
//!     .model("builtin")
//!     .tool(haft::tools::get_current_datetime())
//!     .build()
//!     .await?;
//! let session = agent.session();
//! session.ask("What time is it in Oslo?").await?;
//! session.ask("What time is it in Lima?").await?;
//! let roles = session.history().iter().map(haft::Message::role).collect::<Vec<_>>();
//! let question = [Role::User, Role::Assistant, Role::Tool, Role::Assistant];
//! assert_eq!(roles, [question, question].concat());
//! # Ok::<_, haft::AgentError>(())
//! # }).unwrap();
//! ```
//!
//! [`Agent::ask_as`] returns the answer as a type of yours:
//!
//! ```no_run
//! #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
//! struct City {
//!     name: String,
//!     population: u32,
//! }
//!
//! # async fn example() -> Result<(), haft::AgentError> {
//! let agent = haft::Agent::builder().model("ollama:qwen3:0.6b").build().await?;
//! let city: City = agent.ask_as("What is the largest city in Norway?").await?;
//! # Ok(())
//! # }
//! ```
//!
//! To watch how a question is answered, read its events:
//!
//! ```
//! use haft::{Agent, Event, StreamExt};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let agent = Agent::builder()
//!     .model("builtin")
//!     .tool(haft::tools::get_current_datetime())
//!     .build()
//!     .await?;
//! let mut events = agent.stream("What time is it in Lima?").await?;
//! while let Some(event) = events.next().await {
//!     if let Event::ToolFinished(report) = event? {
//!         assert_eq!(report.call.name, "get_current_datetime");
//!     }
//! }
//! # Ok::<_, haft::AgentError>(())
//! # }).unwrap();
//! ```
//!
//! # The parts, each usable alone
//!
//! * [`types`]: messages, tool calls, events, and the traits [`Tool`] and [`ChatModel`];
//! * [`models`]: [`ChatOllama`](models::ChatOllama), [`ChatOpenAi`](models::ChatOpenAi),
//!   [`ChatAnthropic`](models::ChatAnthropic), the embedded command engine
//!   [`Builtin`](models::Builtin), and recorded traffic;
//! * [`tools`]: the list of tools, the executor, the clock, and what `mcp` has;
//! * `mcp` (feature): MCP servers as tools, and tools as an MCP server;
//! * [`extract`]: reads tool calls from the text of a reply, whole or streamed, in every format
//!   that models use;
//! * [`select`]: what a query is about, and which tools it needs;
//! * [`schema`]: coercion and validation of arguments;
//! * `gateway` (feature): reliable tool calls for clients of OpenAI, Ollama and Anthropic;
//! * `voice` (feature): from an utterance to a spoken answer;
//! * `zwave` (feature): the six Z-Wave tools over a Z-Wave JS server, or a simulated home;
//! * `durable` (feature): runs that survive their process;
//! * `eval` (feature): how well a model calls tools.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `mcp` (on by default) | MCP servers as tools |
//! | `mcp-server` | your tools offered to MCP hosts |
//! | `store` | a record of every question, and conversations that are kept, in databases |
//! | `gateway` | the module `gateway` |
//! | `voice` | the module `voice`, with Wyoming for Home Assistant |
//! | `mqtt` | `voice`, and what is said and answered published to an MQTT broker |
//! | `zwave` | the module `zwave` |
//! | `local` | models in files (`local:FILE`), run inside the process |
//! | `durable` | the module `durable` |
//! | `eval` | the module `eval` |
//!
//! The command `haft` has all of them; `local` only where it is built with that feature.

/// Chat models: Ollama, OpenAI-compatible, Anthropic, replayed, and the command engine `builtin`.
pub mod models {
    pub use haft_agent::open_model;
    pub use haft_command::Builtin;
    pub use haft_models::*;
}

/// The list of tools, the executor, the clock, and with the feature `mcp` the tools of MCP servers.
pub mod tools {
    #[cfg(feature = "mcp")]
    pub use haft_mcp::*;
    pub use haft_tools::*;
}

/// Messages, tool calls, events, and the traits that tools and models implement.
pub use haft_core as types;
/// Runs that survive the process that works on them, in SQLite or Postgres.
#[cfg(feature = "durable")]
pub use haft_durable as durable;
/// How well a model calls tools, at the first try and after recovery.
#[cfg(feature = "eval")]
pub use haft_eval as eval;
/// Reads tool calls from the text of a model's reply, whole or streamed.
pub use haft_extract as extract;
/// The gateway for clients of OpenAI, Ollama and Anthropic.
#[cfg(feature = "gateway")]
pub use haft_gateway as gateway;
/// MCP servers as tools, and tools as an MCP server.
#[cfg(feature = "mcp")]
pub use haft_mcp as mcp;
/// Repair and validation of arguments.
pub use haft_schema as schema;
/// What a query is about, and which tools it needs.
pub use haft_select as select;
/// From an utterance to a spoken answer.
#[cfg(feature = "voice")]
pub use haft_voice as voice;
/// The six Z-Wave tools over a Z-Wave JS server or a simulated home.
#[cfg(feature = "zwave")]
pub use haft_zwave as zwave;

pub use haft_agent::{
    Agent, AgentBuilder, AgentError, AgentErrorKind, AgentOptions, Attempt, ClientTurn,
    EventStream, Metrics, ModelSource, Playwright, RecoverySteps, Routing, Session, StepCount,
    SuccessCount, ToolNeedDetector, ToolSelection, WebSearch,
};
#[cfg(feature = "store")]
pub use haft_agent::{
    AttemptStore, AttemptSummary, ModelSummary, SavedSession, SessionHead, SessionId, SessionStore,
    SessionSummary, SessionTurn,
};
pub use haft_core::{
    AiMessage, Answer, CallOptions, ChatChunk, ChatModel, ChatStream, Content, ContentBlock,
    Emitter, Event, ImageBlock, Message, ModelError, ModelErrorKind, Outcome, Recovery,
    RecoveryStep, Role, SearchReport, SearchVia, Source, StopReason, Tool, ToolAnnotations,
    ToolCall, ToolError, ToolErrorKind, ToolInput, ToolMessage, ToolOutput, ToolStatus, Usage,
};
pub use haft_tools::{FunctionTool, ToolExecutor, ToolManager, tool};

// Their items appear in the signatures above; re-exported, they are always the right version.
#[doc(no_inline)]
pub use async_trait::async_trait;
#[doc(no_inline)]
pub use futures_util::{Stream, StreamExt};
#[doc(no_inline)]
pub use {schemars, serde, serde_json};

/// Compiles the code of `docs/guide/library.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct Guide;

/// Compiles the code of `docs/guide/mcp-server.md`.
#[cfg(all(doctest, feature = "mcp-server"))]
#[doc = include_str!("../../../docs/guide/mcp-server.md")]
struct GuideToMcpServer;

/// Compiles the code of `docs/guide/extract.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/extract.md")]
struct GuideToReplies;

/// Compiles the code of `docs/guide/stats.md`.
#[cfg(all(doctest, feature = "store"))]
#[doc = include_str!("../../../docs/guide/stats.md")]
struct GuideToStats;

/// Compiles the code of `docs/guide/chat.md`.
#[cfg(all(doctest, feature = "store"))]
#[doc = include_str!("../../../docs/guide/chat.md")]
struct GuideToChat;

/// Compiles the code of `docs/intents.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/intents.md")]
struct GuideToIntents;

/// Compiles the code of `docs/guide/durable.md`.
#[cfg(all(doctest, feature = "durable"))]
#[doc = include_str!("../../../docs/guide/durable.md")]
struct GuideToDurableRuns;

/// Compiles the code of `docs/guide/voice.md`.
#[cfg(all(doctest, feature = "voice"))]
#[doc = include_str!("../../../docs/guide/voice.md")]
struct GuideToVoice;
