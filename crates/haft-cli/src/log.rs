//! Logging for troubleshooting: on stderr, and only when enabled.

use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use crate::text::without_secrets;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::Verbosity;
use crate::output::say;

/// With `-v`: warnings, but for those that the trace shows anyway. `rmcp` logs what a server
/// answers, and a server may repeat any header that it got.
const VERBOSE: &str = "warn,haft_mcp=error,haft_tools=error,haft_agent=error,rmcp=off";

/// The default filter of a server: every request, and errors.
const SERVER: &str = "warn,haft_gateway=info,rmcp=off";

/// Starts logging: what `HAFT_LOG` says, else requests of a server, else warnings with `-v`, else
/// nothing.
pub(crate) fn start(verbosity: Verbosity, serves: bool) {
    let wanted = std::env::var("HAFT_LOG")
        .ok()
        .filter(|wanted| !wanted.trim().is_empty());
    let usual = match serves {
        true if verbosity.quiet => None,
        true => Some(SERVER),
        false => verbosity.verbose.then_some(VERBOSE),
    };
    let Some(filter) = wanted.or_else(|| usual.map(str::to_owned)) else {
        return;
    };
    let filter = filter.parse::<Targets>().unwrap_or_else(|error| {
        say(format_args!(
            "warning: HAFT_LOG={filter} is not understood ({error})"
        ));
        VERBOSE.parse().unwrap_or_default()
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer(serves))
        // Where stderr is gone, saying so on stderr would panic.
        .log_internal_errors(false)
        .with_ansi(anstream::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    tracing_subscriber::registry()
        .with(lines)
        .with(filter)
        .init();
}

/// The maximum number of lines of a server that wait for the reader of stderr; more are dropped.
const WAITING: usize = 4096;

/// Where lines go: straight to stderr. Those of a server go through a thread, because a pipe that
/// is not read must not stop the answers.
fn writer(serves: bool) -> BoxMakeWriter {
    if !serves {
        return BoxMakeWriter::new(|| Masked);
    }
    let (sender, lines) = sync_channel::<Vec<u8>>(WAITING);
    std::thread::spawn(move || {
        for line in lines {
            // When stderr is gone there is no way left to report it.
            let _ = Masked.write_all(&line);
        }
    });
    BoxMakeWriter::new(move || Line(sender.clone()))
}

/// Stderr, but for the secrets in addresses: libraries log them too.
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

/// One line on its way; it is written in one piece.
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
