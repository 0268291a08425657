//! The gateway: clients of OpenAI, Ollama and Anthropic get reliable tool calls from local models.
//!
//! # Brief overview
//!
//! A client sends a request in its own API, which a dialect parses; the dialect also writes the
//! reply. In between an [`Agent`](haft_agent::Agent) takes one turn with a model of a
//! [`ModelServer`](haft_models::ModelServer): it finds and repairs calls, and requests a useless
//! reply again. Tools of the client run at the client, tools of the gateway here.
//!
//! The path of a request through the modules:
//!
//! * `gateway` listens with its `options`, `connections` limits the connections (`limits`, `tls`), `guard` checks the
//!   key and the origin, with the keys of users in `access` and the allowed
//!   web pages in `cors`, and `routes` chooses the handler; `shared` is the state of all of
//!   them, with the `live_settings` that may change meanwhile.
//! * `dialects` has a folder for each API that clients use: its paths, errors, lists of models
//!   (with `catalog`) and the form of its replies.
//! * `proxy` passes requests through unchanged where nothing has to be done to them.
//! * `chat` answers all other conversations: `receive` reads the body, `content_encoding` unpacks it, `overrides` are the settings
//!   of the request, `agents` caches agents, `reply` sends the answer, `hidden_rounds` stores the
//!   rounds that the client does not see, and `kept_replies` the replies that clients refer to.
//! * `embeddings` and `llama_cpp` answer requests beside conversations.
//! * `scheduler` chooses the model server and has the queue of waiting requests.
//! * `interventions` records what was changed in a reply, `request_log` logs each request with
//!   its `request_id`, `refusal_log` the refused ones, and `metrics` counts all. `telemetry` has the
//!   traces and metrics of OpenTelemetry (feature `otlp`).
//! * `activity` keeps the latest requests in memory, and `page` shows them in a browser.
//!
//! * `runs` (feature `durable`) begins, shows and decides durable runs, which workers answer;
//!   `run_visitor` knows which of them a caller may see.
//!
//! `respond` and `batching` are shared code for writing responses. `demo` is a demonstration with
//! broken replies. `mcp` (feature) offers tools to MCP hosts instead of models to clients.
//!
//! The crate builds on `haft-models` and `haft-agent`; the crate `haft` re-exports it.

mod access;
mod activity;
mod agents;
mod answer;
mod batching;
mod catalog;
mod chat;
mod closing;
mod connections;
mod content_encoding;
mod cors;
pub mod demo;
mod dialects;
mod embeddings;
mod error;
mod gateway;
mod guard;
mod hidden_rounds;
mod host;
mod interventions;
mod kept_replies;
mod limits;
mod live_settings;
mod llama_cpp;
#[cfg(feature = "mcp-server")]
mod mcp;
mod metrics;
mod options;
mod overrides;
mod page;
mod proxy;
mod receive;
mod refusal_log;
mod reply;
mod request_id;
mod request_log;
mod respond;
mod routes;
#[cfg(feature = "durable")]
mod run_visitor;
#[cfg(feature = "durable")]
mod runs;
mod scheduler;
mod shared;
mod telemetry;
mod tls;
mod token_counts;

pub use access::{Key, KeyLimits, KeyStore, KeyUsage, Priority};
pub use error::{GatewayError, GatewayErrorKind};
pub use gateway::Gateway;
pub use limits::GatewayLimits;
pub use live_settings::LiveSettings;
pub use options::GatewayOptions;
pub use overrides::Overrides;
pub use scheduler::{Upstream, UpstreamStatus, Upstreams};
pub use tls::TlsFiles;
