use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use haft_core::{CallOptions, ChatChunk, ChatModel, Message, Tool};
use haft_testing::{CapturedRequest, Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::NO_TOOLS_IN_TEMPLATE;
use crate::{ChatOpenAi, ModelServer, ModelSettings, ServerKind, ToolMode};

/// Four characters per token, as in English, and a few tokens of the chat template.
fn tokens(text: &str) -> usize {
    text.len() / 4 + 12
}

/// The text of the messages that a request has.
fn messages(request: &CapturedRequest) -> String {
    let messages = request.body["messages"].as_array().unwrap().iter();
    messages
        .map(|message| message["content"].as_str().unwrap_or_default())
        .collect()
}

/// A whole reply, or a stream of it, with its count of the prompt's tokens.
fn reply(request: &CapturedRequest, text: &str, counted: usize) -> Reply {
    let usage = json!({"prompt_tokens": counted, "completion_tokens": 5});
    if request.body["stream"] != true {
        let message = json!({"role": "assistant", "content": text});
        return Reply::json(json!({"choices": [{"message": message}], "usage": usage}));
    }
    let piece = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let count = json!({"choices": [], "usage": usage});
    Reply::sse([piece, end, count].map(|event| event.to_string()))
}

/// The answer of a model that sees only messages: a call if they teach one.
fn without_tools(request: &CapturedRequest) -> Reply {
    let prompt = messages(request);
    let text = if prompt.contains("get_weather") {
        "get_weather(city=\"Oslo\")"
    } else {
        "I cannot know."
    };
    reply(request, text, tokens(&prompt))
}

/// The answer of a model that sees tools, and calls none.
fn with_tools(request: &CapturedRequest) -> Reply {
    let tools = request.body["tools"].to_string();
    reply(request, "Sunny.", tokens(&(messages(request) + &tools)))
}

fn props(supports_tools: bool) -> Value {
    json!({
        "default_generation_settings": {"n_ctx": 2048},
        "total_slots": 1,
        "chat_template": "{{ messages }}",
        "chat_template_caps": {"supports_tools": supports_tools, "supports_tool_calls": supports_tools},
        "modalities": {"vision": false},
    })
}

fn not_found() -> Reply {
    Reply::json(json!({"error": {"code": 404, "message": "File Not Found"}})).with_status(404)
}

fn bound(server: &ScriptedServer) -> Arc<dyn ChatModel> {
    bound_to(&ChatOpenAi::new("tiny").base_url(format!("{}/v1", server.url())))
}

fn bound_to(model: &ChatOpenAi) -> Arc<dyn ChatModel> {
    model.bind_tools(&[weather()]).unwrap()
}

fn weather() -> Arc<dyn Tool> {
    let said = "Tells the weather of a city as it is now: the temperature, the wind, the clouds and \
        the rain, and how it will be in the next hours of the same day. The city is named in \
        English and without its country. Where there are several of this name, the largest is \
        meant, and the answer says in which country it lies.";
    let tool = SpyTool::new("get_weather", |_| Ok("ok".into()))
        .with_description(said)
        .with_schema(json!({"type": "object", "properties": {"city": {"type": "string"}}}));
    Arc::new(tool)
}

/// What came of one question.
#[derive(Debug, Default)]
struct Heard {
    shown: String,
    notices: Vec<String>,
    calls: Vec<String>,
    input_tokens: u64,
}

async fn ask(model: &dyn ChatModel) -> Heard {
    let mut heard = Heard::default();
    let mut chunks = model.stream(&[Message::human("Oslo?")], &CallOptions::default());
    while let Some(chunk) = chunks.next().await {
        match chunk.unwrap() {
            ChatChunk::Text(text) => heard.shown += &text,
            ChatChunk::ToolsTaught(reason) => heard.notices.push(reason),
            ChatChunk::Done(reply) => {
                heard
                    .calls
                    .extend(reply.tool_calls.iter().map(|call| call.name.clone()));
                heard.input_tokens = reply.usage.unwrap_or_default().input_tokens;
            }
            _ => {}
        }
    }
    heard
}

/// For each request its path, and with it whether it has tools.
fn asked(server: &ScriptedServer) -> Vec<String> {
    let line = |request: &CapturedRequest| match request.body.get("tools") {
        Some(_) => format!("{} with tools", request.path),
        None => request.path.clone(),
    };
    server.requests().iter().map(line).collect()
}

const CHAT: &str = "/v1/chat/completions";
const CHAT_WITH_TOOLS: &str = "/v1/chat/completions with tools";

#[tokio::test]
async fn a_template_without_tools_gets_them_in_the_prompt_from_the_first_question_on() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::json(props(false)),
        _ => without_tools(request),
    })
    .await;
    let model = bound(&server);
    let first = ask(&*model).await;
    assert_eq!(first.calls, ["get_weather"]);
    assert_eq!(first.notices, [NO_TOOLS_IN_TEMPLATE]);
    let second = ask(&*model).await;
    assert_eq!(second.calls, ["get_weather"]);
    assert_eq!(second.notices, [""; 0], "told once");
    assert_eq!(asked(&server), ["/props", CHAT, CHAT]);
}

#[tokio::test]
async fn a_template_with_tools_gets_them_natively() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::json(props(true)),
        _ => with_tools(request),
    })
    .await;
    let model = bound(&server);
    for _ in 0..2 {
        let heard = ask(&*model).await;
        assert_eq!((heard.shown.as_str(), heard.notices.len()), ("Sunny.", 0));
    }
    assert_eq!(asked(&server), ["/props", CHAT_WITH_TOOLS, CHAT_WITH_TOOLS]);
}

#[tokio::test]
async fn a_router_is_asked_about_the_model_and_does_not_load_it_for_that() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::json(json!({"role": "router", "model_path": "none"})),
        "/props?model=tiny&autoload=false" => Reply::json(props(false)),
        _ => without_tools(request),
    })
    .await;
    assert_eq!(ask(&*bound(&server)).await.calls, ["get_weather"]);
    let expected = ["/props", "/props?model=tiny&autoload=false", CHAT];
    assert_eq!(asked(&server), expected);
}

#[tokio::test]
async fn a_server_that_tells_nothing_is_judged_by_its_first_count() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT => with_tools(request),
        _ => not_found(),
    })
    .await;
    let model = bound(&server);
    for _ in 0..2 {
        let heard = ask(&*model).await;
        assert_eq!((heard.shown.as_str(), heard.notices.len()), ("Sunny.", 0));
    }
    assert_eq!(asked(&server), [CHAT_WITH_TOOLS, CHAT_WITH_TOOLS]);
}

#[tokio::test]
async fn a_count_that_cannot_hold_the_tools_makes_the_question_go_out_again_as_text() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT => without_tools(request),
        _ => not_found(),
    })
    .await;
    let model = bound(&server);
    let first = ask(&*model).await;
    assert_eq!(first.calls, ["get_weather"]);
    assert_eq!(first.shown, "", "the reply without tools is not shown");
    let [notice] = &first.notices[..] else {
        panic!("one notice: {first:?}");
    };
    assert!(notice.contains("counted 13 tokens"), "{notice}");
    assert!(first.input_tokens > 13, "both requests count");
    // The second one, with a random tool, makes sure of it.
    assert_eq!(asked(&server), [CHAT_WITH_TOOLS, CHAT_WITH_TOOLS, CHAT]);
    assert_eq!(ask(&*model).await.calls, ["get_weather"]);
    assert_eq!(asked(&server).last().unwrap(), CHAT);
}

#[tokio::test]
async fn a_server_that_does_not_count_cached_tokens_keeps_native_tools() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT if request.body["tools"].to_string().contains("get_weather") => {
            reply(request, "Sunny.", 12)
        }
        CHAT => with_tools(request),
        _ => not_found(),
    })
    .await;
    let model = bound(&server);
    for _ in 0..2 {
        let heard = ask(&*model).await;
        assert_eq!((heard.shown.as_str(), heard.notices.len()), ("Sunny.", 0));
    }
    assert_eq!(asked(&server), [CHAT_WITH_TOOLS; 3], "one check is enough");
}

#[tokio::test]
async fn a_count_that_no_prompt_has_says_nothing() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT => reply(request, "Sunny.", 7),
        _ => not_found(),
    })
    .await;
    assert_eq!(ask(&*bound(&server)).await.shown, "Sunny.");
    assert_eq!(asked(&server), [CHAT_WITH_TOOLS]);
}

#[tokio::test]
async fn a_long_reply_without_tools_streams_on_and_only_later_questions_go_as_text() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT if messages(request).contains("get_weather") => without_tools(request),
        CHAT => reply(request, &"I cannot know. ".repeat(100), 13),
        _ => not_found(),
    })
    .await;
    let model = bound(&server);
    let first = ask(&*model).await;
    assert!(
        first.shown.len() > 1000 && first.calls.is_empty(),
        "{first:?}"
    );
    let second = ask(&*model).await;
    assert_eq!(
        (second.calls.len(), second.notices.len()),
        (1, 1),
        "{second:?}"
    );
}

#[tokio::test]
async fn a_gateway_gets_a_stream_at_once_and_its_next_question_goes_as_text() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        CHAT => without_tools(request),
        _ => not_found(),
    })
    .await;
    let url = format!("{}/v1", server.url());
    let upstream = ModelServer::new(ServerKind::OpenAi, url, &ModelSettings::default());
    let model = upstream.open("tiny").unwrap();
    let model = model.bind_tools(&[weather()]).unwrap();
    let first = ask(&*model).await;
    assert_eq!(
        (first.shown.as_str(), first.calls.len()),
        ("I cannot know.", 0)
    );
    assert_eq!(ask(&*model).await.calls, ["get_weather"]);
}

#[tokio::test]
async fn a_server_that_says_nothing_about_itself_costs_a_second_once() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::silence(),
        _ => with_tools(request),
    })
    .await;
    let model = bound(&server);
    let start = Instant::now();
    assert_eq!(ask(&*model).await.shown, "Sunny.");
    let first = start.elapsed();
    assert!(first < Duration::from_secs(5), "{first:?}");
    let start = Instant::now();
    ask(&*model).await;
    assert!(start.elapsed() < Duration::from_millis(900), "asked again");
}

#[tokio::test]
async fn a_model_that_is_loaded_by_the_first_question_is_asked_about_after_it() {
    let questions = AtomicUsize::new(0);
    let server = ScriptedServer::with(move |request| match request.path.as_str() {
        "/props" if questions.load(Ordering::SeqCst) == 0 => {
            Reply::json(json!({"error": "Loading model"})).with_status(503)
        }
        "/props" => Reply::json(props(false)),
        CHAT => {
            questions.fetch_add(1, Ordering::SeqCst);
            without_tools(request).with_header("server", "llama.cpp")
        }
        _ => not_found(),
    })
    .await;
    let heard = ask(&*bound(&server)).await;
    assert_eq!((heard.calls.len(), heard.shown.as_str()), (1, ""));
    assert_eq!(asked(&server), [CHAT_WITH_TOOLS, "/props", CHAT]);
}

#[tokio::test]
async fn lm_studio_offers_tools_to_every_model() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/v0/models" => Reply::json(json!({"object": "list", "data": [
            {"id": "tiny", "object": "model", "type": "llm", "state": "loaded",
             "max_context_length": 8192, "loaded_context_length": 4096},
        ]})),
        CHAT => reply(request, "Sunny.", 3),
        _ => not_found(),
    })
    .await;
    assert_eq!(ask(&*bound(&server)).await.shown, "Sunny.");
    assert_eq!(asked(&server), ["/api/v0/models", CHAT_WITH_TOOLS]);
}

#[tokio::test]
async fn nobody_is_asked_without_tools_or_in_a_fixed_mode() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/props" => Reply::json(props(false)),
        _ => without_tools(request),
    })
    .await;
    let model = ChatOpenAi::new("tiny").base_url(format!("{}/v1", server.url()));
    ask(&model).await;
    ask(&*bound_to(&model.clone().tool_mode(ToolMode::Native))).await;
    ask(&*bound_to(&model.tool_mode(ToolMode::Text))).await;
    assert_eq!(asked(&server), [CHAT, CHAT_WITH_TOOLS, CHAT]);
}
