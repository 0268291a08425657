//! The messages of the Z-Wave JS server's API, as far as they are of use here.
//!
//! Read leniently: fields that are not needed are skipped, and what is misshapen in one node or
//! one value leaves the others readable. Sources: `zwave-js/zwave-js-server: README.md` and
//! traffic recorded from its release 3.10.2.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

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
    #[serde(default)]
    pub(super) success: bool,
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

/// One node of the network.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeState<'a> {
    pub(super) node_id: u32,
    pub(super) name: Option<String>,
    pub(super) location: Option<String>,
    #[serde(default)]
    pub(super) status: u8,
    #[serde(default)]
    pub(super) is_controller_node: bool,
    pub(super) last_seen: Option<String>,
    #[serde(borrow, default)]
    pub(super) values: Vec<&'a RawValue>,
}

/// One value of a node: where it stands, what it is, and its last report.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ValueState {
    #[serde(default)]
    pub(super) endpoint: u32,
    pub(super) command_class: u32,
    pub(super) property: Value,
    pub(super) property_key: Option<Value>,
    #[serde(default)]
    pub(super) metadata: Metadata,
    pub(super) value: Option<Value>,
}

/// What a value means.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Metadata {
    pub(super) unit: Option<String>,
    /// Words for numbers.
    pub(super) states: Option<Map<String, Value>>,
}

/// Something that happened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    /// "node", "controller" or "driver".
    pub(super) source: String,
    pub(super) event: String,
    pub(super) node_id: Option<u32>,
    /// Of a changed value.
    pub(super) args: Option<Value>,
    pub(super) statistics: Option<Statistics>,
}

/// What an event about statistics tells of a node.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Statistics {
    pub(super) last_seen: Option<String>,
}

/// The arguments of `value updated` and `value added`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    #[serde(default)]
    pub(super) endpoint: u32,
    pub(super) command_class: u32,
    pub(super) property: Value,
    pub(super) property_key: Option<Value>,
    pub(super) new_value: Option<Value>,
}

/// The result of `node.set_value`.
#[derive(Debug, Deserialize)]
pub(super) struct SetResult {
    pub(super) result: SetStatus,
}

/// How a set went (`SetValueStatus` of zwave-js).
#[derive(Debug, Deserialize)]
pub(super) struct SetStatus {
    pub(super) status: u8,
    pub(super) message: Option<String>,
}

impl SetStatus {
    /// 1: working on it; 254: sent, and nothing more is known; 255: confirmed by the device.
    pub(super) fn is_accepted(&self) -> bool {
        matches!(self.status, 1 | 254 | 255)
    }
}

/// The result of `node.poll_value`.
#[derive(Debug, Deserialize)]
pub(super) struct PollResult {
    pub(super) value: Option<Value>,
}
