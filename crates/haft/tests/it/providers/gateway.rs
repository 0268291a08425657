//! Every dialect of a client with every wire of a model server: through the gateway both sides
//! must mean the same, streamed or not.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use haft::gateway::{Gateway, GatewayOptions};
use haft::models::{ModelServer, ModelSettings, Secret, ServerKind};
use haft::types::{CallOptions, collect};
use haft::{AiMessage, Message, ModelError, Tool};
use haft_testing::{Reply, ScriptedServer, SpyTool};
use serde_json::{Value, json};

use super::wires::{Said, WIRES, Wire};

/// A gateway in front of `server`, and its address.
async fn gateway(wire: &Wire, server: &ScriptedServer) -> String {
    let mut settings = ModelSettings::default();
    settings.server_mut(ServerKind::Anthropic).api_key = Some(Secret::new("k"));
    let (kind, url) = match wire.name {
        "ollama" => (ServerKind::Ollama, server.url().to_owned()),
        "openai" => (ServerKind::OpenAi, format!("{}/v1", server.url())),
        _ => (ServerKind::Anthropic, server.url().to_owned()),
    };
    let mut options = GatewayOptions::default();
    options.listen = ([127, 0, 0, 1], 0).into();
    let server = ModelServer::new(kind, url, &settings);
    let gateway = Gateway::bind(server, options).await.unwrap();
    let address = gateway.address().unwrap();
    tokio::spawn(gateway.serve(std::future::pending()));
    format!("http://{address}")
}

fn forecast() -> Arc<dyn Tool> {
    let schema = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}});
    Arc::new(SpyTool::new("forecast", |_| Ok("".into())).with_schema(schema))
}

/// What a client reads when the model server answers like this.
async fn through(
    (client, upstream): (&Wire, &Wire),
    streamed: bool,
    replies: Vec<Reply>,
) -> Result<AiMessage, ModelError> {
    let script = Mutex::new(VecDeque::from(replies));
    let server = ScriptedServer::with(move |request| {
        // What is asked beside the conversation takes no reply out of the script.
        let is_chat = request.method == "POST" && request.path != "/api/show";
        let next = is_chat
            .then(|| script.lock().unwrap().pop_front())
            .flatten();
        next.unwrap_or_else(|| Reply::text("the script is at its end").with_status(404))
    })
    .await;
    let address = gateway(upstream, &server).await;
    let model = (client.model)(&address, streamed);
    let model = model.bind_tools(&[forecast()]).unwrap();
    let conversation = [Message::human("How is the weather in Oslo?")];
    collect(model.stream(&conversation, &CallOptions::default())).await
}

/// Every dialect with every wire, streamed and not.
fn pairs() -> impl Iterator<Item = ((&'static Wire, &'static Wire), bool)> {
    let upstreams = |client| WIRES.iter().map(move |upstream| (client, upstream));
    let pairs = WIRES.iter().flat_map(upstreams);
    pairs.flat_map(|pair| [(pair, true), (pair, false)])
}

/// A stream that ends in the middle, as if all were well.
fn unfinished(wire: &Wire) -> Reply {
    match wire.name {
        "ollama" => Reply::ndjson([json!({"message": {"content": "Half"}, "done": false})]),
        "openai" => Reply::sse([json!({"choices": [{"delta": {"content": "Half"}}]}).to_string()]),
        _ => Reply::sse([
            json!({"type": "message_start", "message": {"content": []}}).to_string(),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": ""}})
            .to_string(),
            json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "text_delta", "text": "Half"}})
            .to_string(),
        ]),
    }
}

async fn reads(replies: &[Said<'_>], text: &str, calls: &[Value]) {
    for ((client, upstream), streamed) in pairs() {
        let case = format!("{} to {}, streamed: {streamed}", client.name, upstream.name);
        let replies = replies.iter().map(|said| (upstream.reply)(true, said));
        let reply = through((client, upstream), streamed, replies.collect()).await;
        let reply = reply.unwrap_or_else(|error| panic!("{case}: {error} {}", error.detail()));
        assert_eq!(reply.content.text(), text, "{case}");
        let made = reply
            .tool_calls
            .iter()
            .map(|call| Value::Object(call.args.clone()));
        assert_eq!(made.collect::<Vec<_>>(), calls, "{case}");
        assert!(reply.invalid_tool_calls.is_empty(), "{case}");
    }
}

#[tokio::test]
async fn text_is_text() {
    let said = Said {
        text: "It is sunny. Å 🌧",
        calls: &[],
    };
    reads(&[said], "It is sunny. Å 🌧", &[]).await;
}

#[tokio::test]
async fn calls_are_calls_beside_text() {
    let (oslo, rome) = (json!({"city": "Oslo", "days": 2}), json!({"city": "Rome"}));
    let said = Said {
        text: "Let me look.",
        calls: &[
            ("a", "forecast", oslo.clone()),
            ("b", "forecast", rome.clone()),
        ],
    };
    reads(&[said], "Let me look.", &[oslo, rome]).await;
}

#[tokio::test]
async fn a_call_printed_as_text_becomes_a_call() {
    let said = Said {
        text: "<tool_call>\n{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
        calls: &[],
    };
    reads(&[said], "", &[json!({"city": "Oslo"})]).await;
}

#[tokio::test]
async fn arguments_are_repaired() {
    let said = Said {
        text: "",
        calls: &[("a", "forecast", json!({"city": "Oslo", "days": "5"}))],
    };
    reads(&[said], "", &[json!({"city": "Oslo", "days": 5})]).await;
}

#[tokio::test]
async fn a_blank_reply_and_a_call_that_does_not_fit_are_asked_again() {
    let blank = Said {
        text: "",
        calls: &[],
    };
    let sunny = Said {
        text: "Sunny.",
        calls: &[],
    };
    reads(&[blank, sunny], "Sunny.", &[]).await;
    let unfit = Said {
        text: "",
        calls: &[("a", "forecast", json!({"days": 2}))],
    };
    let fit = Said {
        text: "",
        calls: &[("a", "forecast", json!({"city": "Oslo"}))],
    };
    reads(&[unfit, fit], "", &[json!({"city": "Oslo"})]).await;
}

#[tokio::test]
async fn a_failing_server_is_an_error_of_the_dialect() {
    for ((client, upstream), streamed) in pairs() {
        let case = format!("{} to {}, streamed: {streamed}", client.name, upstream.name);
        let refusal = Reply::text("no").with_status(400);
        let reply = through((client, upstream), streamed, vec![refusal]).await;
        let error = reply.expect_err(&case);
        assert_eq!(error.status(), Some(400), "{case}: {error}");
        let cut = unfinished(upstream);
        let reply = through(
            (client, upstream),
            streamed,
            vec![cut.clone(), cut.clone(), cut],
        )
        .await;
        assert!(reply.is_err(), "{case}: {reply:?}");
    }
}

#[tokio::test]
async fn a_client_that_leaves_frees_the_server() {
    for wire in WIRES {
        let said = Said {
            text: "One",
            calls: &[],
        };
        let hanging = (wire.reply)(true, &said).then_hang();
        let server = ScriptedServer::start([hanging]).await;
        let address = gateway(wire, &server).await;
        let model = (wire.model)(&address, true);
        let mut stream = model.stream(&[Message::human("?")], &CallOptions::default());
        let first = haft::StreamExt::next(&mut stream).await;
        assert!(matches!(first, Some(Ok(_))), "{}", wire.name);
        drop(stream);
        server.client_hung_up().await;
    }
}
