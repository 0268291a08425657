//! Processes a server's tool definitions before a model sees them.
//!
//! A `listed_tool` combines the results: `definition` cleans names, descriptions and schemas,
//! `effects` decides how far the server's hints about harm can be trusted, and `output_schema`
//! validates results against the promised schema.

pub(crate) mod definition;
pub(crate) mod effects;
pub(crate) mod listed_tool;
mod output_schema;
