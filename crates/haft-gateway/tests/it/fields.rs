//! No field is lost in silence: what a model server receives of a request with every documented
//! field, and what a client receives of a reply with every documented field.

mod documents;
mod errors;
mod limits;
mod replies;

use haft_gateway::{Gateway, GatewayOptions};
use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use reqwest::Response;
use serde_json::{Value, json};

use documents::{anthropic, generate, ollama, openai, openai_format};

/// A model server of one API, and the gateway before it.
struct Rig {
    server: ScriptedServer,
    address: String,
    client: reqwest::Client,
}

impl Rig {
    /// A server that gives this reply to every conversation.
    async fn new(kind: ServerKind, reply: Reply) -> Self {
        let server =
            ScriptedServer::with(
                move |request: &CapturedRequest| match request.path.as_str() {
                    "/v1/chat/completions" | "/v1/messages" | "/api/chat" => reply.clone(),
                    "/api/show" => Reply::json(json!({"capabilities": ["completion", "tools"]})),
                    _ => Reply::json(json!({"error": "nothing here"})).with_status(404),
                },
            )
            .await;
        let mut options = GatewayOptions::default();
        options.listen = ([127, 0, 0, 1], 0).into();
        let url = match kind {
            ServerKind::OpenAi => format!("{}/v1", server.url()),
            ServerKind::Ollama | ServerKind::Anthropic => server.url().to_owned(),
        };
        let upstream = ModelServer::new(kind, url, &ModelSettings::default());
        let gateway = Gateway::bind(upstream, options).await.unwrap();
        let address = format!("http://{}", gateway.address().unwrap());
        tokio::spawn(gateway.serve(std::future::pending()));
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            server,
            address,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    /// A server that says hello.
    async fn greeting(kind: ServerKind) -> Self {
        Self::new(kind, greeting(kind)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        let request = self.client.post(format!("{}{path}", self.address));
        request.body(body.to_string()).send().await.unwrap()
    }

    /// The conversation that the server received last.
    fn received(&self) -> CapturedRequest {
        let requests = self.server.requests().into_iter();
        let mut chats = requests.filter(|request| {
            matches!(
                request.path.as_str(),
                "/v1/chat/completions" | "/v1/messages" | "/api/chat"
            )
        });
        chats.next_back().unwrap()
    }
}

/// A short reply of a server, streamed.
fn greeting(kind: ServerKind) -> Reply {
    match kind {
        ServerKind::OpenAi => Reply::sse([
            json!({"choices": [{"index": 0, "delta": {"content": "Hello."}}]}).to_string(),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string(),
            "[DONE]".to_owned(),
        ]),
        ServerKind::Ollama => Reply::ndjson([
            json!({"message": {"role": "assistant", "content": "Hello."}, "done": false}),
            json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop"}),
        ]),
        ServerKind::Anthropic => Reply::sse([
            json!({"type": "message_start", "message": {"content": []}}).to_string(),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": ""}})
            .to_string(),
            json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "text_delta", "text": "Hello."}})
            .to_string(),
            json!({"type": "content_block_stop", "index": 0}).to_string(),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}).to_string(),
            json!({"type": "message_stop"}).to_string(),
        ]),
    }
}

/// What the server receives of a request, without the fields that haft sets in every request.
async fn received(kind: ServerKind, path: &str, body: &Value) -> (Value, Option<String>) {
    let rig = Rig::greeting(kind).await;
    let answer = rig.post(path, body).await;
    let dropped = answer.headers().get("x-haft-dropped");
    let dropped = dropped.map(|names| names.to_str().unwrap().to_owned());
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let mut received = rig.received().body;
    let fields = received.as_object_mut().unwrap();
    for own in ["stream", "stream_options"] {
        fields.shift_remove(own);
    }
    if let Some(options) = fields.get_mut("options") {
        options.as_object_mut().unwrap().shift_remove("num_ctx");
    }
    (received, dropped)
}

/// The request without the field `stream`.
fn without_stream(mut body: Value) -> Value {
    body.as_object_mut().unwrap().shift_remove("stream");
    body
}

#[tokio::test]
async fn within_one_api_every_field_arrives_as_it_was() {
    let all = [
        (ServerKind::OpenAi, "/v1/chat/completions", openai()),
        (ServerKind::Anthropic, "/v1/messages", anthropic()),
        (ServerKind::Ollama, "/api/chat", ollama()),
    ];
    for (kind, path, mut body) in all {
        for stream in [false, true] {
            body["stream"] = stream.into();
            let (arrived, dropped) = received(kind, path, &body).await;
            let sent = without_stream(body.clone());
            for (name, value) in sent.as_object().unwrap() {
                assert_eq!(&arrived[name], value, "{path}: {name}");
            }
            let names = |body: &Value| body.as_object().unwrap().len();
            assert_eq!(names(&arrived), names(&sent), "{path}: {arrived}");
            assert_eq!(dropped, None);
        }
    }
}

#[tokio::test]
async fn the_schema_of_an_answer_keeps_its_name_and_strictness() {
    let mut body = openai();
    for name in ["tools", "tool_choice", "parallel_tool_calls"] {
        body.as_object_mut().unwrap().shift_remove(name);
    }
    body["messages"] = json!([{"role": "user", "content": "Weather?"}]);
    body["response_format"] = openai_format();
    let reply = json!({"choices": [{"message": {"content": "{\"city\": \"Oslo\"}"}}]});
    let rig = Rig::new(ServerKind::OpenAi, Reply::json(reply)).await;
    assert_eq!(rig.post("/v1/chat/completions", &body).await.status(), 200);
    assert_eq!(rig.received().body["response_format"], openai_format());
}

#[tokio::test]
async fn between_apis_counterparts_are_translated_and_all_others_named() {
    let clients = [
        ("openai", "/v1/chat/completions", openai()),
        ("anthropic", "/v1/messages", anthropic()),
        ("ollama", "/api/chat", ollama()),
        ("ollama_generate", "/api/generate", generate()),
    ];
    let servers = [
        ("openai", ServerKind::OpenAi),
        ("anthropic", ServerKind::Anthropic),
        ("ollama", ServerKind::Ollama),
    ];
    for (client, path, body) in &clients {
        for (server, kind) in servers {
            if *client == server {
                continue;
            }
            let (arrived, dropped) = received(kind, path, body).await;
            let seen = json!({"arrived": arrived, "dropped": dropped});
            let seen = serde_json::to_string_pretty(&seen).unwrap();
            insta::assert_snapshot!(format!("{client}_to_{server}"), seen);
        }
    }
}

#[tokio::test]
async fn between_apis_what_changes_the_answer_is_refused() {
    let mut spoken = json!({"model": "m", "messages": [{"role": "user", "content": [
        {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}]}]});
    let rig = Rig::greeting(ServerKind::Ollama).await;
    let answer = rig.post("/v1/chat/completions", &spoken).await;
    assert_eq!(answer.status(), 400);
    let text = answer.text().await.unwrap();
    assert!(
        text.contains("only servers of OpenAI's API understand"),
        "{text}"
    );
    let (arrived, _) = received(ServerKind::OpenAi, "/v1/chat/completions", &spoken).await;
    assert_eq!(arrived["messages"], spoken["messages"]);
    spoken["messages"][0]["content"] = "Sing.".into();
    spoken["modalities"] = json!(["text", "audio"]);
    let answer = rig.post("/v1/chat/completions", &spoken).await;
    assert_eq!(answer.status(), 400);
    let search = json!({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 5}]});
    let answer = rig.post("/v1/messages", &search).await;
    assert_eq!(answer.status(), 400);
    let text = answer.text().await.unwrap();
    assert!(text.contains("web_search"), "{text}");
    let (arrived, _) = received(ServerKind::Anthropic, "/v1/messages", &search).await;
    assert_eq!(arrived["tools"], search["tools"]);
}

#[tokio::test]
async fn a_system_message_within_a_conversation_keeps_its_place() {
    let rig = Rig::greeting(ServerKind::Anthropic).await;
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let talk = [
        said("user", "Hello"),
        said("assistant", "Hi."),
        said("system", "Be brief."),
        said("user", "Weather?"),
    ];
    let request = json!({"model": "m", "max_tokens": 9, "messages": talk, "system": "Be kind."});
    rig.post("/v1/messages", &request).await;
    let sent = rig.received().body;
    assert_eq!(sent["messages"], json!(talk), "as the client wrote it");
    assert_eq!(sent["system"], "Be kind.");

    let leading = [said("system", "Be kind.")];
    let all: Vec<&Value> = leading.iter().chain(&talk).collect();
    rig.post(
        "/v1/chat/completions",
        &json!({"model": "m", "messages": all}),
    )
    .await;
    let sent = rig.received().body;
    let text = |text: &str| json!({"type": "text", "text": text});
    let asked = [
        text("From the system, not the user:\nBe brief."),
        text("Weather?"),
    ];
    assert_eq!(
        sent["messages"][2],
        json!({"role": "user", "content": asked})
    );
    assert_eq!(sent["system"], "Be kind.");
}
