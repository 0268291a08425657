//! The body of a forwarded request, with the model's name if it must be known.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use futures_util::{StreamExt, stream};
use haft_models::ByteStream;
use serde_json::Value;
use tokio::time::timeout;

use crate::content_encoding::decoded;
use crate::receive::{MAX_BODY, RECEIVE_TIMEOUT};
use crate::respond::Refusal;
use crate::scheduler::Member;

/// The fields with the model's name; older requests to Ollama use the second.
const NAMES: [&str; 2] = ["model", "name"];

/// The maximum size of an uploaded model file: 256 GiB, more than any model in use.
const MAX_FILE: u64 = 256 << 30;

/// The body of the request.
pub(super) enum Payload {
    /// A stream, which can be sent once.
    Stream(Body),
    /// Complete JSON, which can be sent again.
    Json(Bytes, Option<NamedModel>),
}

/// The model named in a JSON body.
pub(super) struct NamedModel {
    pub(super) name: String,
    request: Value,
}

impl Payload {
    /// Unpacks a whole body, and finds the model's name.
    pub(super) fn read(headers: &mut HeaderMap, body: Bytes) -> Result<Self, Refusal> {
        let bytes = decoded(headers, body)?;
        headers.remove(header::CONTENT_ENCODING);
        let request: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let name = NAMES.iter().find_map(|key| request.get(key)?.as_str());
        let name = name.map(str::to_owned);
        let model = name.map(|name| NamedModel { name, request });
        Ok(Self::Json(bytes, model))
    }
}

/// The body as a stream with limits on its size and pauses.
pub(super) fn bounded(body: Body, is_administrative: bool) -> ByteStream {
    let most = if is_administrative {
        MAX_FILE
    } else {
        MAX_BODY as u64
    };
    let pieces = body.into_data_stream();
    let pieces = stream::unfold((pieces, most), |(mut pieces, left)| async move {
        let piece = match timeout(RECEIVE_TIMEOUT, pieces.next()).await {
            Ok(piece) => piece?.map_err(io::Error::other),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        };
        let length = piece.as_ref().map_or(0, Bytes::len) as u64;
        match left.checked_sub(length) {
            Some(left) => Some((piece, (pieces, left))),
            None => Some((Err(io::ErrorKind::FileTooLarge.into()), (pieces, 0))),
        }
    });
    pieces.boxed()
}

/// The body with the model's name replaced by the upstream's name for it.
pub(super) fn renamed(bytes: &Bytes, model: Option<&NamedModel>, member: &Member) -> Bytes {
    let Some(NamedModel { name, request }) = model else {
        return bytes.clone();
    };
    let real = member.real_name(name);
    if real == name {
        return bytes.clone();
    }
    let mut request = request.clone();
    for key in NAMES {
        if let Some(model) = request.get_mut(key) {
            *model = real.into();
        }
    }
    request.to_string().into()
}
