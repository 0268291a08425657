//! Lines from a peer's output, in bounded memory.
//!
//! A line over the limit is not kept, but looked through for the id of its message, so that whoever
//! waits for the answer can be told.

use std::{io, mem};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::transport::partial_response::{Head, IdScanner};

/// In bytes, one message. As much as HTTP clients of the protocol accept; a screenshot has 1 MB.
pub(crate) const MAX_LINE: usize = 16 * 1024 * 1024;

/// As many times the longest line, the rest of a longer one may have. Who goes on beyond this
/// does not mean to end.
const MAX_SKIPPED: usize = 4;

/// A pipe of Linux holds as much.
const BUFFER: usize = 64 * 1024;

/// A line without its end, or what is known of one that was too long to keep.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Whole(Vec<u8>),
    TooLong(Head),
}

/// Reads lines in bounded memory.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    max: usize,
    max_skipped: usize,
    /// Where the line is too long: what looks through the rest of it.
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

    /// The next line; `None` at the end. What the last line lacks is only its end. May be
    /// dropped and called again: nothing is lost.
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
