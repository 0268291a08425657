//! Shared by reading and editing the file: its size limit, its keys and its errors.

use haft_tools::{ToolsError, ToolsErrorKind};

/// The maximum size of a configuration in bytes.
pub(super) const MAX_BYTES: u64 = 1024 * 1024;

/// The names of the object with the servers: of most hosts, and of VS Code.
pub(super) const SERVERS: [&str; 2] = ["mcpServers", "servers"];

/// An error for the author of the file: a sentence without a full stop.
pub(super) fn config_error(message: String) -> ToolsError {
    ToolsError::new(ToolsErrorKind::Config, message)
}
