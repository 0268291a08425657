use super::*;

fn request(body: &Value) -> Option<(Value, CallForm)> {
    let rewritten = rewritten(body.to_string().as_bytes())?;
    Some((
        serde_json::from_slice(&rewritten.body).unwrap(),
        rewritten.calls,
    ))
}

#[test]
fn functions_become_tools() {
    let (body, calls) = request(&json!({
        "model": "m",
        "functions": [{"name": "now", "parameters": {"type": "object"}}],
        "function_call": {"name": "now"},
        "messages": [
            {"role": "user", "content": "time?"},
            {"role": "assistant", "content": null,
             "function_call": {"name": "now", "arguments": "{}"}},
            {"role": "function", "name": "now", "content": "12:00"},
        ],
    }))
    .unwrap();
    assert_eq!(calls, CallForm::Function);
    assert_eq!(
        body,
        json!({
            "model": "m",
            "tools": [{"type": "function",
                "function": {"name": "now", "parameters": {"type": "object"}}}],
            "tool_choice": {"type": "function", "function": {"name": "now"}},
            "parallel_tool_calls": false,
            "messages": [
                {"role": "user", "content": "time?"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1",
                    "type": "function", "function": {"name": "now", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "call_1", "name": "now", "content": "12:00"},
            ],
        })
    );
}

#[test]
fn a_request_without_functions_stays() {
    assert!(
        request(&json!({"messages": [{"role": "user", "content": "\"functions\""}]})).is_none()
    );
    assert!(request(&json!({"tools": [], "messages": []})).is_none());
    assert!(rewritten(b"{\"functions\"").is_none());
}

#[test]
fn the_choice_of_a_mode_keeps_its_word() {
    let (body, _) = request(&json!({"functions": [], "function_call": "none"})).unwrap();
    assert_eq!(body["tool_choice"], "none");
}
