//! Test support for haft: scripted tools, models and servers. Never published.
//!
//! [`ScriptedModel`] replaces a model without a server, [`ScriptedServer`] replaces a model server,
//! [`SpyTool`] records the inputs of a tool, [`CapturedLog`] captures the log, [`data_dir`]
//! finds the recorded corpora, and [`misbehaving_server`] is an MCP server with every fault.

mod data;
mod log;
pub mod misbehaving_server;
mod model;
mod server;
mod tools;

pub use data::data_dir;
pub use log::CapturedLog;
pub use model::{ScriptedModel, ScriptedRequest};
pub use server::{CapturedRequest, Reply, ScriptedServer};
pub use tools::{SpyTool, named_tool};
