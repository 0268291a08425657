//! What reading and changing the file have in common: its limit, its keys and its errors.

use haft_tools::{ToolsError, ToolsErrorKind};

/// In bytes. Larger files are no configuration.
pub(super) const MAX_BYTES: u64 = 1024 * 1024;

/// The names of the object with the servers: that of most hosts, and that of VS Code.
pub(super) const SERVERS: [&str; 2] = ["mcpServers", "servers"];

/// An error for the person who wrote the file: a sentence without a full stop.
pub(super) fn config_error(message: String) -> ToolsError {
    ToolsError::new(ToolsErrorKind::Config, message)
}
