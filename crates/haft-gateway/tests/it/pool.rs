//! A test harness: a gateway with scripted model servers, and clients for it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{AiMessage, CallOptions, ChatModel, ChatStream, Message, ModelError, collect};
use haft_gateway::{Gateway, GatewayOptions, Upstream, UpstreamStatus, Upstreams};
use haft_models::{
    ChatAnthropic, ChatOllama, ChatOpenAi, ModelServer, ModelSettings, Secret, ServerKind,
    Transport,
};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

/// The default question.
pub(crate) const QUESTION: &str = "How is the weather in Oslo?";

/// A gateway and its address.
pub(crate) struct Pool {
    pub(crate) url: String,
    pub(crate) upstreams: Upstreams,
}

/// A gateway with these upstreams.
pub(crate) async fn pool(upstreams: Vec<Upstream>) -> Pool {
    served(Upstreams::new(upstreams).unwrap(), false).await
}

/// A gateway with these upstreams, with or without repair.
pub(crate) async fn pool_on(handling: Handling, upstreams: Vec<Upstream>) -> Pool {
    let upstreams = Upstreams::new(upstreams).unwrap();
    let mut options = GatewayOptions::default();
    options.overrides.repair = Some(handling == Handling::Repaired);
    bound(upstreams, options).await
}

/// Whether the gateway repairs replies or passes them through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Handling {
    Repaired,
    Unchanged,
}

pub(crate) const HANDLINGS: [Handling; 2] = [Handling::Repaired, Handling::Unchanged];

pub(crate) async fn served(upstreams: Upstreams, admin: bool) -> Pool {
    let mut options = GatewayOptions::default();
    options.admin = admin;
    bound(upstreams, options).await
}

async fn bound(upstreams: Upstreams, mut options: GatewayOptions) -> Pool {
    options.listen = ([127, 0, 0, 1], 0).into();
    let gateway = Gateway::bind(upstreams.clone(), options).await.unwrap();
    let url = format!("http://{}", gateway.address().unwrap());
    tokio::spawn(gateway.serve(std::future::pending()));
    Pool { url, upstreams }
}

impl Pool {
    /// One question through OpenAI's dialect.
    pub(crate) async fn ask(&self, question: &str) -> Result<String, ModelError> {
        self.ask_messages("tiny", &[Message::human(question)]).await
    }

    pub(crate) async fn ask_messages(
        &self,
        model: &str,
        messages: &[Message],
    ) -> Result<String, ModelError> {
        let model = self.client("openai", model);
        let reply = collect(model.stream(messages, &CallOptions::default())).await?;
        Ok(reply.content.text())
    }

    /// A client of this dialect, without retries.
    pub(crate) fn client(&self, dialect: &str, model: &str) -> Box<dyn ChatModel> {
        let mut limits = haft_models::Limits::default();
        limits.retries = 0;
        let transport = Transport::http().with_limits(limits);
        let url = &self.url;
        match dialect {
            "openai" => Box::new(
                ChatOpenAi::new(model)
                    .base_url(format!("{url}/v1"))
                    .transport(transport),
            ),
            "ollama" => Box::new(ChatOllama::new(model).base_url(url).transport(transport)),
            _ => Box::new(
                ChatAnthropic::new(model)
                    .base_url(url)
                    .api_key("k")
                    .transport(transport),
            ),
        }
    }

    /// A reply that has begun and not ended.
    pub(crate) async fn begun(&self, question: &str) -> ChatStream {
        let model = self.client("openai", "tiny");
        let mut reply = model.stream(&[Message::human(question)], &CallOptions::default());
        let first = reply.next().await;
        assert!(matches!(first, Some(Ok(_))), "{first:?}");
        reply
    }

    /// Status, headers and body of an answer.
    pub(crate) async fn http(
        &self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> (u16, reqwest::header::HeaderMap, String) {
        let request = http_client()
            .request(method.parse().unwrap(), format!("{}{path}", self.url))
            .header("authorization", "Bearer sk-client");
        let request = if body.is_null() {
            request
        } else {
            request
                .header("content-type", "application/json")
                .body(body.to_string())
        };
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        (status, headers, answer.text().await.unwrap())
    }

    pub(crate) async fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, _, text) = self.http(method, path, body).await;
        assert_eq!(status, 200, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Waits until the status of the upstreams satisfies the condition.
    pub(crate) async fn until(&self, is_so: impl Fn(&[UpstreamStatus]) -> bool) {
        let waiting = async {
            while !is_so(&self.upstreams.status()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(20), waiting).await;
        waited.unwrap_or_else(|_| panic!("{:?}", self.upstreams.status()));
    }
}

pub(crate) fn http_client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// An OpenAI-compatible server with the model `tiny`; its n-th conversation, from 0, is answered
/// by `chat`.
pub(crate) async fn server(
    chat: impl Fn(usize, &CapturedRequest) -> Reply + Send + Sync + 'static,
) -> ScriptedServer {
    let number = AtomicUsize::new(0);
    ScriptedServer::with(move |request| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => chat(number.fetch_add(1, Ordering::SeqCst), request),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

/// A server that always gives the same reply.
pub(crate) async fn saying(text: &'static str) -> ScriptedServer {
    server(move |_, _| says(text)).await
}

/// The server as an upstream with this name.
pub(crate) fn upstream(name: &str, server: &ScriptedServer) -> Upstream {
    upstream_of(ServerKind::OpenAi, name, &format!("{}/v1", server.url()))
}

pub(crate) fn upstream_of(kind: ServerKind, name: &str, url: &str) -> Upstream {
    let mut settings = ModelSettings::default();
    for kind in [ServerKind::OpenAi, ServerKind::Anthropic] {
        settings.server_mut(kind).api_key = Some(Secret::new("sk-own"));
    }
    settings.limits.first_byte = Duration::from_millis(500);
    settings.limits.retry_wait = Duration::from_millis(1);
    let mut upstream = Upstream::from(ModelServer::new(kind, url, &settings));
    upstream.name = name.to_owned();
    upstream
}

/// An upstream at an address where nothing listens.
pub(crate) async fn nobody(name: &str) -> Upstream {
    let server = saying("nothing").await;
    upstream(name, &server)
}

/// A whole reply.
pub(crate) fn says(text: &str) -> Reply {
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    Reply::sse([delta(text), end.to_string(), "[DONE]".to_owned()])
}

/// The beginning of a reply.
pub(crate) fn begins(text: &str) -> Reply {
    Reply::sse([delta(text)])
}

fn delta(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}}]}).to_string()
}

/// The conversations that a server received, by their last message.
pub(crate) fn asked(server: &ScriptedServer) -> Vec<String> {
    let chats = server.requests().into_iter();
    let chats = chats.filter(|request| request.path == "/v1/chat/completions");
    let last = |request: CapturedRequest| {
        let messages = request.body["messages"].as_array().unwrap().clone();
        messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    chats.map(last).collect()
}

pub(crate) fn answered(text: &str) -> Message {
    AiMessage::new(text).into()
}
