//! The gateway: clients of OpenAI, Ollama and Anthropic get reliable tool calls from local models.
//!
//! # Brief overview
//!
//! A client sends what it always sends; a dialect reads it and writes the answer. Between the two
//! an [`Agent`](haft_agent::Agent) takes one turn with a model of a
//! [`ModelServer`](haft_models::ModelServer): calls are found and repaired, useless replies are
//! asked again. The client's tools run at the client, those of the gateway here.
//!
//! The way of a request through the modules:
//!
//! * `gateway` listens with its `options`, `connections` are bounded, `routes` knows the paths,
//!   `guard` decides who may ask; all of them look at what is `shared`.
//! * `dialects` has a folder for each API that clients speak: its paths, errors, lists of models
//!   (with `catalog`) and the form of its replies.
//! * `chat` answers a conversation: `receive`s it, as the `overrides` say with one of the `agents`;
//!   `reply` hands the answer out as it comes, `hidden_rounds` remembers what the client does not
//!   see of it.
//! * `proxy` passes on what goes through unchanged.
//! * `scheduler` chooses the model server and holds the queue before them.
//! * `interventions` says what was done to a reply, `request_log` logs it and `metrics` counts it.
//!
//! `respond` and `batching` are what several of them write answers with. `demo` shows all of it.
//! `mcp` (feature) offers tools to MCP hosts instead of models to clients.
//!
//! Its neighbours are `haft-models` and `haft-agent` below, and the crate `haft` above.

mod agents;
mod answer;
mod batching;
mod catalog;
mod chat;
mod connections;
pub mod demo;
mod dialects;
mod error;
mod gateway;
mod guard;
mod hidden_rounds;
mod interventions;
#[cfg(feature = "mcp-server")]
mod mcp;
mod metrics;
mod options;
mod overrides;
mod proxy;
mod receive;
mod reply;
mod request_log;
mod respond;
mod routes;
mod scheduler;
mod shared;

pub use error::{GatewayError, GatewayErrorKind};
pub use gateway::Gateway;
pub use options::GatewayOptions;
pub use overrides::Overrides;
pub use scheduler::{Upstream, UpstreamStatus, Upstreams};
