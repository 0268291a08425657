//! Counts equal warnings instead of repeating them, so that a model server that is down cannot fill
//! the disk with one warning per request.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::LogFormat;

/// The warnings of a kind that are logged within [`PERIOD`]; further ones are counted.
const LOGGED: u32 = 3;

/// For how long warnings of a kind are counted before they are logged again.
const PERIOD: Duration = Duration::from_secs(60);

/// The maximum number of kinds; warnings beyond are one kind. Errors may have words of clients.
const MOST_KINDS: usize = 32;

/// Warnings are equal if they come from one place in the code, with one upstream and error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Of {
        place: Identifier,
        cause: String,
    },
    /// All beyond the limit.
    Other,
}

struct Counted {
    since: Instant,
    logged: u32,
    left_out: u64,
}

/// What to do with an event.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// Log it, with the number of equal ones before it that were left out.
    Log { left_out: u64 },
    /// Count it.
    LeaveOut,
}

/// A form of lines that leaves out equal warnings.
pub(super) struct CountRepeats<F> {
    inner: F,
    form: LogFormat,
    kinds: Mutex<HashMap<Kind, Counted>>,
}

impl<F> CountRepeats<F> {
    /// Writes lines as `inner` does, which has this form.
    pub(super) fn new(inner: F, form: LogFormat) -> Self {
        Self {
            inner,
            form,
            kinds: Mutex::default(),
        }
    }

    fn verdict(&self, event: &Event<'_>, now: Instant) -> Verdict {
        if *event.metadata().level() > Level::WARN {
            return Verdict::Log { left_out: 0 };
        }
        let mut cause = Cause::default();
        event.record(&mut cause);
        let kind = Kind::Of {
            place: event.metadata().callsite(),
            cause: cause.0,
        };
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        counted(&mut kinds, kind, now).verdict(now)
    }
}

/// The count of a kind, or of all beyond the limit.
fn counted(kinds: &mut HashMap<Kind, Counted>, kind: Kind, now: Instant) -> &mut Counted {
    if kinds.len() >= MOST_KINDS && !kinds.contains_key(&kind) {
        kinds.retain(|_, counted| now.duration_since(counted.since) < PERIOD);
    }
    let is_known = kinds.len() < MOST_KINDS || kinds.contains_key(&kind);
    let kind = if is_known { kind } else { Kind::Other };
    kinds.entry(kind).or_insert(Counted::new(now))
}

impl Counted {
    fn new(now: Instant) -> Self {
        Self {
            since: now,
            logged: 0,
            left_out: 0,
        }
    }

    fn verdict(&mut self, now: Instant) -> Verdict {
        let left_out = self.left_out;
        if now.duration_since(self.since) >= PERIOD {
            *self = Self::new(now);
        } else if self.logged >= LOGGED {
            self.left_out += 1;
            return Verdict::LeaveOut;
        }
        self.logged += 1;
        Verdict::Log {
            left_out: if self.logged == 1 { left_out } else { 0 },
        }
    }
}

/// The values of the fields `upstream` and `error`.
#[derive(Default)]
struct Cause(String);

impl Visit for Cause {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if matches!(field.name(), "upstream" | "error") {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{value:?} ");
        }
    }
}

impl<S, N, F> FormatEvent<S, N> for CountRepeats<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        match self.verdict(event, Instant::now()) {
            Verdict::LeaveOut => Ok(()),
            Verdict::Log { left_out: 0 } => self.inner.format_event(context, writer, event),
            Verdict::Log { left_out } => {
                let mut line = String::new();
                self.inner
                    .format_event(context, Writer::new(&mut line), event)?;
                writer.write_str(&with_count(&line, left_out, self.form))
            }
        }
    }
}

/// The line with the number of equal ones that were left out before it.
fn with_count(line: &str, left_out: u64, form: LogFormat) -> String {
    let line = line.trim_end();
    match form {
        LogFormat::Text => format!("{line} and_before={left_out}\n"),
        LogFormat::Json => {
            let fields = line.strip_suffix('}').unwrap_or(line);
            format!("{fields},\"and_before\":{left_out}}}\n")
        }
    }
}

#[cfg(test)]
mod tests;
