//! The limits of an executor, each with its reason.

use std::time::Duration;

/// The executor's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecutorOptions {
    /// How long a call may take without a sign of progress: 30 s, as long as a person waits.
    pub timeout: Duration,
    /// How long a call may take in all, progress or not: 5 minutes.
    pub total_timeout: Duration,
    /// From when on a call is logged as slow: 1 s, where a spoken dialogue begins to drag.
    pub slow: Duration,
    /// How many characters of a result the model is shown: 16,000, about 4,000 tokens, the
    /// whole context of many home set-ups.
    pub max_output: usize,
    /// How many calls run at the same time: 16, so that a reply with hundreds of calls does not
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
