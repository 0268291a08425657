//! The limits of servers, each with its reason, and where their lists of tools are kept.

use std::path::PathBuf;
use std::time::Duration;

/// How servers are started, called and remembered.
///
/// ```
/// use haft_mcp::McpOptions;
///
/// let options = McpOptions::default();
/// assert_eq!(options.waits.len(), 3);
/// assert_eq!(options.cache, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpOptions {
    /// The wait before each attempt to start a server: 0, 2 and 4 s. A failure that does not
    /// pass, such as a command that is not there, is not tried again.
    pub waits: Vec<Duration>,
    /// From the start of a server to its list of tools, each time: 20 s. Slow ones (`npx` that
    /// downloads, a browser) take some seconds.
    pub start_timeout: Duration,
    /// How long a call may take without a sign of progress: 5 minutes. The executor has a
    /// shorter limit; this is for callers without one.
    pub call_timeout: Duration,
    /// How long a call may take in all, progress or not: 30 minutes.
    pub total_call_timeout: Duration,
    /// The folder in which lists of tools are kept from one program to the next. A server that
    /// is known there need not be waited for: its tools are there at once, and it starts in the
    /// background. None by default: nothing is kept.
    pub cache: Option<PathBuf>,
    /// Whether servers that are known from that folder are waited for all the same. No by default;
    /// what wants to know how they are waits.
    pub wait: bool,
    /// Whether a form that a server wants filled in is accepted where the server has filled it in
    /// itself, with a default for every field that must have a value. No by default: whoever asks
    /// a person's opinion does not get one.
    pub accept_defaults: bool,
}

impl Default for McpOptions {
    fn default() -> Self {
        Self {
            waits: [0, 2, 4].map(Duration::from_secs).to_vec(),
            start_timeout: Duration::from_secs(20),
            call_timeout: Duration::from_secs(300),
            total_call_timeout: Duration::from_secs(1800),
            cache: None,
            wait: false,
            accept_defaults: false,
        }
    }
}
