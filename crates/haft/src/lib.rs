//! Tool calling that works with any language model, above all with small local ones.
//!
//! # Brief overview
//!
//! An [`Agent`] is a model with tools. Its model is named like `ollama:qwen3:0.6b`,
//! `openai:gpt-5@http://localhost:8080/v1` or `anthropic:claude-haiku-4-5`, or it is any
//! [`ChatModel`] of yours. Its tools are functions made with [`tool()`], the tools of MCP
//! servers, and any [`Tool`] of yours, in one flat list. Every call that the model makes is
//! answered, also the ones it gets wrong.
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
//! To watch an answer come about, read the events:
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
//! * [`core`]: messages, tool calls, events, and the traits [`Tool`] and [`ChatModel`];
//! * [`models`]: [`ChatOllama`](models::ChatOllama), [`ChatOpenAi`](models::ChatOpenAi),
//!   [`ChatAnthropic`](models::ChatAnthropic), the embedded command engine
//!   [`Builtin`](models::Builtin), and recorded traffic;
//! * [`tools`]: the collection, the executor, MCP servers, the clock;
//! * [`extract`]: tool calls out of the text of a reply, whole or streamed, in every format that
//!   models use;
//! * [`select`]: what a query is about, and which tools it needs;
//! * [`schema`]: coercion and validation of arguments;
//! * `voice` (feature): utterances in, spoken answers out;
//! * `zwave` (feature): the six Z-Wave tools over a Z-Wave JS server, or a simulated home.
//!
//! # Features
//!
//! `mcp` and `zwave`, both on by default; `mcp-server`, which offers tools to MCP hosts; `gateway`; `voice`; and `store`, which keeps how every question
//! went in a database.

/// Messages, tool calls, events, and the traits that tools and models implement.
pub use haft_core as core;
/// Reply text of any model to tool calls, whole or streamed.
pub use haft_extract as extract;
/// The gateway for clients of OpenAI, Ollama and Anthropic.
#[cfg(feature = "gateway")]
pub use haft_gateway as gateway;
/// Chat models: Ollama, OpenAI-compatible, Anthropic, builtin, replayed.
pub use haft_models as models;
/// Repair and validation of arguments.
pub use haft_schema as schema;
/// What a query is about, and which tools it needs.
pub use haft_select as select;
/// The collection of tools, the executor, MCP servers, and the clock.
pub use haft_tools as tools;
/// Utterances in, spoken answers out.
#[cfg(feature = "voice")]
pub use haft_voice as voice;
/// The six Z-Wave tools over a simulated home.
#[cfg(feature = "zwave")]
pub use haft_zwave as zwave;

pub use haft_agent::{
    Agent, AgentBuilder, AgentError, AgentErrorKind, AgentOptions, Attempt, CallDue, EventStream,
    Metrics, ModelSource, Playwright, RungCount, Rungs, SuccessCount, ToolSelection, WebSearch,
};
#[cfg(feature = "store")]
pub use haft_agent::{AttemptStore, AttemptSummary, ModelSummary};
pub use haft_core::{
    AiMessage, Answer, ChatChunk, ChatModel, Content, Event, Message, ModelError, ModelErrorKind,
    Outcome, Recovery, Rung, SearchReport, SearchVia, Source, Tool, ToolCall, ToolError,
    ToolErrorKind, ToolInput, ToolMessage, ToolOutput,
};
pub use haft_tools::{FunctionTool, ToolExecutor, ToolManager, tool};

// Their items stand in signatures above: a program that takes them from here always has the
// same version.
#[doc(no_inline)]
pub use async_trait::async_trait;
#[doc(no_inline)]
pub use futures_util::{Stream, StreamExt};
#[doc(no_inline)]
pub use {schemars, serde, serde_json};

/// The code of the guide, compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct Guide;

/// The same of another page.
#[cfg(all(doctest, feature = "mcp-server"))]
#[doc = include_str!("../../../docs/guide/mcp-server.md")]
struct GuideToMcpServer;

/// The same of another page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/extract.md")]
struct GuideToReplies;

/// The same of another page.
#[cfg(all(doctest, feature = "store"))]
#[doc = include_str!("../../../docs/guide/stats.md")]
struct GuideToStats;

/// The same of another page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/intents.md")]
struct GuideToIntents;

/// The same of another page.
#[cfg(all(doctest, feature = "voice"))]
#[doc = include_str!("../../../docs/guide/voice.md")]
struct GuideToVoice;
