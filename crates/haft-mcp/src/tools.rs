//! The tools of servers as tools like any other, each under a name of its own.
//!
//! `tool` calls one at its server, `content` turns the result into what a model reads, `names`
//! gives each a unique name by its `origin`. `server_tools` are those of one server, and `tool_updates`
//! follows what becomes of the lists of all.

mod content;
mod names;
mod origin;
pub(crate) mod server_tools;
mod tool;
pub(crate) mod tool_updates;
