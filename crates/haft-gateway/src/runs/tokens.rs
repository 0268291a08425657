//! Counts the tokens that workers used in runs of keys, like those of the keys' requests.

use std::time::Duration;

use haft_durable::DurableStore;
use tokio::time::sleep;

use crate::access::KnownKeys;

/// How often the store of runs is asked.
const LOOK: Duration = Duration::from_secs(2);

/// Counts again and again; never completes.
pub(crate) async fn count_tokens(runs: &DurableStore, keys: &KnownKeys) {
    loop {
        match runs.take_usage().await {
            Ok(taken) => {
                for run in taken {
                    keys.used(&run.owner, run.usage);
                }
            }
            Err(error) => {
                tracing::debug!(error = error.detail(), "tokens of runs are not counted");
            }
        }
        sleep(LOOK).await;
    }
}
