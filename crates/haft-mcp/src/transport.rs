//! The transports: the pipes of a child process, or HTTP.
//!
//! `stdio` starts a child (`program` finds its command, `watcher` is an optional process around
//! it), `pipe` reads and writes its messages as `lines`, `partial_response` recovers parts of a
//! message that cannot be parsed, and `trouble` records what went wrong with the child. `http`
//! connects to a server at an address. `protocol_version` detects which of the two protocols a
//! child uses.

pub(crate) mod http;
pub(crate) mod lines;
pub(crate) mod partial_response;
mod pending_requests;
pub(crate) mod pipe;
#[cfg(target_os = "linux")]
mod program;
pub(crate) mod protocol_version;
pub(crate) mod stdio;
pub(crate) mod trouble;
mod watcher;

pub use self::watcher::watch_children;
