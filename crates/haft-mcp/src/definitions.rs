//! What a server says of its tools, and what is made of it before a model sees it.
//!
//! A `listed_tool` is all of it together: `definition` cleans names, descriptions and schemas,
//! `effects` decides how far the server's hints about harm can be believed, and `output_schema`
//! checks results against what the tool promised.

pub(crate) mod definition;
pub(crate) mod effects;
pub(crate) mod listed_tool;
mod output_schema;
