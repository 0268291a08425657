//! Progress reports of a running tool, which extend its deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

tokio::task_local! {
    static PROGRESS: Arc<Notify>;
    static SIGNS: Arc<ProgressSigns>;
}

/// Reports to the executor that the calling tool makes progress: its time limit starts again, up to
/// the total limit. An MCP host that requested progress notifications is notified as well. Does
/// nothing outside of a tool.
pub fn report_progress() {
    let _ = PROGRESS.try_with(|progress| progress.notify_one());
    let _ = SIGNS.try_with(|signs| {
        signs.count.fetch_add(1, Ordering::Relaxed);
        signs.notify.notify_one();
    });
}

/// Runs `work` so that its [`report_progress`] reaches `progress`.
pub(crate) async fn watched<F: Future>(progress: Arc<Notify>, work: F) -> F::Output {
    PROGRESS.scope(progress, work).await
}

/// Counts the progress reports of tools in [`with_progress`], for a caller outside the executor,
/// such as an MCP server that notifies its host.
#[derive(Debug, Default)]
pub struct ProgressSigns {
    count: AtomicU64,
    notify: Notify,
}

impl ProgressSigns {
    /// Waits for the next report and returns the total number so far. Several reports may have come
    /// at once.
    pub async fn next(&self) -> u64 {
        self.notify.notified().await;
        self.count.load(Ordering::Relaxed)
    }
}

/// Runs `work` so that its [`report_progress`] reaches `signs`.
pub async fn with_progress<F: Future>(signs: Arc<ProgressSigns>, work: F) -> F::Output {
    SIGNS.scope(signs, work).await
}
