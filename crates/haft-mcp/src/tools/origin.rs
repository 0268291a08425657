//! The origin of a tool, which distinguishes tools with equal names.

/// A tool, identified by its server's configured name and the server's name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin<'a> {
    /// The server's name in the configuration.
    pub(crate) server: &'a str,
    /// The tool's name at its server.
    pub(crate) tool: &'a str,
}
