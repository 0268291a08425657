//! The configuration in `.mcp.json`: which servers there are, how they are reached, and the user's
//! rules for their tools.
//!
//! `mcp_config` reads the file for use, `document` edits it, and `file` is what both share. An
//! `endpoint` is how one server is reached. `fields` parses a server's entry, `expand` replaces its
//! variables, `environment` refuses variables that determine which code runs, `rules` selects the
//! tools, and `secrets` collects the parts that must never be shown.

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
