//! The spinner: on a terminal, a sign that something is awaited.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::text::shortened;

/// In characters: what stands beside the spinner has to fit on one line.
const MESSAGE_LIMIT: usize = 60;

/// How often it turns.
const TURN: Duration = Duration::from_millis(100);

/// A line that comes and goes below the trace.
#[derive(Debug)]
pub(super) struct Spinner {
    allowed: bool,
    /// There only while something is awaited.
    bar: Arc<Mutex<Option<ProgressBar>>>,
}

impl Spinner {
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            allowed: !quiet && io::stderr().is_terminal(),
            bar: Arc::default(),
        }
    }

    /// Shows that `what` is awaited.
    pub(super) fn show(&self, what: &str) {
        if !self.allowed {
            return;
        }
        let mut bar = locked(&self.bar);
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            // A thread of its own turns it, so that it turns while this one waits.
            bar.enable_steady_tick(TURN);
            bar
        });
        let words: Vec<_> = what.split_whitespace().collect();
        bar.set_message(shortened(&words.join(" "), MESSAGE_LIMIT));
    }

    /// Takes it away.
    pub(super) fn hide(&self) {
        hide(&self.bar);
    }

    /// Hides it before something is written that the trace does not know of.
    pub(super) fn hider(&self) -> impl Fn() + Send + Sync + 'static {
        let bar = self.bar.clone();
        move || hide(&bar)
    }

    /// Does `print` so that the two do not write over each other.
    pub(super) fn above(&self, print: impl FnOnce()) {
        match &*locked(&self.bar) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

fn hide(bar: &Mutex<Option<ProgressBar>>) {
    if let Some(bar) = locked(bar).take() {
        bar.finish_and_clear();
    }
}

fn locked(bar: &Mutex<Option<ProgressBar>>) -> MutexGuard<'_, Option<ProgressBar>> {
    bar.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nothing is left behind, however a command ends.
impl Drop for Spinner {
    fn drop(&mut self) {
        self.hide();
    }
}
