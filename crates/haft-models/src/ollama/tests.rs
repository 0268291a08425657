mod sizes;

use haft_core::{AiMessage, Generation, ModelErrorKind};
use haft_testing::{CapturedLog, Reply, ScriptedServer, SpyTool, data_dir, named_tool};
use serde_json::json;

use super::wire::ChatRequest;
use super::*;

/// A model at this address, asked once.
fn model(url: &str) -> ChatOllama {
    let limits = Limits {
        retries: 0,
        ..Limits::default()
    };
    ChatOllama::new("tiny")
        .base_url(url)
        .transport(Transport::http().with_limits(limits))
}

fn at(server: &ScriptedServer) -> ChatOllama {
    model(server.url())
}

fn says(text: &str) -> Reply {
    Reply::ndjson([
        json!({"message": {"role": "assistant", "content": text}, "done": false}),
        json!({
            "message": {"role": "assistant", "content": ""},
            "done": true, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 3,
        }),
    ])
}

async fn ask(model: &dyn ChatModel) -> Result<AiMessage, ModelError> {
    model
        .invoke(&[Message::human("Hello")], &CallOptions::default())
        .await
}

fn weather() -> Arc<dyn Tool> {
    let tool = SpyTool::new("get_weather", |_| Ok("ok".into())).with_schema(json!({
        "type": "object",
        "properties": {"days": {"type": "integer", "minimum": 1}},
        "required": ["days"],
    }));
    Arc::new(tool)
}

#[tokio::test]
async fn s003_10_base_url_model_and_temperature_are_stored_and_sent() {
    let server = ScriptedServer::start([says("Hi")]).await;
    let model = at(&server)
        .temperature(0.25)
        .num_predict(64)
        .num_ctx(8192)
        .keep_alive("10m")
        .think(true);
    assert_eq!(model.id(), "ollama:tiny");
    assert_eq!(model.base_url, server.url());
    assert_eq!(model.temperature, Some(0.25));
    ask(&model).await.unwrap();
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/api/chat")
    );
    assert_eq!(
        request.body,
        json!({
            "model": "tiny",
            "messages": [{"role": "user", "content": "Hello"}],
            "options": {"temperature": 0.25, "num_predict": 64, "num_ctx": 8192},
            "stream": true,
            "think": true,
            "keep_alive": "10m",
            "truncate": false,
        })
    );
}

#[tokio::test]
async fn unset_options_are_not_sent() {
    let server = ScriptedServer::start([says("Hi")]).await;
    ask(&at(&server)).await.unwrap();
    assert_eq!(
        server.requests()[0].body,
        json!({
            "model": "tiny",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": true,
            "truncate": false,
        })
    );
}

#[tokio::test]
async fn s001_02_tools_go_out_in_qwen_format_and_nothing_else_of_them() {
    let server = ScriptedServer::start([says("Hi")]).await;
    let tools = [named_tool("get_time", Some("lc_time"))];
    ask(&*at(&server).bind_tools(&tools).unwrap())
        .await
        .unwrap();
    let request = &server.requests()[0];
    assert_eq!(
        request.body["tools"],
        json!([{"type": "function", "function": {
            "name": "lc_time",
            "description": "A tool for tests",
            "parameters": {"type": "object", "properties": {}},
        }}])
    );
    for absent in ["invoke", "lc_kwargs", "lc_name", "input_schema"] {
        assert!(!request.text.contains(absent));
    }
}

#[tokio::test]
async fn s001_06_no_tools_no_field() {
    let server = ScriptedServer::start([says("Hi")]).await;
    ask(&*at(&server).bind_tools(&[]).unwrap()).await.unwrap();
    assert_eq!(server.requests()[0].body.get("tools"), None);
}

#[tokio::test]
async fn s001_08_the_bound_tools_stay_as_they_are() {
    let server = ScriptedServer::start([says("Hi"), says("Hi")]).await;
    let tools = [weather()];
    let before = tools[0].schema().clone();
    ask(&*at(&server).bind_tools(&tools).unwrap())
        .await
        .unwrap();
    assert_eq!(*tools[0].schema(), before);
    // Ollama's own form is for Ollama alone.
    let wire = &server.requests()[0].body["tools"][0]["function"]["parameters"];
    assert_eq!(
        wire["properties"]["days"],
        json!({"type": "integer", "description": "at least 1"})
    );
    // The model that was bound is another one.
    ask(&at(&server)).await.unwrap();
    assert_eq!(server.requests()[1].body.get("tools"), None);
}

#[tokio::test]
async fn s001_08_requests_to_others_are_the_same_before_and_after() {
    let server = ScriptedServer::with(|_| says("Hi")).await;
    let tools = [weather()];
    let other = || crate::ChatAnthropic::new("tiny").base_url(server.url());
    // What comes back is no reply of Anthropic's; only what goes out counts here.
    ask(&*other().bind_tools(&tools).unwrap())
        .await
        .unwrap_err();
    ask(&*at(&server).bind_tools(&tools).unwrap())
        .await
        .unwrap();
    ask(&*other().bind_tools(&tools).unwrap())
        .await
        .unwrap_err();
    let requests = server.requests();
    let [before, _, after] = &requests[..] else {
        panic!("three requests, not {requests:?}");
    };
    assert_eq!(before.text, after.text);
    assert_eq!(before.body["tools"][0]["input_schema"], *tools[0].schema());
}

/// As much of a model's chat template as it takes: it reads the tools, and the question decides
/// which is called with which parameter.
fn template(body: &Value) -> Reply {
    let mut rendered = Vec::new();
    for tool in body["tools"].as_array().unwrap() {
        validate_qwen_tool(tool).unwrap();
        let function = &tool["function"];
        let properties = function["parameters"]["properties"].as_object().unwrap();
        let names: Vec<_> = properties.keys().map(String::as_str).collect();
        rendered.push((function["name"].as_str().unwrap(), names));
    }
    if body["messages"][0]["content"] == "Which tools do you have?" {
        let names: Vec<_> = rendered.iter().map(|(name, _)| *name).collect();
        return says(&names.join(", "));
    }
    let (name, parameters) = &rendered[0];
    let call = json!({"function": {"name": name, "arguments": {parameters[0]: 3}}});
    Reply::ndjson([json!({"message": {"content": "", "tool_calls": [call]}, "done": true})])
}

#[tokio::test]
async fn s001_10_a_model_can_read_the_converted_tools() {
    let server = ScriptedServer::with(|request| template(&request.body)).await;
    let tools = [weather(), named_tool("get_time", None)];
    let model = at(&server).bind_tools(&tools).unwrap();
    let options = CallOptions::default();
    let question = [Message::human("Which tools do you have?")];
    let reply = model.invoke(&question, &options).await.unwrap();
    assert_eq!(reply.content.text(), "get_weather, get_time");
    let reply = ask(&*model).await.unwrap();
    assert_eq!(reply.tool_calls[0].name, "get_weather");
    assert_eq!(reply.tool_calls[0].args["days"], 3);
}

#[tokio::test]
#[ignore = "needs `ollama serve` with qwen3:0.6b"]
async fn s001_10_a_real_qwen_model_calls_a_converted_tool() {
    let model = ChatOllama::new("qwen3:0.6b").temperature(0.0);
    let model = model.bind_tools(&[weather()]).unwrap();
    let question = [Message::human("Call get_weather for the next 3 days.")];
    let reply = model
        .invoke(&question, &CallOptions::default())
        .await
        .unwrap();
    assert_eq!(reply.tool_calls[0].name, "get_weather");
    assert!(reply.tool_calls[0].args.contains_key("days"));
}

#[tokio::test]
async fn s001_11_a_wire_call_reaches_the_stored_tool_unchanged() {
    let arguments = json!({"days": 3, "nested": {"a": [1, null]}, "snake_case": "x"});
    let call = json!({"function": {"name": "get_weather", "arguments": arguments}});
    let server = ScriptedServer::start([Reply::ndjson([
        json!({"message": {"content": "", "tool_calls": [call]}, "done": true}),
    ])])
    .await;
    let reply = ask(&*at(&server).bind_tools(&[weather()]).unwrap())
        .await
        .unwrap();
    assert_eq!(reply.tool_calls[0].name, weather().name());
    assert_eq!(Value::Object(reply.tool_calls[0].args.clone()), arguments);
}

#[test]
fn two_tools_of_one_name_cannot_be_bound() {
    let tools = [named_tool("a", None), named_tool("b", Some("a"))];
    let error = ChatOllama::new("tiny").bind_tools(&tools).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
}

#[tokio::test]
async fn a_later_request_begins_with_all_of_an_earlier_one() {
    let server = ScriptedServer::with(|_| says("Hi")).await;
    let tools = [
        weather(),
        named_tool("get_time", None),
        named_tool("add", None),
    ];
    let conversation = [
        Message::human("Hello"),
        Message::ai("Hi"),
        Message::human("And now?"),
    ];
    for (bound, said) in [(2, 1), (2, 3), (3, 3)] {
        let model = at(&server).bind_tools(&tools[..bound]).unwrap();
        let options = CallOptions::default();
        model.invoke(&conversation[..said], &options).await.unwrap();
    }
    let requests = server.requests();
    for pair in requests.windows(2) {
        for part in ["tools", "messages"] {
            let [earlier, later] = [0, 1].map(|at| pair[at].body[part].as_array().unwrap());
            assert_eq!(later[..earlier.len()], earlier[..]);
        }
    }
    assert_eq!(requests[2].body["tools"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "current_thread")]
async fn s001_07_the_conversion_is_logged_once_per_bound_set() {
    let server = ScriptedServer::with(|_| says("Hi")).await;
    let log = CapturedLog::default();
    let guard = tracing::subscriber::set_default(log.clone());
    let tools = [named_tool("a", None), named_tool("b", None)];
    let model = at(&server).bind_tools(&tools).unwrap();
    ask(&*model).await.unwrap();
    ask(&*model).await.unwrap();
    drop(guard);
    assert_eq!(
        log.lines_with(&["Converted"]),
        ["DEBUG message=\u{1F527} Converted 2 tools from LangChain to Qwen format"]
    );
}

#[tokio::test]
async fn a_missing_model_is_answered_with_those_that_are_there() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/tags" => {
            Reply::json(json!({"models": [{"name": "tinny:latest", "size": 1}, {"name": "big"}]}))
        }
        _ => Reply::json(json!({"error": "model 'tiny' not found"})).with_status(404),
    })
    .await;
    let error = ask(&at(&server)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ModelNotFound);
    assert!(error.to_string().contains("tinny:latest, big"), "{error}");
    assert!(error.hint().unwrap().contains("`ollama pull tiny`"));
}

#[tokio::test]
async fn a_model_without_tools_is_answered_with_those_that_have_them() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/tags" => Reply::json(json!({"models": [
            {"name": "qwen3:4b", "size": 3}, {"name": "tiny", "size": 2}, {"name": "qwen3:0.6b", "size": 1},
        ]})),
        "/api/show" if request.body["model"] == "tiny" => {
            Reply::json(json!({"capabilities": ["completion"]}))
        }
        "/api/show" => Reply::json(json!({"capabilities": ["completion", "tools"]})),
        _ => Reply::json(json!({"error": "registry.ollama.ai/library/tiny:latest does not support tools"}))
            .with_status(400),
    })
    .await;
    let model = at(&server).tool_mode(ToolMode::Native);
    let model = model.bind_tools(&[weather()]).unwrap();
    let error = ask(&*model).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ToolsUnsupported);
    assert_eq!(error.status(), Some(400));
    assert_eq!(
        error.hint(),
        Some("use the tool mode `auto` or `text`; installed models that can: qwen3:0.6b, qwen3:4b")
    );
}

#[tokio::test]
async fn a_model_that_cannot_think_says_so() {
    let refusal = json!({"error": "\"tiny\" does not support thinking"});
    let server = ScriptedServer::start([Reply::json(refusal).with_status(400)]).await;
    let error = ask(&at(&server).think("high")).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Unsupported);
    assert_eq!(server.requests()[0].body["think"], "high");
}

#[tokio::test]
async fn a_prompt_that_does_not_fit_is_an_overflow() {
    let refusal = json!({"error": "the input length exceeds the context length"});
    let server = ScriptedServer::start([Reply::json(refusal).with_status(400)]).await;
    let error = ask(&at(&server)).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
}

#[tokio::test]
async fn a_prompt_that_was_cut_is_an_overflow_too() {
    let reply = json!({"message": {"content": "What?"}, "done": true, "prompt_eval_count": 500});
    let server = ScriptedServer::start([Reply::ndjson([reply])]).await;
    let long = Message::human("Tell me about the kitchen light. ".repeat(2000));
    let error = at(&server)
        .num_ctx(2048)
        .invoke(&[long], &CallOptions::default())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    assert!(error.to_string().contains("cut"), "{error}");
}

#[tokio::test]
async fn the_hint_for_a_missing_server_says_how_to_start_it() {
    let error = ask(&model("http://127.0.0.1:9")).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert!(error.hint().unwrap().contains("`ollama serve`"));
}

fn with_schema() -> CallOptions {
    CallOptions {
        response_schema: Some(Arc::new(json!({"type": "object"}))),
        ..CallOptions::default()
    }
}

#[tokio::test]
async fn a_schema_goes_out_as_format() {
    let server = ScriptedServer::start([says("{}")]).await;
    at(&server)
        .invoke(&[Message::human("Hello")], &with_schema())
        .await
        .unwrap();
    assert_eq!(
        server.requests()[0].body["format"],
        json!({"type": "object"})
    );
}

#[tokio::test]
async fn a_schema_does_not_keep_a_model_from_calling_tools() {
    let call = json!({"function": {"name": "get_weather", "arguments": {"days": 1}}});
    let server = ScriptedServer::start([
        Reply::ndjson([json!({"message": {"content": "", "tool_calls": [call]}, "done": true})]),
        says("Sunny."),
        says("{\"weather\": \"sunny\"}"),
    ])
    .await;
    let model = at(&server).bind_tools(&[weather()]).unwrap();
    let question = [Message::human("Hello")];
    let reply = model.invoke(&question, &with_schema()).await.unwrap();
    assert_eq!(reply.tool_calls.len(), 1);
    let reply = model.invoke(&question, &with_schema()).await.unwrap();
    assert_eq!(reply.content.text(), "{\"weather\": \"sunny\"}");
    let usage = reply.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (14, 6));
    let sent: Vec<_> = server
        .requests()
        .iter()
        .map(|request| {
            (
                request.body.get("tools").is_some(),
                request.body.get("format").is_some(),
            )
        })
        .collect();
    assert_eq!(sent, [(true, false), (true, false), (false, true)]);
}

/// The reply with the ids that the wire did not carry made equal.
fn comparable(mut reply: AiMessage) -> AiMessage {
    for call in &mut reply.tool_calls {
        if !call.id.contains("REDACTED") {
            call.id.clear();
        }
    }
    reply
}

#[tokio::test]
async fn recordings_decode_equally_in_any_chunking() {
    let Some(data) = data_dir("recordings_decode_equally_in_any_chunking") else {
        return;
    };
    let text = std::fs::read_to_string(data.join("cassettes/ollama-chat.jsonl")).unwrap();
    assert!(!text.is_empty());
    for line in text.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        let body = exchange["response"].as_str().unwrap();
        let reply = |body: &str| Reply::new(exchange["content_type"].as_str().unwrap(), body);
        let server = ScriptedServer::start([
            reply(body),
            // Byte by byte where that does not take all day.
            reply(body).in_pieces_of(if body.len() < 6000 { 1 } else { 17 }),
            reply(&body.replace('\n', "\r\n")).in_pieces_of(5),
        ])
        .await;
        let model = at(&server).streaming(exchange["stream"] == json!(true));
        let whole = comparable(ask(&model).await.unwrap());
        let id = &exchange["id"];
        assert!(
            whole.has_calls() || whole.content != AiMessage::default().content,
            "{id}"
        );
        assert!(whole.invalid_tool_calls.is_empty(), "{id}");
        assert!(whole.usage.unwrap().output_tokens > 0, "{id}");
        for _ in 0..2 {
            assert_eq!(comparable(ask(&model).await.unwrap()), whole, "{id}");
        }
        // What other clients send can be read, and none of these prompts was cut.
        let request: ChatRequest = serde_json::from_value(exchange["request"].clone()).unwrap();
        assert!(!request.messages.is_empty());
        let counted = whole.usage.unwrap().input_tokens;
        prompt::Prompt::of(&request).check(Some(counted)).unwrap();
    }
}

#[tokio::test]
async fn the_template_shows_where_a_reply_starts() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/show" => Reply::json(json!({
            "capabilities": ["completion", "tools"],
            "template": "{{ range .Messages }}{{ .Content }}{{ end }}<think>\n",
        })),
        _ => Reply::json(json!({
            "message": {"role": "assistant", "content": "<tool_call> is a tag.</think>Hello"},
            "done": true,
        })),
    })
    .await;
    let model = at(&server).streaming(false);
    let model = model.bind_tools(&[weather()]).unwrap();
    let mut chunks = model.stream(&[Message::human("?")], &CallOptions::default());
    let mut shown = String::new();
    while let Some(chunk) = futures_util::StreamExt::next(&mut chunks).await {
        if let haft_core::ChatChunk::Text(text) = chunk.unwrap() {
            shown.push_str(&text);
        }
    }
    // Without the hint, the reasoning would have been shown before its end tag revealed what it
    // was.
    assert_eq!(shown, "Hello");
}

#[tokio::test]
async fn a_model_without_tools_is_taught_them_and_the_user_is_told_once() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/show" => Reply::json(json!({"capabilities": ["completion"]})),
        _ => Reply::json(json!({
            "message": {"role": "assistant", "content": "get_weather(days=2)"}, "done": true,
        })),
    })
    .await;
    let model = at(&server).streaming(false);
    let model = model.bind_tools(&[weather()]).unwrap();
    let mut notices = Vec::new();
    for _ in 0..2 {
        let mut chunks = model.stream(&[Message::human("?")], &CallOptions::default());
        while let Some(chunk) = futures_util::StreamExt::next(&mut chunks).await {
            if let haft_core::ChatChunk::ToolsTaught(reason) = chunk.unwrap() {
                notices.push(reason);
            }
        }
    }
    assert_eq!(notices, ["Ollama says that the model has none (/api/show)"]);
    let requests = server.requests();
    let mut chats = requests.iter().filter(|sent| sent.path == "/api/chat");
    assert!(chats.all(|sent| sent.body.get("tools").is_none()));
}
