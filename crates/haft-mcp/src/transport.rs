//! How messages travel: over the pipes of a child process, or over HTTP.
//!
//! `stdio` starts a child (where `program` finds its command, behind a `watcher` where there is
//! one), `pipe` reads and writes its messages as `lines`, `partial_response` saves what it can of
//! a message that cannot be read, and `trouble` remembers what was wrong with the child. `http` is
//! a server at an address. `protocol_version` tells which of the two protocols a child speaks.

pub(crate) mod http;
pub(crate) mod lines;
pub(crate) mod partial_response;
pub(crate) mod pipe;
#[cfg(target_os = "linux")]
mod program;
pub(crate) mod protocol_version;
pub(crate) mod stdio;
pub(crate) mod trouble;
mod watcher;

pub use self::watcher::watch_children;
