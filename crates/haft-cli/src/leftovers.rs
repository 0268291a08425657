//! Ends all child processes with the command: also programs that ignore the end of their input or
//! left their process group. (`watch` handles a haft that is killed.)

use haft::tools::{adopt_orphans, kill_descendants};

/// Ends all processes that were started while this value exists.
pub(crate) struct Leftovers;

impl Leftovers {
    pub(crate) fn adopt() -> Self {
        adopt_orphans();
        Self
    }

    /// Reaps adopted processes that exit, as long as the runtime exists.
    #[cfg(target_os = "linux")]
    pub(crate) fn reap() {
        use tokio::signal::unix::{SignalKind, signal};
        tokio::spawn(async {
            let Ok(mut ended) = signal(SignalKind::child()) else {
                return;
            };
            while ended.recv().await.is_some() {
                haft::tools::reap_adopted();
            }
        });
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        kill_descendants();
    }
}
