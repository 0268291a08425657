use serde_json::json;

use super::*;

/// A record of at most `bytes` bytes of content.
fn recording(bytes: usize) -> RawReply {
    let raw = RawReply::default();
    raw.record_content(bytes);
    raw
}

#[test]
fn pieces_of_one_kind_are_joined_and_calls_stay_apart() {
    let raw = recording(1024);
    raw.asks("desk");
    raw.begin();
    raw.text("Let me ");
    raw.text("look.");
    raw.call_name(0, "weather");
    raw.call_name(1, "clock");
    raw.call_arguments(0, "{\"city\":");
    raw.call_arguments(0, "\"Oslo\"}");
    assert_eq!(
        serde_json::to_value(raw.attempts()).unwrap(),
        json!([{"server": "desk", "is_cut": false, "parts": [
            {"text": "Let me look."},
            {"call": {"index": 0, "name": "weather", "arguments": "{\"city\":\"Oslo\"}"}},
            {"call": {"index": 1, "name": "clock", "arguments": ""}}]}])
    );
}

#[test]
fn a_second_reply_of_a_server_is_an_attempt_of_its_own() {
    let raw = recording(1024);
    raw.asks("desk");
    raw.begin();
    raw.text("a");
    raw.begin();
    raw.text("b");
    let servers = raw.attempts().into_iter().map(|attempt| attempt.server);
    assert!(
        servers
            .clone()
            .all(|server| server.as_deref() == Some("desk"))
    );
    assert_eq!(servers.count(), 2);
}

#[test]
fn content_beyond_the_limit_is_cut_at_a_character() {
    let raw = recording(4);
    raw.begin();
    raw.text("abc\u{e9}");
    raw.reasoning("more");
    let attempt = raw.attempts().remove(0);
    assert_eq!(attempt.parts, [RawPart::Text("abc".to_owned())]);
    assert!(attempt.is_cut);
}

#[test]
fn forgotten_content_does_not_come_back() {
    let raw = recording(1024);
    raw.asks("desk");
    raw.text("a secret");
    raw.forget();
    raw.text("another");
    let attempt = raw.attempts().remove(0);
    assert!(attempt.parts.is_empty() && attempt.is_cut);
    assert_eq!(raw.server().as_deref(), Some("desk"));
}
