//! The messages of the Z-Wave JS server's API that are used here.
//!
//! Parsing is lenient: unknown fields are skipped, and a malformed node or value does not affect
//! the others. Nodes, values and events are small enough to be read as plain JSON, without types of
//! their own. Sources: `zwave-js/zwave-js-server: README.md` and traffic recorded from its release
//! 3.10.2.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The requested version of the API, if the server has it. Newer servers still support it.
pub(super) const SCHEMA: u32 = 44;
/// The oldest supported version: since then, the answer to a set command has the form that is
/// parsed here.
pub(super) const MIN_SCHEMA: u32 = 29;

/// Any message of the server.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Incoming<'a> {
    /// "version", "result" or "event".
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// In a version message: the oldest and the newest API version.
    pub(super) min_schema_version: Option<u32>,
    pub(super) max_schema_version: Option<u32>,
    /// In a result: the id of the command, and whether it succeeded.
    pub(super) message_id: Option<String>,
    pub(super) success: Option<bool>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    /// In a failed result: the description of the failure.
    pub(super) error_code: Option<String>,
    pub(super) zwave_error_message: Option<String>,
    #[serde(borrow)]
    pub(super) event: Option<&'a RawValue>,
}

/// The result of `start_listening`.
#[derive(Debug, Deserialize)]
pub(super) struct Listening<'a> {
    #[serde(borrow)]
    pub(super) state: State<'a>,
}

/// The whole network.
#[derive(Debug, Deserialize)]
pub(super) struct State<'a> {
    #[serde(borrow)]
    pub(super) nodes: Vec<&'a RawValue>,
}

/// The result of a set command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SetOutcome {
    /// The server accepted it, or the device already confirmed it.
    Taken,
    /// It was not executed, for this reason.
    Refused(String),
    /// The answer shows neither; this is its content.
    Unclear(String),
}

/// Parses the result of a set command (`SetValueStatus` of zwave-js).
pub(super) fn set_outcome(result: &Value) -> SetOutcome {
    let result = result.get("result").unwrap_or(result);
    let why = text(result, "message").unwrap_or_default();
    match result.get("status").and_then(Value::as_u64) {
        // 1: in progress; 254: sent, result unknown; 255: confirmed by the device.
        Some(1 | 254 | 255) => SetOutcome::Taken,
        // Not supported by the device, failed, no such endpoint, not implemented, invalid value.
        Some(status @ (0 | 2..=5)) => SetOutcome::Refused(format!("status {status}: {why}")),
        Some(status) => SetOutcome::Unclear(format!("status {status}: {why}")),
        None => SetOutcome::Unclear(format!("no status: {why}")),
    }
}

/// A string field of an object.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

/// An integer field of an object.
pub(super) fn number(object: &Value, key: &str) -> Option<u32> {
    u32::try_from(object.get(key)?.as_u64()?).ok()
}
