//! Signs of life from a running tool, which move its deadline.

use std::sync::Arc;

use tokio::sync::Notify;

tokio::task_local! {
    static PROGRESS: Arc<Notify>;
}

/// Tells the executor that the tool which calls this is getting on: its time limit starts anew,
/// up to the total limit. Does nothing outside of a tool.
pub fn report_progress() {
    let _ = PROGRESS.try_with(|progress| progress.notify_one());
}

/// Runs `work` so that its [`report_progress`] reaches `progress`.
pub(crate) async fn watched<F: Future>(progress: Arc<Notify>, work: F) -> F::Output {
    PROGRESS.scope(progress, work).await
}
