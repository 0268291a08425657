//! Captures everything that a test program logs, at every level, in memory.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// A log in memory: one line per event, `LEVEL field=value ...`, and one per span
/// and per record of later values.
#[derive(Clone, Debug, Default)]
pub struct CapturedLog(Arc<Mutex<String>>);

impl CapturedLog {
    /// The log of the whole test program. Call it before anything is logged: `tracing` caches that
    /// an event has no listener and may not ask again.
    ///
    /// # Panics
    ///
    /// If another `tracing` subscriber is already installed.
    pub fn of_program() -> &'static Self {
        static LOG: OnceLock<CapturedLog> = OnceLock::new();
        LOG.get_or_init(|| {
            let log = Self::default();
            let installed = tracing::subscriber::set_global_default(log.clone());
            assert!(installed.is_ok(), "another log is installed");
            log
        })
    }

    /// Everything logged so far.
    pub fn text(&self) -> String {
        self.lock().clone()
    }

    /// The lines logged so far that contain every one of `words`.
    pub fn lines_with(&self, words: &[&str]) -> Vec<String> {
        let text = self.text();
        let lines = text
            .lines()
            .filter(|line| words.iter().all(|word| line.contains(word)));
        lines.map(str::to_owned).collect()
    }

    fn lock(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for CapturedLog {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut text = self.lock();
        let _ = write!(text, "SPAN {}", attributes.metadata().name());
        attributes.record(&mut Fields(&mut text));
        text.push('\n');
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut text = self.lock();
        text.push_str("SPAN");
        values.record(&mut Fields(&mut text));
        text.push('\n');
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = self.lock();
        let _ = write!(text, "{}", event.metadata().level());
        event.record(&mut Fields(&mut text));
        text.push('\n');
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
