//! The watcher process around a server, which ends the server if this process is killed.

use std::path::PathBuf;
use std::sync::OnceLock;

/// One for the whole process, because none of its servers may be left behind.
static WATCHER: OnceLock<PathBuf> = OnceLock::new();

/// Starts all following MCP servers of this process through `haft`, the path of that command. The
/// command stays between this process and the server, and kills all processes that the server has
/// started: a few seconds after this process is gone, even if it was killed, and as soon as the
/// server exits by itself. Linux only; does nothing elsewhere. Only the first call has an effect.
///
/// Without it, a killed program leaves behind the servers that do not exit when their input is
/// closed.
pub fn watch_children(haft: impl Into<PathBuf>) {
    let haft = haft.into();
    // A server may be started in another working directory.
    let haft = std::path::absolute(&haft).unwrap_or(haft);
    let _ = WATCHER.set(haft);
}

/// The command that is put in front of a server's command, if any.
#[cfg(target_os = "linux")]
pub(crate) fn watcher() -> Option<&'static std::path::Path> {
    WATCHER.get().map(PathBuf::as_path)
}
