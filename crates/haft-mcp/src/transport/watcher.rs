//! The program that is put in front of a server, so that somebody ends it where this process is
//! killed and cannot.

use std::path::PathBuf;
use std::sync::OnceLock;

/// One for the process: none of its servers is to be left behind.
static WATCHER: OnceLock<PathBuf> = OnceLock::new();

/// From now on every MCP server of this process is started through `haft`, the path of that
/// command. It stays between this process and the server, and ends everything that the server
/// has started: a few seconds after this process is gone, also where it was killed, and as soon as
/// the server ends by itself. Only Linux can do that; elsewhere nothing changes. The first path
/// stays.
///
/// Without it, a program that is killed leaves those servers behind that do not end when their
/// input is closed.
pub fn watch_children(haft: impl Into<PathBuf>) {
    let haft = haft.into();
    // A server may be started in another folder.
    let haft = std::path::absolute(&haft).unwrap_or(haft);
    let _ = WATCHER.set(haft);
}

/// What is put in front of the command of a server, where there is something.
#[cfg(target_os = "linux")]
pub(crate) fn watcher() -> Option<&'static std::path::Path> {
    WATCHER.get().map(PathBuf::as_path)
}
