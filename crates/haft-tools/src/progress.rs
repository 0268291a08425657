//! Signs of life from a running tool, which move its deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

tokio::task_local! {
    static PROGRESS: Arc<Notify>;
    static SIGNS: Arc<ProgressSigns>;
}

/// Tells the executor that the tool which calls this is getting on: its time limit starts anew,
/// up to the total limit. A host that asked to hear of it, over MCP, is told too. Does nothing
/// outside of a tool.
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

/// How often tools reported progress in [`with_progress`], for somebody further out than the
/// executor, such as a server that tells its host.
#[derive(Debug, Default)]
pub struct ProgressSigns {
    count: AtomicU64,
    notify: Notify,
}

impl ProgressSigns {
    /// Waits for the next sign; gives how many there were. Some may have come at once.
    pub async fn next(&self) -> u64 {
        self.notify.notified().await;
        self.count.load(Ordering::Relaxed)
    }
}

/// Runs `work` so that its [`report_progress`] reaches `signs`.
pub async fn with_progress<F: Future>(signs: Arc<ProgressSigns>, work: F) -> F::Output {
    SIGNS.scope(signs, work).await
}
