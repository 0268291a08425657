//! Where a tool comes from, which tells apart tools of one name.

/// A tool by the names that its server and the configuration know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin<'a> {
    /// The server's name in the configuration.
    pub(crate) server: &'a str,
    /// The tool's name at its server.
    pub(crate) tool: &'a str,
}
