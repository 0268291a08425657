//! What stands in `.mcp.json`: which servers there are, how each is reached, and what its user
//! says about its tools.
//!
//! `mcp_config` reads the file for use, `document` changes it, and `file` is what both know of it.
//! An `endpoint` is how one server is reached; `fields` reads one server's entry,
//! `expand` its variables, `environment` refuses variables that decide which code runs, `rules`
//! are the tools that are wanted, and `secrets` are the parts that are never shown.

pub(crate) mod document;
pub(crate) mod endpoint;
mod environment;
mod expand;
pub(crate) mod fields;
mod file;
pub(crate) mod mcp_config;
pub(crate) mod rules;
pub(crate) mod secrets;

pub use self::document::McpDocument;
pub use self::mcp_config::McpConfig;
