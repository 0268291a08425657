//! Writes answers and data to stdout, and messages to stderr.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};

use serde::Serialize;

use crate::failure::Failure;
use crate::text::plain;

/// Writes `text` and a line end: unchanged to a pipe or a file, without control characters to a
/// terminal.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        write_raw(&format!("{}\n", plain(text)))
    } else {
        write_raw(&format!("{text}\n"))
    }
}

/// Writes `value` as JSON: on one line for programs, indented for people.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = if io::stdout().is_terminal() {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    let json = json.map_err(|error| Failure::new(format!("This cannot be JSON: {error}")))?;
    print_text(&json)
}

/// Writes and flushes `text` unchanged. A closed pipe is not an error, because the reader has seen
/// enough.
pub(crate) fn write_raw(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("stdout cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr, with colours on a terminal. A closed stderr is not an error, because
/// there is no reader left.
pub(crate) fn say(line: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
