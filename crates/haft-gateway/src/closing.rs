//! Tells running replies that the gateway ends now.

use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::{ModelError, ModelErrorKind};
use tokio::sync::Notify;

/// Whether the time for running replies is over at shutdown.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    is_closing: AtomicBool,
    notify: Notify,
}

impl Closing {
    /// Ends all running replies.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::SeqCst);
        self.notify.notify_waiters();
    }

    /// Completes with the error of a reply when the gateway ends.
    pub(crate) async fn closed(&self) -> ModelError {
        // Created before the check, so that it is woken by a `close` in between.
        let notified = self.notify.notified();
        if !self.is_closing.load(Ordering::SeqCst) {
            notified.await;
        }
        let message = "The gateway is being shut down";
        ModelError::new(ModelErrorKind::Overloaded, message).with_hint("ask again in a moment")
    }
}
