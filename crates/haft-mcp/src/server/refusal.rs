//! The JSON-RPC errors for invalid messages of a host.
//!
//! Each error carries the id of its message if it can be found, so that the host does not wait
//! forever.

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, JsonRpcMessage};
use serde_json::error::Category;
use serde_json::{Value, json};

use super::params;
use crate::transport::partial_response::{Head, IdScanner};

/// Why a message is invalid.
#[derive(Debug)]
pub(super) struct Refusal {
    head: Head,
    code: ErrorCode,
    sentence: String,
}

pub(super) fn read(text: &[u8]) -> Result<ClientJsonRpcMessage, Refusal> {
    let category = match serde_json::from_slice(text) {
        Ok(message) if !is_request_with_bad_id(&message, text) => {
            return match params::list_fault(&message, text) {
                None => Ok(message),
                Some(sentence) => Err(Refusal {
                    head: IdScanner::head_of(text),
                    code: ErrorCode::INVALID_PARAMS,
                    sentence,
                }),
            };
        }
        Ok(_) => None,
        Err(error) => Some(error.classify()),
    };
    Err(Refusal::new(text, category))
}

impl Refusal {
    /// The error for a line that is not a message.
    fn new(line: &[u8], category: Option<Category>) -> Self {
        let (code, sentence) = if matches!(category, Some(Category::Syntax | Category::Eof)) {
            (ErrorCode::PARSE_ERROR, "The message is not valid JSON")
        } else if is_request(line) {
            let sentence = "The params do not fit the method";
            (ErrorCode::INVALID_PARAMS, sentence)
        } else {
            let sentence = "The message is not one of JSON-RPC 2.0";
            (ErrorCode::INVALID_REQUEST, sentence)
        };
        Self {
            head: IdScanner::head_of(line),
            code,
            sentence: sentence.to_owned(),
        }
    }

    /// The error for a message larger than `limit` bytes; `head` has the parts that were found in
    /// it.
    pub(super) fn too_large(head: Head, limit: usize) -> Self {
        Self {
            head,
            code: ErrorCode::INVALID_REQUEST,
            sentence: format!("The message is larger than {} MB", limit / (1024 * 1024)),
        }
    }

    /// The answer; `None` for a notification or a response, which expect none.
    pub(super) fn answer(&self) -> Option<Value> {
        let Self {
            head,
            code,
            sentence,
        } = self;
        tracing::debug!(id = ?head.id, sentence, "a message of the host cannot be used");
        let is_notification = head.has_method && !head.has_id;
        if *code != ErrorCode::PARSE_ERROR && (is_notification || head.has_outcome) {
            return None;
        }
        let error = json!({"code": code.0, "message": sentence});
        Some(json!({"jsonrpc": "2.0", "id": head.id, "error": error}))
    }
}

/// True for a request in the form of JSON-RPC 2.0, whatever its params are.
fn is_request(line: &[u8]) -> bool {
    let Ok(Value::Object(message)) = serde_json::from_slice(line) else {
        return false;
    };
    let has_id = |id: &Value| id.is_string() || id.is_i64();
    message.get("jsonrpc").is_some_and(|own| own == "2.0")
        && message.get("method").is_some_and(Value::is_string)
        && message.get("id").is_some_and(has_id)
}

/// A request with an invalid id would be parsed as a notification and never be answered.
fn is_request_with_bad_id(message: &ClientJsonRpcMessage, line: &[u8]) -> bool {
    matches!(message, JsonRpcMessage::Notification(_)) && IdScanner::head_of(line).has_id
}
