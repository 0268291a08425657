//! Answers to the discovery request from old and new servers.

use serde_json::{Value, json};

use super::{PROBE_ID, Protocol, detect};

fn answered(key: &str, value: &Value) -> Option<Protocol> {
    let line = json!({"jsonrpc": "2.0", "id": PROBE_ID, key: value}).to_string();
    detect(line.as_bytes())
}

#[test]
fn a_server_that_knows_the_revision_is_modern() {
    let result = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}});
    assert_eq!(answered("result", &result), Some(Protocol::Modern));
    let error = json!({"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}});
    assert_eq!(answered("error", &error), Some(Protocol::Modern));
}

#[test]
fn every_other_answer_is_legacy() {
    for code in [-32601, -32602, -32600, -32000, 0] {
        let error = json!({"code": code, "message": "what?"});
        assert_eq!(answered("error", &error), Some(Protocol::Legacy), "{code}");
    }
    assert_eq!(answered("result", &json!({})), Some(Protocol::Legacy));
    let old = json!({"supportedVersions": ["2025-11-25"]});
    assert_eq!(answered("result", &old), Some(Protocol::Legacy));
}

#[test]
fn other_lines_are_no_answer() {
    for line in ["", "Listening", "{}", r#"{"id":1,"result":{}}"#] {
        assert_eq!(detect(line.as_bytes()), None, "{line}");
    }
}
