//! `POST /v1/messages/count_tokens`: an estimate, because no server counts tokens for another
//! server's model.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use haft_core::estimated_tokens;
use haft_models::ClientRequest;
use serde_json::{Value, json};

use super::super::dialect::Dialect;
use super::Anthropic;
use crate::content_encoding::decoded;
use crate::respond::{Refusal, json};

/// The estimated overhead of a message or a tool in tokens.
const AROUND: u64 = 8;

pub(super) async fn answer(headers: HeaderMap, body: Bytes) -> Response {
    match decoded(&headers, body).and_then(|body| counted(&body)) {
        Ok(tokens) => json(&json!({"input_tokens": tokens})),
        Err(refusal) => Anthropic.refused(&refusal),
    }
}

fn counted(body: &[u8]) -> Result<u64, Refusal> {
    let mut request: Value = serde_json::from_slice(body)
        .map_err(|error| Refusal::new(400, format!("The request cannot be read: {error}")))?;
    // The parser requires a limit on the reply, which this request does not have; the value does
    // not affect the count.
    if let Some(request) = request.as_object_mut() {
        request.insert("max_tokens".to_owned(), 1.into());
    }
    let request = ClientRequest::from_anthropic(request.to_string().as_bytes());
    request
        .map(|request| count(&request))
        .map_err(|error| Refusal::from(&error))
}

fn count(request: &ClientRequest) -> u64 {
    let messages = request.messages.iter();
    let messages = messages.map(|message| message.content().text());
    let tools = request.tools.iter();
    let tools = tools.map(|tool| format!("{}{}{}", tool.name(), tool.description(), tool.schema()));
    messages
        .chain(tools)
        .map(|text| estimated_tokens(&text) + AROUND)
        .sum()
}
