//! Tools of servers as haft tools, each with a unique name.
//!
//! `tool` calls a tool at its server, `content` converts the result for the model, and `names`
//! assigns unique names based on the `origin`. `server_tools` are the tools of one server, and
//! `tool_updates` follows the changes of all lists.

mod content;
mod names;
mod origin;
pub(crate) mod server_tools;
mod tool;
pub(crate) mod tool_updates;
