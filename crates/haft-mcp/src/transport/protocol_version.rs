//! The two generations of the protocol, and how to tell which of them a child speaks.
//!
//! Until 2025-11-25 a connection begins with `initialize`; since 2026-07-28 there is no such
//! thing, and a client may ask `server/discover`. An older server does not know that request: it
//! answers with some error, or not at all, or ends.

use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::ClientLifecycleMode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The id of the question, which no other message has.
pub(crate) const PROBE_ID: &str = "haft-discover";

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) enum Protocol {
    /// With `initialize`, always for the revision that every such server knows.
    #[serde(rename = "2025-11-25")]
    Legacy,
    /// With everything in each request.
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

    /// How `rmcp` is told.
    pub(crate) fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Legacy => ClientLifecycleMode::Initialize,
            Self::Modern => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}

/// The question, as a line.
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

/// What a line says about the protocol of who wrote it; `None` where it is no answer to the question.
pub(crate) fn told(line: &[u8]) -> Option<Protocol> {
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
    // Only who knows the protocol can complain like this.
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
