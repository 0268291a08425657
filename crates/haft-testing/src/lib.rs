//! Scripted tools and models, and the way to recorded traffic, for the tests of haft. Never
//! published.
//!
//! A test that needs a model without a server takes [`ScriptedModel`], one that watches a tool
//! [`SpyTool`], one that reads the log [`CapturedLog`], one that reads recorded corpora [`data_dir`].

mod data;
mod log;
mod model;
mod server;
mod tools;

pub use data::data_dir;
pub use log::CapturedLog;
pub use model::{ScriptedModel, ScriptedRequest};
pub use server::{CapturedRequest, Reply, ScriptedServer};
pub use tools::{SpyTool, named_tool};
