//! The spinner: shows on a terminal what is awaited.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::terminal;
use crate::text::fitted;

/// The maximum length of the message in columns.
const MESSAGE_LIMIT: usize = 60;

/// The columns of the spinner itself, with the space after it and a free one at the end.
const SPINNER: usize = 3;

/// The update interval.
const TURN: Duration = Duration::from_millis(100);

/// A line below the trace that can be shown and hidden.
#[derive(Debug)]
pub(super) struct Spinner {
    allowed: bool,
    /// Exists only while the spinner is shown.
    bar: Arc<Mutex<Option<ProgressBar>>>,
}

impl Spinner {
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            allowed: !quiet && io::stderr().is_terminal(),
            bar: Arc::default(),
        }
    }

    /// Shows `what` next to the spinner.
    pub(super) fn show(&self, what: &str) {
        if !self.allowed {
            return;
        }
        let mut bar = locked(&self.bar);
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            // A separate thread updates it while this one waits.
            bar.enable_steady_tick(TURN);
            bar
        });
        let words: Vec<_> = what.split_whitespace().collect();
        // A message of more than one line would stay on the screen.
        let columns = terminal::width().saturating_sub(SPINNER).min(MESSAGE_LIMIT);
        bar.set_message(fitted(&words.join(" "), columns));
    }

    /// Hides the spinner.
    pub(super) fn hide(&self) {
        hide(&self.bar);
    }

    /// Hides it before other code writes to the terminal.
    pub(super) fn hider(&self) -> impl Fn() + Send + Sync + 'static {
        let bar = self.bar.clone();
        move || hide(&bar)
    }

    /// Runs `print` with the spinner hidden.
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

/// The spinner is removed however a command ends.
impl Drop for Spinner {
    fn drop(&mut self) {
        self.hide();
    }
}
