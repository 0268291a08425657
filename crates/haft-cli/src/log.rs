//! Logging for troubleshooting: on stderr, and only when enabled. `repeats` counts equal warnings.

mod repeats;

use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use self::repeats::CountRepeats;
use crate::text::without_secrets;
use haft::types::TRACES;
use tracing::Subscriber;
use tracing::subscriber::{NoSubscriber, set_global_default};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::Verbosity;
use crate::output::say;
use crate::telemetry::Telemetry;

/// The filter with `-v`: warnings, except those that the trace shows anyway. `rmcp` is excluded
/// because it logs answers of servers, which may repeat secret headers.
const VERBOSE: &str = "warn,haft_mcp=error,haft_tools=error,haft_agent=error,\
    haft_models::tool_mode=error,rmcp=off";

/// The default filter of a server: every request, and errors.
const SERVER: &str = "warn,haft_gateway=info,rmcp=off";

/// Starts logging with the filter in `HAFT_LOG`, or else requests for a server, warnings with `-v`,
/// or nothing. Spans of traces go to the exporter of `telemetry`.
pub(crate) fn start(verbosity: Verbosity, serves: bool, telemetry: &Telemetry) {
    let wanted = std::env::var("HAFT_LOG")
        .ok()
        .filter(|wanted| !wanted.trim().is_empty());
    let usual = match serves {
        true if verbosity.quiet => None,
        true => Some(SERVER),
        false => verbosity.verbose.then_some(VERBOSE),
    };
    let lines = wanted.or_else(|| usual.map(str::to_owned));
    let lines = lines.map(|filter| lines_of(&filter, serves));
    let spans = telemetry.layer();
    if lines.is_some() || spans.is_some() {
        tracing_subscriber::registry()
            .with(spans)
            .with(lines)
            .init();
    } else {
        // Without a subscriber, `tracing` offers everything to the crate `log`, which nobody reads.
        let _ = set_global_default(NoSubscriber::new());
    }
}

/// The lines that this filter lets through.
fn lines_of<S>(filter: &str, serves: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let filter = filter.parse::<Targets>().unwrap_or_else(|error| {
        say(format_args!(
            "warning: HAFT_LOG={filter} is not understood ({error})"
        ));
        VERBOSE.parse().unwrap_or_default()
    });
    // They repeat what the lines say, with other names.
    let filter = filter.with_target(TRACES, LevelFilter::OFF);
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer(serves))
        // If stderr is closed, reporting that on stderr would panic.
        .log_internal_errors(false)
        .with_ansi(anstream::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    let form = LogFormat::from_env();
    match form {
        LogFormat::Text => lines
            .map_event_format(|text| CountRepeats::new(text, form))
            .with_filter(filter)
            .boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .map_event_format(|json| CountRepeats::new(json, form))
            .with_filter(filter)
            .boxed(),
    }
}

/// The form of the log, in `HAFT_LOG_FORMAT`.
#[derive(Clone, Copy)]
enum LogFormat {
    Text,
    /// One JSON object per line.
    Json,
}

impl LogFormat {
    fn from_env() -> Self {
        match std::env::var("HAFT_LOG_FORMAT").as_deref() {
            Ok("json") => Self::Json,
            Ok("text" | "") | Err(_) => Self::Text,
            Ok(other) => {
                say(format_args!(
                    "warning: HAFT_LOG_FORMAT={other} is not known; it may be text or json"
                ));
                Self::Text
            }
        }
    }
}

/// The maximum number of lines of a server that wait for the reader of stderr; more are dropped.
const WAITING: usize = 4096;

/// The destination of log lines: stderr. A server writes through a thread, because a pipe that is
/// not read must not block answers.
fn writer(serves: bool) -> BoxMakeWriter {
    if !serves {
        return BoxMakeWriter::new(|| Masked);
    }
    let (sender, lines) = sync_channel::<Vec<u8>>(WAITING);
    std::thread::spawn(move || {
        for line in lines {
            // If stderr is closed, there is no way to report that.
            let _ = Masked.write_all(&line);
        }
    });
    BoxMakeWriter::new(move || Line(sender.clone()))
}

/// Stderr with the secrets in addresses masked, because libraries log addresses too.
struct Masked;

impl Write for Masked {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        io::stderr().write_all(without_secrets(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A line that is being formatted; it is written at once.
struct Line(SyncSender<Vec<u8>>);

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let _ = self.0.try_send(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
