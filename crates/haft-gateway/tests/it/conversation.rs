//! How the gateway handles a conversation, observed over HTTP as a client and as a model server.

mod access;
mod calls;
mod dashboard;
mod dropped_tools;
mod functions;
mod keys;
mod live_tools;
mod overrides;
mod pass_through;
mod quoted;
mod responses;
mod server_tools;
mod stable_prefix;

use std::collections::VecDeque;
use std::sync::Mutex;

use haft_gateway::{Gateway, GatewayOptions};
use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

/// A model server of OpenAI's kind and the gateway in front of it.
pub(crate) struct Rig {
    server: ScriptedServer,
    pub(crate) address: String,
    pub(crate) client: reqwest::Client,
}

impl Rig {
    /// A gateway whose server gives these replies in order.
    pub(crate) async fn with(
        replies: Vec<Reply>,
        change: impl FnOnce(&mut GatewayOptions),
    ) -> Self {
        let script = Mutex::new(VecDeque::from(replies));
        let server = ScriptedServer::with(move |request| {
            let is_chat = request.path == "/v1/chat/completions";
            let next = is_chat
                .then(|| script.lock().unwrap().pop_front())
                .flatten();
            next.unwrap_or_else(|| Reply::text("the script is at its end").with_status(404))
        })
        .await;
        Self::before(server, change).await
    }

    /// The gateway before this server, of OpenAI's kind.
    pub(crate) async fn before(
        server: ScriptedServer,
        change: impl FnOnce(&mut GatewayOptions),
    ) -> Self {
        let mut options = GatewayOptions::default();
        change(&mut options);
        let url = format!("{}/v1", server.url());
        let upstream = ModelServer::new(ServerKind::OpenAi, url, &ModelSettings::default());
        Self::bound(server, upstream, options).await
    }

    /// The gateway before this server, of any kind.
    async fn over(server: ScriptedServer, upstream: ModelServer) -> Self {
        Self::bound(server, upstream, GatewayOptions::default()).await
    }

    async fn bound(
        server: ScriptedServer,
        upstream: ModelServer,
        mut options: GatewayOptions,
    ) -> Self {
        options.listen = ([127, 0, 0, 1], 0).into();
        let gateway = Gateway::bind(upstream, options).await.unwrap();
        let address = format!("http://{}", gateway.address().unwrap());
        tokio::spawn(gateway.serve(std::future::pending()));
        // Another test may have installed the provider before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            server,
            address,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    pub(crate) async fn new(replies: Vec<Reply>) -> Self {
        Self::with(replies, |_| {}).await
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.address));
        request.body(body.to_string())
    }

    /// The conversations that the model server received.
    fn asked(&self) -> Vec<Value> {
        let requests = self.server.requests().into_iter();
        let chats = requests.filter(|request| request.path == "/v1/chat/completions");
        chats.map(|request| request.body).collect()
    }
}

/// A whole reply of the model server.
pub(crate) fn said(text: &str, calls: &[(&str, &str, Value)]) -> Reply {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, args)| {
            json!({"id": id, "type": "function",
                "function": {"name": name, "arguments": args.to_string()}})
        })
        .collect();
    let mut events = vec![];
    if !text.is_empty() {
        events.push(json!({"choices": [{"delta": {"content": text}}]}).to_string());
    }
    for (index, call) in calls.iter().enumerate() {
        let mut call = call.clone();
        call["index"] = index.into();
        events.push(json!({"choices": [{"delta": {"tool_calls": [call]}}]}).to_string());
    }
    let reason = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    events.push(json!({"choices": [{"delta": {}, "finish_reason": reason}]}).to_string());
    events.push("[DONE]".to_owned());
    Reply::sse(events)
}

/// A tool of the client.
fn forecast() -> Value {
    json!({"type": "function", "function": {"name": "forecast", "description": "The weather",
        "parameters": {"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string"}, "days": {"type": "integer"}}}}})
}

/// A request of OpenAI's dialect.
pub(crate) fn question(stream: bool) -> Value {
    json!({"model": "tiny", "stream": stream, "tools": [forecast()],
        "messages": [{"role": "user", "content": "How is the weather in Oslo?"}]})
}

/// The calls of a whole answer.
fn calls_of(answer: &Value) -> Vec<(String, Value)> {
    let calls = answer["choices"][0]["message"]["tool_calls"].as_array();
    let calls = calls.into_iter().flatten().map(|call| {
        let arguments = call["function"]["arguments"].as_str().unwrap();
        let name = call["function"]["name"].as_str().unwrap().to_owned();
        (name, serde_json::from_str(arguments).unwrap())
    });
    calls.collect()
}
