use serde_json::{Value, json};

use super::super::tests::assert_recorded;
use super::*;

#[test]
fn replies_match_the_recorded_bytes() {
    let request = json!({"model": "m", "messages": [{"role": "user", "content": "?"}],
        "max_tokens": 9, "stream": true});
    assert_recorded(&Anthropic, &request, include_str!("tests/replies.txt"));
}

#[test]
fn stored_conversations_are_refused_as_by_anthropic() {
    let thread = json!({"type": "create"});
    let request = json!({"model": "m", "max_tokens": 9, "messages": [], "thread": thread});
    let rejection = |request: &Value| {
        let body = request.to_string();
        let error = Anthropic
            .read(body.as_bytes(), &Arc::default())
            .unwrap_err();
        let body = Anthropic.rejection(&error);
        (error, body)
    };
    let (error, body) = rejection(&request);
    assert_eq!(Refusal::from(&error).status, 400);
    assert_eq!(error.kind(), ModelErrorKind::Unsupported);
    let details = &body["error"]["details"];
    assert_eq!(details["error_code"], "thread_unsupported_request");
    assert_eq!(body["error"]["type"], "invalid_request_error");
    let (_, body) = rejection(&json!({}));
    assert!(body["error"]["details"].is_null());
}
