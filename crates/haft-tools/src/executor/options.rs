//! The limits of an executor, each with its reason.

use std::time::Duration;

/// The executor's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecutorOptions {
    /// The time limit of a call without progress: 30 s, about as long as a user waits.
    pub timeout: Duration,
    /// The time limit of a call, even with progress: 5 minutes.
    pub total_timeout: Duration,
    /// Calls that take longer are logged as slow: 1 s, from which on a spoken dialogue feels slow.
    pub slow: Duration,
    /// The maximum length of a result for the model in characters: 16,000, which is about 4,000
    /// tokens, the whole context of many home setups.
    pub max_output: usize,
    /// The maximum number of concurrent calls: 16, so that a reply with hundreds of calls does not
    /// open hundreds of connections.
    pub parallel: usize,
}

impl Default for ExecutorOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(300),
            slow: Duration::from_secs(1),
            max_output: 16_000,
            parallel: 16,
        }
    }
}
