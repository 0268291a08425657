//! Requests of the Responses API that may pass through, and what is observed of their replies.

use super::*;
use serde_json::{Value, json};

fn request(more: &Value) -> Bytes {
    let mut body = json!({"model": "m", "instructions": "Be brief.", "input": "Hi"});
    let fields = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    body.to_string().into()
}

fn session_of(more: &Value) -> u64 {
    passable(&request(more)).unwrap().session()
}

#[test]
fn requests_that_need_state_of_their_own_do_not_pass() {
    assert!(passable(&request(&json!({}))).is_some());
    assert!(
        passable(&request(
            &json!({"background": false, "conversation": null})
        ))
        .is_some()
    );
    for more in [
        json!({"background": true}),
        json!({"conversation": "conv_1"}),
        json!({"model": 7}),
    ] {
        assert!(passable(&request(&more)).is_none(), "{more}");
    }
    let continued = passable(&request(&json!({"previous_response_id": "resp_1"}))).unwrap();
    assert_eq!(continued.previous_response.as_deref(), Some("resp_1"));
}

#[test]
fn the_requests_of_a_conversation_have_one_session() {
    let item = |text: &str| json!({"role": "user", "content": text});
    let first = session_of(&json!({"input": [item("a")]}));
    assert_eq!(first, session_of(&json!({"input": [item("a"), item("b")]})));
    assert_ne!(first, session_of(&json!({"input": [item("b")]})));
    assert_ne!(
        first,
        session_of(&json!({"instructions": "?", "input": [item("a")]}))
    );
}

#[test]
fn only_functions_are_known_to_every_server() {
    let tools = |kind: &str| Bytes::from(json!([{"type": kind, "name": "a"}]).to_string());
    let model = ChatOpenAi::new("m");
    let openai = ResponsesPassThrough::new(model.clone());
    let other = ResponsesPassThrough::new(model.base_url("http://127.0.0.1:1/v1"));
    assert!(openai.knows(&tools("custom")) && openai.knows(&tools("function")));
    assert!(!other.knows(&tools("custom")) && other.knows(&tools("function")));
}

#[test]
fn words_and_calls_are_content() {
    let mut seen = Seen::default();
    for (data, passing) in [
        (json!({"type": "response.created"}), Passing::Silent),
        (
            json!({"type": "response.output_item.added", "item": {"type": "message"}}),
            Passing::Silent,
        ),
        (
            json!({"type": "response.output_text.delta", "delta": ""}),
            Passing::Silent,
        ),
        (
            json!({"type": "response.reasoning_text.delta", "delta": "Hm"}),
            Passing::Says,
        ),
        (
            json!({"type": "response.output_item.added", "item": {"type": "custom_tool_call"}}),
            Passing::Says,
        ),
        (
            json!({"type": "response.incomplete", "response": {"usage": {"input_tokens": 4, "output_tokens": null}}}),
            Passing::End,
        ),
    ] {
        assert_eq!(
            event(&data.to_string(), &mut seen).unwrap(),
            passing,
            "{data}"
        );
    }
    assert_eq!((seen.calls, seen.usage.input_tokens), (1, 4));
    assert!(event("{\"delta\": 1}", &mut seen).is_err());
}

#[test]
fn a_whole_reply_has_output() {
    let mut seen = Seen::default();
    assert!(whole(r#"{"object": "response"}"#, &mut seen).is_err());
    whole(r#"{"output": [{"type": "function_call"}]}"#, &mut seen).unwrap();
    assert_eq!(seen.calls, 1);
}
