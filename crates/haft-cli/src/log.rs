//! The log, for whoever looks for a fault: on stderr, and only when asked for.

use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::Verbosity;

/// With `-v`: warnings, but for those that the trace shows anyway.
const VERBOSE: &str = "warn,haft_tools=error,haft_agent=error";

/// For a server: every request, and what went wrong.
const SERVER: &str = "warn,haft_gateway=info";

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
        anstream::eprintln!("warning: HAFT_LOG={filter} is not understood ({error})");
        VERBOSE.parse().unwrap_or_default()
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer(serves))
        .with_ansi(anstream::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    tracing_subscriber::registry()
        .with(lines)
        .with(filter)
        .init();
}

/// So many lines of a server wait for whoever reads its stderr; more are dropped.
const WAITING: usize = 4096;

/// Where lines go: straight to stderr, or of a server by way of a thread, as a pipe that nobody
/// reads must not stop the answers.
fn writer(serves: bool) -> BoxMakeWriter {
    if !serves {
        return BoxMakeWriter::new(io::stderr);
    }
    let (sender, lines) = sync_channel::<Vec<u8>>(WAITING);
    std::thread::spawn(move || {
        for line in lines {
            // There is nobody left to tell when stderr is gone.
            let _ = io::stderr().write_all(&line);
        }
    });
    BoxMakeWriter::new(move || Line(sender.clone()))
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
