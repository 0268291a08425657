//! What is read of requests and replies, dialect by dialect.

use haft_wire::{anthropic, ollama, openai};

#[test]
fn openai_requests_are_read_where_they_stand() {
    let body = r#"{"model":"m","messages":[{"role":"user","content":"Hi"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function"}]},
        {"role":"tool","tool_call_id":"a","content":[]}],
        "tools":[ {"type":"function"} ],"max_tokens":5,"stream":true,
        "stream_options":{"include_usage":null},"unknown":{"n":[1,{}]}}"#;
    let request = openai::Request::read(body.as_bytes()).unwrap();
    assert!(&*request.model == "m" && request.model.is_borrowed());
    assert_eq!(request.tools.unwrap().get(), r#"[ {"type":"function"} ]"#);
    assert!(request.max_tokens.is_some() && request.max_completion_tokens.is_none());
    assert_eq!(request.stream_options.unwrap().include_usage, None);
    let [said, called, told] = request.messages.as_slice() else {
        panic!("three messages");
    };
    assert_eq!(said.content.unwrap().get(), "\"Hi\"");
    assert!(called.content.is_none());
    let calls = called.tool_calls.as_ref().unwrap();
    assert_eq!(calls.first().unwrap().id.as_deref(), Some("a"));
    assert_eq!(told.tool_call_id.as_deref(), Some("a"));
    assert!(openai::Request::read(b"{\"model\":1}").is_none());
}

#[test]
fn openai_events_tell_what_they_say() {
    let piece = |delta: &str| {
        let text = format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#);
        let event = openai::Event::read(&text).unwrap();
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
    let usage = openai::Event::read(counted).unwrap().usage().unwrap();
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (7, 2, 3)
    );
    assert!(openai::Event::read("{\"choices\":[").is_err());
}

#[test]
fn ollama_lines_tell_what_they_say() {
    let line = r#"{"message":{"role":"assistant","content":"","tool_calls":[{},{}]},
        "done":true,"done_reason":"stop","prompt_eval_count":4}"#;
    let line = ollama::Line::read(line).unwrap();
    assert_eq!(
        (line.has_words(), line.calls(), line.done),
        (false, 2, Some(true))
    );
    let reason = line.done_reason.unwrap();
    assert!(&*reason == "stop" && reason.is_borrowed());
    let body = r#"{"model":"m","messages":[{"role":"user","content":"a\nb","images":[]}]}"#;
    let request = ollama::Request::read(body.as_bytes()).unwrap();
    let said = request.messages.first().unwrap();
    assert!(said.images.is_some() && said.tool_name.is_none());
    let text = said.content.and_then(haft_wire::text).unwrap();
    assert_eq!(&*text, "a\nb");
}

#[test]
fn anthropic_reports_are_taken_one_over_the_other() {
    let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":2}}}"#;
    let end = r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":9}}"#;
    let mut usage = haft_core::Usage::default();
    for event in [start, end] {
        let event = anthropic::Event::read(event).unwrap();
        usage = event.usage().unwrap().over(usage);
    }
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (7, 9, 2)
    );
    let block = r#"{"type":"content_block_delta","delta":{"partial_json":"{"}}"#;
    assert!(anthropic::Event::read(block).unwrap().adds());
    let whole = r#"{"content":[{"type":"text","text":"a"},{"type":"tool_use"}]}"#;
    assert_eq!(anthropic::Whole::read(whole).unwrap().calls(), 1);
    let body = |choice: &str| {
        let body =
            format!(r#"{{"model":"m","max_tokens":1,"messages":[],"tool_choice":{choice}}}"#);
        anthropic::Request::read(body.as_bytes())
            .unwrap()
            .chooses_freely()
    };
    assert!(body(r#"{"type":"auto"}"#));
    assert!(!body(r#"{"type":"auto","disable_parallel_tool_use":true}"#));
}
