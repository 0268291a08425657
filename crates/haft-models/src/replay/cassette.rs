//! Finds the recorded reply to a request.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use haft_core::{ModelError, ModelErrorKind};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::Value;

use super::Exchange;
use super::canonical::{Difference, canonical, differences};
use crate::http::{Request, Response};

/// The maximum size of a recording in bytes, ten times that of a day of work.
const MAX_BYTES: u64 = 256 << 20;

/// How much of a value an error message shows, in characters.
const SHOWN: usize = 120;

/// A recording that answers requests.
#[derive(Debug)]
pub(crate) struct Cassette {
    entries: Vec<Entry>,
    /// Which entries were replayed already. Equal requests get their replies in order.
    played: Mutex<Vec<bool>>,
}

#[derive(Debug)]
struct Entry {
    exchange: Exchange,
    /// The request in canonical form.
    request: Value,
}

impl Cassette {
    /// Reads a recording.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Configuration`] if the file cannot be read, is too large, is empty or is
    /// not a recording; the message names the line.
    pub(crate) fn load(path: &Path) -> Result<Self, ModelError> {
        let wrong = |what: String| {
            ModelError::new(
                ModelErrorKind::Configuration,
                format!("The recording {} {what}", path.display()),
            )
            .with_hint("make one with --record FILE")
        };
        let file = File::open(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        if size > MAX_BYTES {
            return Err(wrong(format!("is larger than {} MiB", MAX_BYTES >> 20)));
        }
        let mut entries = Vec::new();
        for (number, line) in BufReader::new(file.take(MAX_BYTES)).lines().enumerate() {
            let number = number + 1;
            let line = line.map_err(|e| wrong(format!("cannot be read in line {number}: {e}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let exchange: Exchange = serde_json::from_str(&line)
                .map_err(|e| wrong(format!("holds no exchange in line {number}: {e}")))?;
            entries.push(Entry {
                request: canonical(&exchange.request),
                exchange,
            });
        }
        if entries.is_empty() {
            return Err(wrong("is empty".to_owned()));
        }
        Ok(Self {
            played: Mutex::new(vec![false; entries.len()]),
            entries,
        })
    }

    /// The exchanges in order.
    pub(super) fn exchanges(&self) -> impl Iterator<Item = &Exchange> {
        self.entries.iter().map(|entry| &entry.exchange)
    }

    /// The recorded reply to `request`: the first one that was not replayed yet.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::ReplayDrift`] if there is none; the message says where the most similar
    /// recorded request differs.
    pub(crate) fn answer(&self, request: &Request) -> Result<Response, ModelError> {
        let asked = canonical(&request.body());
        let api = request.api.name;
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let mut times = 0_usize;
        for (entry, played) in self.entries.iter().zip(played.iter_mut()) {
            if entry.exchange.api != api || entry.request != asked {
                continue;
            }
            if !*played {
                *played = true;
                return Ok(response(&entry.exchange));
            }
            times += 1;
        }
        Err(match times {
            0 => self.drift(&asked),
            _ => drifted(&format!(
                "the recording holds this request {times} times, and it was made once more"
            )),
        })
    }

    /// The error for a request that was never recorded.
    fn drift(&self, asked: &Value) -> ModelError {
        let nearest = self
            .entries
            .iter()
            .map(|entry| differences(&entry.request, asked))
            .min_by_key(Vec::len);
        match nearest.as_deref().and_then(<[_]>::first) {
            Some(Difference {
                path,
                recorded,
                asked,
            }) => drifted(&format!(
                "at {path} it was {}, and now it is {}",
                shown(*recorded),
                shown(*asked)
            )),
            None => drifted("it was recorded with another kind of server"),
        }
    }
}

fn drifted(how: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::ReplayDrift,
        format!("The request is not the recorded one: {how}"),
    )
    .with_hint("ask what was asked then, with the same tools and settings, or record it anew")
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "absent".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn response(exchange: &Exchange) -> Response {
    let body = Bytes::from(exchange.response.clone().into_bytes());
    let given = [
        (CONTENT_TYPE, &exchange.content_type),
        (RETRY_AFTER, &exchange.retry_after),
    ];
    let headers = given
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?.parse().ok()?)));
    Response {
        status: exchange.status,
        headers: headers.collect(),
        body: stream::iter([Ok(body)]).boxed(),
    }
}

#[cfg(test)]
mod tests;
