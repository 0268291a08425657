//! The ceilings of a gateway, derived from what the machine allows.

use std::time::Duration;

/// The number of open files that is assumed where the system does not tell.
#[cfg(not(unix))]
const UNKNOWN_FILES: u64 = 1024;

/// Open files for everything but connections: the log, the stores, the tools' processes.
const OTHER_FILES: u64 = 128;

/// The most connections by default: each idle one takes about 20 KB.
const MOST_CONNECTIONS: u64 = 16_384;

/// The ceilings of a gateway.
///
/// The defaults follow from the number of files that the process may open: a running conversation
/// has two connections, the client's and the one to its model server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GatewayLimits {
    /// Requests that are answered at the same time; further ones are refused with status 503.
    pub conversations: usize,
    /// Open connections of clients; further clients wait to be accepted.
    pub connections: usize,
    /// Open connections of one address; further ones are closed. By default half of all.
    pub connections_per_address: usize,
    /// How long a new connection may be open without a request that has a valid key: 10 seconds by
    /// default.
    pub first_request: Duration,
    /// How long running replies may take at shutdown before they end with an error: 10 seconds by
    /// default.
    pub drain: Duration,
}

impl GatewayLimits {
    /// Limits for a process that may open this many files.
    #[must_use]
    pub fn for_files(files: u64) -> Self {
        let connections = files.saturating_sub(OTHER_FILES) * 2 / 3;
        let connections = connections.clamp(64, MOST_CONNECTIONS);
        let connections = usize::try_from(connections).unwrap_or(usize::MAX);
        Self {
            conversations: connections / 2,
            connections,
            connections_per_address: connections / 2,
            first_request: Duration::from_secs(10),
            drain: Duration::from_secs(10),
        }
    }
}

impl Default for GatewayLimits {
    fn default() -> Self {
        Self::for_files(open_files())
    }
}

/// The number of files that this process may open.
#[cfg(unix)]
fn open_files() -> u64 {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    // `None` stands for no limit.
    limit.current.unwrap_or(u64::MAX / 2)
}

#[cfg(not(unix))]
fn open_files() -> u64 {
    UNKNOWN_FILES
}

#[cfg(test)]
mod tests;
