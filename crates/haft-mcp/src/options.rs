//! The limits of servers, each with its reason, and the folder of the cache.

use std::path::PathBuf;
use std::time::Duration;

/// How servers are started, called and cached.
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
    /// The pause before each attempt to start a server: 0, 2 and 4 s. A permanent failure, such as
    /// a missing command, is not retried.
    pub waits: Vec<Duration>,
    /// The time limit of an attempt, from the start of a server to its list of tools: 20 s. Slow
    /// ones (`npx` with a download, a browser) take some seconds.
    pub start_timeout: Duration,
    /// The time limit of a call without progress: 5 minutes. The executor has a shorter limit; this
    /// one is for callers without an executor.
    pub call_timeout: Duration,
    /// The time limit of a call, even with progress: 30 minutes.
    pub total_call_timeout: Duration,
    /// The folder in which lists of tools are cached between programs. The tools of a cached server
    /// are available at once, while it starts in the background. `None` by default: nothing is
    /// cached.
    pub cache: Option<PathBuf>,
    /// Whether to wait for the start of cached servers as well, for callers that need their status.
    /// False by default.
    pub wait: bool,
    /// Whether a form from a server is accepted with the defaults that the server provides, if
    /// every required field has one. False by default, because the form is meant for a person to
    /// decide.
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
