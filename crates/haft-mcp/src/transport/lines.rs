//! Reads lines from a peer's output in bounded memory.
//!
//! A line over the limit is not stored, but searched for the id of its message, so that the pending
//! request can be answered with an error.

use std::{io, mem};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::transport::partial_response::{Head, IdScanner};

/// The maximum size of a message in bytes, as in HTTP clients of the protocol; a screenshot has 1
/// MB.
pub(crate) const MAX_LINE: usize = 16 * 1024 * 1024;

/// The maximum size of the rest of a longer line, in multiples of the limit. Beyond it the line
/// counts as endless.
const MAX_SKIPPED: usize = 4;

/// The buffer size in bytes, equal to the capacity of a Linux pipe.
const BUFFER: usize = 64 * 1024;

/// A line without its line end, or the parts that were found in a line that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Whole(Vec<u8>),
    TooLong(Head),
}

/// A line without a byte order mark and without blanks around it.
pub(crate) fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(line)
        .trim_ascii()
}

/// Reads lines in bounded memory.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    max: usize,
    max_skipped: usize,
    /// Searches the rest of a line that is too long.
    scanner: Option<IdScanner>,
    skipped: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(read: R) -> Self {
        Self::with_limit(read, MAX_LINE)
    }

    /// A reader without a time limit for a line, for a peer that can only harm itself.
    #[cfg(feature = "server")]
    pub(crate) fn patient(read: R) -> Self {
        Self {
            max_skipped: usize::MAX,
            ..Self::new(read)
        }
    }

    fn with_limit(read: R, max: usize) -> Self {
        Self {
            read: BufReader::with_capacity(BUFFER, read),
            line: Vec::new(),
            max,
            max_skipped: max.saturating_mul(MAX_SKIPPED),
            scanner: None,
            skipped: 0,
        }
    }

    /// The next line; `None` at the end. A last line without a line end is returned too. Cancel
    /// safe.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(self.ended());
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let part = available.get(..end.unwrap_or(taken)).unwrap_or_default();
            if let Some(scanner) = &mut self.scanner {
                scanner.feed(part);
                self.skipped = self.skipped.saturating_add(taken);
            } else if self.line.len().saturating_add(part.len()) > self.max {
                let mut scanner = IdScanner::default();
                scanner.feed(&mem::take(&mut self.line));
                scanner.feed(part);
                self.scanner = Some(scanner);
            } else {
                self.line.extend_from_slice(part);
            }
            self.read.consume(taken);
            if end.is_some() {
                return Ok(Some(self.line()));
            }
            if self.skipped > self.max_skipped {
                return Err(io::Error::new(
                    io::ErrorKind::FileTooLarge,
                    "a line without end",
                ));
            }
        }
    }

    fn line(&mut self) -> Line {
        self.skipped = 0;
        match self.scanner.take() {
            Some(scanner) => Line::TooLong(scanner.head()),
            None => Line::Whole(mem::take(&mut self.line)),
        }
    }

    fn ended(&mut self) -> Option<Line> {
        let has_rest = self.scanner.is_some() || !self.line.is_empty();
        has_rest.then(|| self.line())
    }
}

#[cfg(test)]
mod tests;
