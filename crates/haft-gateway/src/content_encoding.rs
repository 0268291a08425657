//! Unpacks request bodies that clients send compressed: `content-encoding: gzip` and `zstd`.
//!
//! A few kilobytes can unpack to gigabytes, so the unpacked size has the limit that every body has.

use std::io::Read;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use crate::receive::MAX_BODY;
use crate::respond::Refusal;

/// The maximum number of encodings of one body; clients use one.
const MOST: usize = 2;

/// The body as it was before its encodings.
pub(crate) fn decoded(headers: &HeaderMap, body: Bytes) -> Result<Bytes, Refusal> {
    let values = headers.get_all(header::CONTENT_ENCODING).iter();
    let names: Vec<&str> = values
        .flat_map(|value| value.to_str().unwrap_or("unreadable").split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"))
        .collect();
    if names.len() > MOST {
        return Err(Refusal::new(415, "The request has too many encodings"));
    }
    // They are named in the order in which they were applied.
    names
        .iter()
        .rev()
        .try_fold(body, |body, name| unpacked(name, &body))
}

fn unpacked(name: &str, body: &[u8]) -> Result<Bytes, Refusal> {
    if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
        return bounded(name, MultiGzDecoder::new(body));
    }
    if name.eq_ignore_ascii_case("zstd") {
        let decoder = StreamingDecoder::new(body);
        return bounded(name, decoder.map_err(|error| broken(name, &error))?);
    }
    let message = format!("The encoding \"{name}\" is unknown; expected gzip, zstd or none");
    Err(Refusal::new(415, message))
}

/// Everything that `packed` unpacks to, within the limit.
fn bounded(name: &str, packed: impl Read) -> Result<Bytes, Refusal> {
    let mut unpacked = Vec::new();
    let mut packed = packed.take(MAX_BODY as u64 + 1);
    let read = packed.read_to_end(&mut unpacked);
    read.map_err(|error| broken(name, &error))?;
    if unpacked.len() > MAX_BODY {
        let message = format!("The request unpacks to more than {MAX_BODY} bytes");
        return Err(Refusal::new(413, message));
    }
    Ok(unpacked.into())
}

fn broken(name: &str, error: &impl std::fmt::Display) -> Refusal {
    Refusal::new(400, format!("The request is not valid {name}: {error}"))
}

#[cfg(test)]
mod tests;
