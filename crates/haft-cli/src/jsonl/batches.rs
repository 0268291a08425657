//! Splits the input of `--jsonl` into batches of complete lines. A batch has the lines that have
//! arrived, so that a program that writes one line and waits for its answer gets it.

use std::io::{self, ErrorKind, Read};

/// The number of bytes to read at once: a few dozen replies, so that passing them to a thread is
/// cheap, and few enough to keep all threads busy.
const CHUNK: usize = 64 * 1024;

/// Complete lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Batch {
    /// Lines separated by line ends, without one after the last.
    Lines(Vec<u8>),
    /// A line over the limit.
    TooLong,
}

pub(super) struct Batches<R> {
    input: R,
    max_line: usize,
    /// The beginning of an incomplete line.
    open: Vec<u8>,
    /// The rest of a line that is too long is being skipped.
    skipping: bool,
    ended: bool,
}

impl<R: Read> Batches<R> {
    /// `max_line` is the limit in bytes, which may be exceeded by the size of one read.
    pub(super) fn new(input: R, max_line: usize) -> Self {
        Self {
            input,
            max_line,
            open: Vec::new(),
            skipping: false,
            ended: false,
        }
    }

    fn read(&mut self) -> io::Result<Option<Batch>> {
        let mut chunk = vec![0; CHUNK];
        while !self.ended {
            let length = match self.input.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            let mut arrived = chunk.get(..length).unwrap_or_default();
            self.ended = arrived.is_empty();
            if self.skipping {
                let Some((_, rest)) = split_first_line(arrived) else {
                    continue;
                };
                self.skipping = false;
                arrived = rest;
            }
            if let Some((lines, rest)) = split_last_line(arrived) {
                self.open.extend_from_slice(lines);
                return Ok(Some(Batch::Lines(std::mem::replace(
                    &mut self.open,
                    rest.to_vec(),
                ))));
            }
            self.open.extend_from_slice(arrived);
            if self.open.len() > self.max_line {
                self.open = Vec::new();
                self.skipping = true;
                return Ok(Some(Batch::TooLong));
            }
        }
        let last = std::mem::take(&mut self.open);
        Ok((!last.is_empty()).then_some(Batch::Lines(last)))
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read();
        if batch.is_err() {
            // What follows is not the rest of the incomplete line.
            self.ended = true;
            self.open.clear();
        }
        batch.transpose()
    }
}

fn split_first_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

fn split_last_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

#[cfg(test)]
mod tests;
