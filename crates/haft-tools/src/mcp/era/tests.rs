//! Answers to the question for the era, of servers old and new.

use serde_json::{Value, json};

use super::{Era, PROBE_ID, told};

fn answered(key: &str, value: &Value) -> Option<Era> {
    let line = json!({"jsonrpc": "2.0", "id": PROBE_ID, key: value}).to_string();
    told(line.as_bytes())
}

#[test]
fn a_server_that_knows_the_revision_is_modern() {
    let result = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}});
    assert_eq!(answered("result", &result), Some(Era::Modern));
    let error = json!({"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}});
    assert_eq!(answered("error", &error), Some(Era::Modern));
}

#[test]
fn every_other_answer_is_legacy() {
    for code in [-32601, -32602, -32600, -32000, 0] {
        let error = json!({"code": code, "message": "what?"});
        assert_eq!(answered("error", &error), Some(Era::Legacy), "{code}");
    }
    assert_eq!(answered("result", &json!({})), Some(Era::Legacy));
    let old = json!({"supportedVersions": ["2025-11-25"]});
    assert_eq!(answered("result", &old), Some(Era::Legacy));
}

#[test]
fn other_lines_are_no_answer() {
    for line in ["", "Listening", "{}", r#"{"id":1,"result":{}}"#] {
        assert_eq!(told(line.as_bytes()), None, "{line}");
    }
}
