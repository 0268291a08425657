//! The gateway: clients of OpenAI, Ollama and Anthropic get reliable tool calls from local models.
//!
//! # Brief overview
//!
//! A client sends what it always sends; [`Dialect`](haft_models::Dialect) reads it and writes the
//! answer. Between the two an [`Agent`](haft_agent::Agent) takes one turn with a model of a
//! [`ModelServer`](haft_models::ModelServer): calls are found and mended, useless replies are asked
//! again. The client's tools run at the client, those of the gateway here.
//!
//! `gateway` listens and ends, `connections` are bounded, `guard` decides who may ask, `answer` is
//! whatever answers, `routes` knows the paths, `chat` answers a conversation as the `switches` say with one of the `agents`,
//! `reply` hands the answer out as it comes, `relayed` passes on one to which nothing is to be
//! done, `kept` remembers what the client does not see of it. `deeds` says what was done, `account`
//! logs it and `metrics` counts it. `catalog` lists models, `passthrough` passes on the rest,
//! `upstreams` shares the load, `demo` shows all of it. `mcp` (feature) offers tools to MCP hosts
//! instead of models to clients.
//!
//! Its neighbours are `haft-models` and `haft-agent` below, and the crate `haft` above.

mod account;
mod agents;
mod answer;
mod catalog;
mod chat;
mod connections;
mod deeds;
pub mod demo;
mod error;
mod gateway;
mod guard;
mod kept;
#[cfg(feature = "mcp-server")]
mod mcp;
mod metrics;
mod passthrough;
mod relayed;
mod reply;
mod routes;
mod switches;
mod upstreams;

pub use error::{GatewayError, GatewayErrorKind};
pub use gateway::{Gateway, GatewayOptions};
pub use switches::Switches;
pub use upstreams::{Upstream, UpstreamStatus, Upstreams};
