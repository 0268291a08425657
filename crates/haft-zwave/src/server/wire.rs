//! The messages of the Z-Wave JS server's API, as far as they are of use here.
//!
//! Read leniently: fields that are not needed are skipped, and what is misshapen in one node or
//! one value leaves the others readable. Nodes, values and events are small enough to be looked
//! into without a type of their own for each. Sources: `zwave-js/zwave-js-server: README.md` and
//! traffic recorded from its release 3.10.2.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The version of the API that is asked for, if the server has it. Newer servers keep it.
pub(super) const SCHEMA: u32 = 44;
/// The oldest that will do: since then, the answer to a set has the form read here.
pub(super) const MIN_SCHEMA: u32 = 29;

/// Anything that the server says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Incoming<'a> {
    /// "version", "result" or "event".
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// A version: the oldest and the newest API it has.
    pub(super) min_schema_version: Option<u32>,
    pub(super) max_schema_version: Option<u32>,
    /// A result: of which command, and whether it worked.
    pub(super) message_id: Option<String>,
    pub(super) success: Option<bool>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    /// A failed result: what happened.
    pub(super) error_code: Option<String>,
    pub(super) zwave_error_message: Option<String>,
    /// An event.
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

/// What the server says of a set.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SetOutcome {
    /// It is on its way to the device, or there already.
    Taken,
    /// It was not carried out, and this is why.
    Refused(String),
    /// The answer says neither; this is what it says.
    Unclear(String),
}

/// Reads the result of a set (`SetValueStatus` of zwave-js).
pub(super) fn set_outcome(result: &Value) -> SetOutcome {
    let result = result.get("result").unwrap_or(result);
    let why = text(result, "message").unwrap_or_default();
    match result.get("status").and_then(Value::as_u64) {
        // 1: working on it; 254: sent, and nothing more is known; 255: the device confirmed it.
        Some(1 | 254 | 255) => SetOutcome::Taken,
        // No support by the device, failed, no such endpoint, not implemented, invalid value.
        Some(status @ (0 | 2..=5)) => SetOutcome::Refused(format!("status {status}: {why}")),
        Some(status) => SetOutcome::Unclear(format!("status {status}: {why}")),
        None => SetOutcome::Unclear(format!("no status: {why}")),
    }
}

/// A text in an object.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

/// A whole number in an object.
pub(super) fn number(object: &Value, key: &str) -> Option<u32> {
    u32::try_from(object.get(key)?.as_u64()?).ok()
}
