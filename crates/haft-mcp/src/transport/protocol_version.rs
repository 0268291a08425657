//! The two generations of the protocol, and how to detect which one a child uses.
//!
//! Until 2025-11-25 a connection begins with `initialize`; since 2026-07-28 that does not exist,
//! and a client may request `server/discover`. An older server does not know that request: it
//! answers with an error, does not answer, or exits.

use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::ClientLifecycleMode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The id of the discovery request, which no other message has.
pub(crate) const PROBE_ID: &str = "haft-discover";

/// The generation of the protocol.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) enum Protocol {
    /// Begins with `initialize`, always for the revision that every such server supports.
    #[serde(rename = "2025-11-25")]
    Legacy,
    /// Sends all information in each request.
    #[serde(rename = "2026-07-28")]
    Modern,
}

impl Protocol {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Legacy => Self::Modern,
            Self::Modern => Self::Legacy,
        }
    }

    /// The corresponding mode of `rmcp`.
    pub(crate) fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Legacy => ClientLifecycleMode::Initialize,
            Self::Modern => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}

/// The discovery request as a line.
pub(crate) fn probe() -> Vec<u8> {
    let haft = json!({"name": "haft", "version": env!("CARGO_PKG_VERSION")});
    let question = json!({
        "jsonrpc": "2.0",
        "id": PROBE_ID,
        "method": "server/discover",
        "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": ProtocolVersion::V_2026_07_28.as_str(),
            "io.modelcontextprotocol/clientInfo": haft,
            "io.modelcontextprotocol/clientCapabilities": {}
        }}
    });
    format!("{question}\n").into_bytes()
}

/// The protocol of the sender according to a line; `None` if it is not an answer to the discovery
/// request.
pub(crate) fn detect(line: &[u8]) -> Option<Protocol> {
    let message: Value = serde_json::from_slice(line.trim_ascii()).ok()?;
    if message.get("id").and_then(Value::as_str) != Some(PROBE_ID) {
        return None;
    }
    let knows = |versions: Option<&Value>| {
        let versions = versions.and_then(Value::as_array).into_iter().flatten();
        versions
            .filter_map(Value::as_str)
            .any(|version| version == ProtocolVersion::V_2026_07_28.as_str())
    };
    let code = message.pointer("/error/code").and_then(Value::as_i64);
    let is = |known: ErrorCode| code == Some(i64::from(known.0));
    // Only a server that knows this generation reports this error.
    let is_modern = knows(message.pointer("/result/supportedVersions"))
        || is(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
            && knows(message.pointer("/error/data/supported"))
        || is(ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY)
        || is(ErrorCode::HEADER_MISMATCH);
    Some(if is_modern {
        Protocol::Modern
    } else {
        Protocol::Legacy
    })
}

#[cfg(test)]
mod tests;
