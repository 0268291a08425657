use super::borrowed::{Event, Request};
use crate::borrowed_text::parse_body;
use crate::http::parse;

#[test]
fn borrowed_requests_keep_the_text_of_their_parts() {
    let body = r#"{"model":"m","messages":[{"role":"user","content":"Hi"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function"}]},
        {"role":"tool","tool_call_id":"a","content":[]}],
        "tools":[ {"type":"function"} ],"max_tokens":5,"stream":true,
        "stream_options":{"include_usage":null},"unknown":{"n":[1,{}]}}"#;
    let request: Request<'_> = parse_body(body.as_bytes()).unwrap();
    assert_eq!(&*request.model, "m");
    assert_eq!(request.tools.unwrap().get(), r#"[ {"type":"function"} ]"#);
    assert!(request.max_tokens.is_some() && request.max_completion_tokens.is_none());
    assert!(!request.stream_options.unwrap().include_usage);
    let [said, called, result] = request.messages.as_slice() else {
        panic!("three messages");
    };
    assert_eq!(said.content.unwrap().get(), "\"Hi\"");
    assert!(called.content.is_none());
    let calls = called.tool_calls.as_ref().unwrap();
    assert_eq!(calls.first().unwrap().id.as_deref(), Some("a"));
    assert_eq!(result.tool_call_id.as_deref(), Some("a"));
    assert!(parse_body::<Request<'_>>(b"{\"model\":1}").is_none());
}

#[test]
fn borrowed_events_report_text_calls_and_usage() {
    let piece = |delta: &str| {
        let text = format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#);
        let event: Event = parse(&text).unwrap();
        let mut choices = event.choices.unwrap();
        choices.remove(0).delta.unwrap()
    };
    assert!(piece(r#"{"content":"a"}"#).has_words());
    assert!(piece(r#"{"reasoning_content":"a"}"#).has_words());
    assert!(!piece(r#"{"role":"assistant","content":""}"#).has_words());
    let calls = piece(r#"{"tool_calls":[{"index":1,"id":"c","function":{"name":"f"}}]}"#);
    let calls = calls.tool_calls.unwrap();
    let call = calls.first().unwrap();
    assert_eq!((call.index, call.id.0), (Some(1), true));
    let counted =
        r#"{"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_cache_hit_tokens":3}}"#;
    let counted: Event = parse(counted).unwrap();
    let usage = counted.usage().unwrap();
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (7, 2, 3)
    );
    assert!(parse::<Event>("{\"choices\":[").is_err());
}
