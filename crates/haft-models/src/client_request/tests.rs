use serde_json::{Value, json};

use super::*;

type Read = fn(&[u8]) -> Result<ClientRequest, ModelError>;

fn read(read: Read, body: &Value) -> Result<ClientRequest, ModelError> {
    read(body.to_string().as_bytes())
}

/// What the tools said, in the order in which the model will read it.
fn results(request: &ClientRequest) -> Vec<String> {
    let texts = request.messages.iter().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.text()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn results_are_in_the_order_of_their_calls() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let result =
        |id: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "content": text});
    let round = [
        json!({"role": "assistant", "content": null, "tool_calls": [call("a"), call("b"), call("c")]}),
        result("c", "third"),
        result("a", "first"),
        result("b", "second"),
    ];
    let again = [
        json!({"role": "assistant", "content": null, "tool_calls": [call("d"), call("e")]}),
        result("e", "fifth"),
        result("unknown", "of nothing"),
        result("d", "fourth"),
    ];
    let messages: Vec<Value> = round.into_iter().chain(again).collect();
    let request = json!({"model": "m", "messages": messages});
    let request = read(ClientRequest::from_openai, &request).unwrap();
    let expected = ["first", "second", "third", "fifth", "of nothing", "fourth"];
    assert_eq!(results(&request), expected);
    let blocks =
        |id: &str, text: &str| json!({"type": "tool_result", "tool_use_id": id, "content": text});
    let uses = ["a", "b"].map(|id| json!({"type": "tool_use", "id": id, "name": "f", "input": {}}));
    let request = json!({"model": "m", "max_tokens": 9, "messages": [
        {"role": "assistant", "content": uses},
        {"role": "user", "content": [blocks("b", "second"), blocks("a", "first")]},
    ]});
    let request = read(ClientRequest::from_anthropic, &request).unwrap();
    assert_eq!(results(&request), ["first", "second"]);
}

#[test]
fn a_conversation_that_the_server_is_to_keep_is_unsupported() {
    for thread in [
        json!({"type": "create"}),
        json!({"type": "continue", "previous_message_id": "msg_1"}),
    ] {
        let request = json!({"model": "m", "max_tokens": 9, "messages": [], "thread": thread});
        let error = read(ClientRequest::from_anthropic, &request).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Unsupported);
    }
}

/// The request with one of its fields set to null, for each of them.
fn with_nulls<'a>(request: &'a Value, fields: &'a [&str]) -> impl Iterator<Item = Value> + 'a {
    fields.iter().map(move |field| {
        let mut request = request.clone();
        *request.pointer_mut(field).expect(field) = Value::Null;
        request
    })
}

#[test]
fn null_is_as_good_as_nothing() {
    let function = json!({"name": "f", "description": "d", "parameters": {"type": "object"}});
    let tools = json!([{"type": "function", "function": function}]);
    let openai = json!({"model": "m", "messages": [{"role": "user", "content": "?"}],
        "tools": tools, "tool_choice": "auto", "temperature": 1, "top_p": 1, "seed": 1,
        "stop": ["x"], "reasoning_effort": "low", "max_tokens": 1, "max_completion_tokens": 1,
        "response_format": {"type": "text"}, "stream": true,
        "stream_options": {"include_usage": true}});
    let fields = [
        "/tools",
        "/tool_choice",
        "/temperature",
        "/top_p",
        "/seed",
        "/stop",
        "/reasoning_effort",
        "/max_tokens",
        "/max_completion_tokens",
        "/response_format",
        "/stream",
        "/stream_options",
        "/stream_options/include_usage",
        "/tools/0/function/description",
        "/tools/0/function/parameters",
        "/messages/0/content",
    ];
    for request in with_nulls(&openai, &fields) {
        read(ClientRequest::from_openai, &request).unwrap();
    }
    let message = json!({"role": "user", "content": "?", "images": [], "tool_calls": []});
    let ollama = json!({"model": "m", "messages": [message], "tools": tools, "format": "json",
        "options": {"temperature": 1, "stop": ["x"], "num_predict": 1}, "stream": true,
        "think": true, "keep_alive": 1});
    let fields = [
        "/tools",
        "/format",
        "/options",
        "/options/temperature",
        "/options/stop",
        "/options/num_predict",
        "/stream",
        "/think",
        "/keep_alive",
        "/messages/0/images",
        "/messages/0/tool_calls",
        "/messages/0/content",
        "/tools/0/function/description",
    ];
    for request in with_nulls(&ollama, &fields) {
        read(ClientRequest::from_ollama_chat, &request).unwrap();
    }
    let anthropic = json!({"model": "m", "max_tokens": 9, "system": "s", "tools": [],
        "tool_choice": {"type": "auto"}, "temperature": 1, "top_p": 1, "thinking": {"type": "disabled"},
        "output_config": {}, "stop_sequences": [], "stream": false,
        "messages": [{"role": "user", "content": "?"}]});
    let fields = [
        "/system",
        "/tools",
        "/tool_choice",
        "/temperature",
        "/top_p",
        "/thinking",
        "/output_config",
        "/stop_sequences",
        "/stream",
    ];
    for request in with_nulls(&anthropic, &fields) {
        read(ClientRequest::from_anthropic, &request).unwrap();
    }
}

#[test]
fn what_a_client_wishes_is_kept_down_to_the_options_of_one_engine() {
    let options = json!({"temperature": 0.5, "num_ctx": 16384, "top_k": 40, "min_p": 0.05,
        "repeat_penalty": 1.1, "mirostat": 2, "num_gpu": 99});
    let chat = json!({"model": "m", "messages": [], "options": options, "keep_alive": -1});
    let generate = json!({"model": "m", "prompt": "?", "options": options, "keep_alive": -1});
    for request in [
        read(ClientRequest::from_ollama_chat, &chat),
        read(ClientRequest::from_ollama_generate, &generate),
    ] {
        let wished = request.unwrap().options.generation;
        assert_eq!(wished.temperature, Some(0.5));
        assert_eq!(wished.context_tokens, Some(16_384));
        assert_eq!(wished.top_k, Some(40));
        assert_eq!(wished.min_p, Some(0.05));
        assert_eq!(wished.repeat_penalty, Some(1.1));
        assert_eq!(wished.keep_alive, Some(json!(-1)));
        let others = Value::Object(wished.ollama_options);
        assert_eq!(others, json!({"mirostat": 2, "num_gpu": 99}));
    }
    let request = json!({"model": "m", "messages": [], "top_k": 40, "repetition_penalty": 1.1,
        "presence_penalty": 0.5, "parallel_tool_calls": false, "n": 1, "user": null,
        "chat_template_kwargs": {"enable_thinking": false}});
    let wished = read(ClientRequest::from_openai, &request)
        .unwrap()
        .options
        .generation;
    assert_eq!(wished.top_k, Some(40));
    assert_eq!(wished.repeat_penalty, Some(1.1));
    assert_eq!(wished.presence_penalty, Some(0.5));
    let fields = json!({"parallel_tool_calls": false,
        "chat_template_kwargs": {"enable_thinking": false}});
    assert_eq!(Value::Object(wished.openai_fields), fields);
}

#[test]
fn a_body_that_is_no_object_is_refused_in_plain_words() {
    for body in ["", "[]", "3", "not json"] {
        let error = ClientRequest::from_openai(body.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "The request is not a JSON object");
    }
}

#[test]
fn several_replies_at_once_are_refused() {
    let request = json!({"model": "m", "messages": [], "n": 3});
    let error = read(ClientRequest::from_openai, &request).unwrap_err();
    assert!(error.to_string().contains("`n` is 3"), "{error}");
}

#[test]
fn what_the_model_would_not_see_is_noted() {
    let noted = |request: ClientRequest| {
        let document = request.options.client_document.unwrap();
        document.messages[0].opaque.clone()
    };
    let file = json!({"type": "file", "file": {"file_data": "data:application/pdf;base64,AA=="}});
    let remote = json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}});
    let request = json!({"model": "m", "messages": [{"role": "user", "content": [file, remote]}]});
    let request = read(ClientRequest::from_openai, &request).unwrap();
    assert_eq!(noted(request).len(), 2);
    let source = json!({"type": "base64", "media_type": "application/pdf", "data": "AA=="});
    let document = json!({"type": "document", "source": source});
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": [document]});
    for content in [json!([document]), json!([result])] {
        let messages = json!([{"role": "user", "content": content}]);
        let request = json!({"model": "m", "max_tokens": 9, "messages": messages});
        let request = read(ClientRequest::from_anthropic, &request).unwrap();
        assert_eq!(noted(request).len(), 1);
    }
}

#[test]
fn a_lone_surrogate_becomes_the_replacement_character() {
    let body = br#"{"model": "m", "messages": [{"role": "user", "content": "a \ud83d b"}]}"#;
    let request = ClientRequest::from_openai(body).unwrap();
    assert_eq!(request.messages[0].content().text(), "a \u{fffd} b");
    let document = request.options.client_document.unwrap();
    assert!(document.text.contains("a \\ufffd b"));
}

#[test]
fn calls_of_old_clients_need_no_ids() {
    let call = |name: &str| json!({"function": {"name": name, "arguments": "{}"}});
    let request = json!({"model": "m", "messages": [
        {"role": "assistant", "content": null, "tool_calls": [call("f"), call("g")]},
        {"role": "function", "name": "g", "content": "of g"},
        {"role": "tool", "content": "of f"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
    ]});
    let request = read(ClientRequest::from_openai, &request).unwrap();
    assert_eq!(results(&request), ["of f", "of g"]);
    assert_eq!(request.messages.last().unwrap().content().text(), "No.");
}

#[test]
fn recorded_requests_are_read_or_refused_for_a_reason() {
    let Some(data) = haft_testing::data_dir("recorded_requests_are_read_or_refused_for_a_reason")
    else {
        return;
    };
    let reasons = [
        "runs at Anthropic only",
        "an image",
        "An image must be",
        "A message contains something",
        "openrouter:",
        "\"hot\"",
    ];
    for (file, reader) in [
        ("openai-chat", ClientRequest::from_openai as Read),
        ("anthropic-messages", ClientRequest::from_anthropic),
        ("ollama-chat", ClientRequest::from_ollama_chat),
    ] {
        let lines = std::fs::read_to_string(data.join(format!("cassettes/{file}.jsonl"))).unwrap();
        let (mut good, mut refused) = (0, 0);
        for line in lines.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            match read(reader, &record["request"]) {
                Ok(_) => good += 1,
                Err(error) => {
                    let error = error.to_string();
                    let is_known = reasons.iter().any(|reason| error.contains(reason));
                    assert!(is_known, "{}: {error}", record["id"]);
                    refused += 1;
                }
            }
        }
        assert!(good > 5 * refused, "{file}: {good} read, {refused} refused");
    }
}
