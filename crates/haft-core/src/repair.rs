//! The record of one repair of a tool call, for traces and counters.

use serde::Serialize;

/// One repair of a tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallRepair {
    /// The name of the called tool.
    pub tool: String,
    /// The kind of repair from a fixed set, such as `text_to_number`; `found_in_text` for a call
    /// that the model wrote into its text.
    pub kind: String,
    /// A sentence that describes the repair.
    pub what: String,
}
