//! How replies are requested, and how soon parts of a stream are sent.

use std::time::Duration;

use haft_gateway::{Gateway, GatewayOptions, Upstreams};
use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::pool::*;

/// More events than the gateway combines into one write.
const EVENTS: usize = 100;

/// A model server that streams an event whenever the test sends one, and reports
/// nothing about its models.
async fn streaming_on_demand() -> (String, mpsc::UnboundedSender<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (tell, mut next_event) = mpsc::unbounded_channel::<String>();
    tokio::spawn(async move {
        let mut request = vec![0; 64 * 1024];
        let mut socket = loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            socket.set_nodelay(true).unwrap();
            assert!(socket.read(&mut request).await.unwrap() > 0);
            if !request.starts_with(b"GET ") {
                break socket;
            }
            let nothing =
                "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            socket.write_all(nothing.as_bytes()).await.unwrap();
        };
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        socket.write_all(head.as_bytes()).await.unwrap();
        while let Some(event) = next_event.recv().await {
            let event = format!("data: {event}\n\n");
            socket.write_all(event.as_bytes()).await.unwrap();
        }
    });
    (url, tell)
}

fn word(number: usize) -> String {
    let delta = json!({"content": format!("word{number}.")});
    json!({"choices": [{"index": 0, "delta": delta}]}).to_string()
}

/// Reads until this text arrived.
async fn read_until(socket: &mut TcpStream, read: &mut String, wanted: &str) {
    let mut bytes = vec![0; 4096];
    while !read.contains(wanted) {
        let reading = timeout(Duration::from_secs(20), socket.read(&mut bytes));
        let count = reading
            .await
            .unwrap_or_else(|_| panic!("{wanted} was held back"));
        read.push_str(&String::from_utf8_lossy(&bytes[..count.unwrap()]));
    }
}

async fn asked_for(pool: &Pool, body: &Value, repair: &str) -> TcpStream {
    asked_at(pool, "/v1/chat/completions", body, repair).await
}

async fn asked_at(pool: &Pool, path: &str, body: &Value, repair: &str) -> TcpStream {
    let address = pool.url.strip_prefix("http://").unwrap();
    let mut client = TcpStream::connect(address).await.unwrap();
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nx-haft-repair: {repair}\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    client.write_all(request.as_bytes()).await.unwrap();
    client
}

/// Each word is sent after the client has received the one before the last: a gateway that held
/// back more than one event, or waited for full packets, would block forever.
#[tokio::test]
async fn text_is_delayed_by_at_most_one_event() {
    let tool = json!({"type": "function", "function": {"name": "t", "parameters": {}}});
    let schema = json!({"type": "object"});
    let plain = json!({"type": "function", "function": {"name": "t", "parameters": schema}});
    for (tools, repair) in [
        (json!([]), "on"),
        (json!([tool]), "on"),
        (json!([tool]), "off"),
        // These pass through unchanged.
        (json!([plain]), "off"),
        (json!([]), "off"),
    ] {
        let (url, tell) = streaming_on_demand().await;
        let pool = pool(vec![upstream_of(ServerKind::OpenAi, "one", &url)]).await;
        let messages = json!([{"role": "user", "content": "Go on"}]);
        let body = json!({"model": "tiny", "stream": true, "messages": messages, "tools": tools});
        let mut client = asked_for(&pool, &body, repair).await;
        let mut read = String::new();
        tell.send(word(0)).unwrap();
        for number in 1..EVENTS {
            tell.send(word(number)).unwrap();
            let before = format!("word{}.", number - 1);
            read_until(&mut client, &mut read, &before).await;
        }
        tell.send(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string())
            .unwrap();
        tell.send("[DONE]".to_owned()).unwrap();
        read_until(&mut client, &mut read, "[DONE]").await;
        let places = (0..EVENTS).map(|number| read.find(&format!("word{number}.")).unwrap());
        assert!(places.is_sorted(), "{read}");
    }
}

/// The end of a reply that was cut at shutdown, in each dialect.
#[tokio::test]
async fn a_reply_that_outlasts_the_drain_ends_with_an_error_of_its_dialect() {
    let messages = json!([{"role": "user", "content": "Go on"}]);
    let body = json!({"model": "tiny", "stream": true, "messages": messages, "max_tokens": 9});
    for (path, repair, error) in [
        ("/v1/chat/completions", "on", "data: {\"error\""),
        ("/v1/chat/completions", "off", "data: {\"error\""),
        ("/v1/messages", "on", "event: error"),
        ("/api/chat", "on", "{\"error\""),
    ] {
        let (url, tell) = streaming_on_demand().await;
        let upstreams = Upstreams::new(vec![upstream_of(ServerKind::OpenAi, "one", &url)]);
        let mut options = GatewayOptions::default();
        options.listen = ([127, 0, 0, 1], 0).into();
        options.limits.drain = Duration::from_millis(200);
        let upstreams = upstreams.unwrap();
        let gateway = Gateway::bind(upstreams.clone(), options).await.unwrap();
        let url = format!("http://{}", gateway.address().unwrap());
        let (ending, end) = oneshot::channel::<()>();
        let served = tokio::spawn(gateway.serve(async move { drop(end.await) }));
        let pool = Pool { url, upstreams };
        let mut client = asked_at(&pool, path, &body, repair).await;
        let mut read = String::new();
        tell.send(word(0)).unwrap();
        tell.send(word(1)).unwrap();
        read_until(&mut client, &mut read, "word0.").await;
        ending.send(()).unwrap();
        read_until(&mut client, &mut read, error).await;
        assert!(read.contains("being shut down"), "{path}: {read}");
        served.await.unwrap();
    }
}

/// Whether the server was asked for a stream.
async fn was_stream_asked(server: &ScriptedServer, upstreams: Upstreams, stream: bool) -> bool {
    let pool = served(upstreams, false).await;
    let messages = json!([{"role": "user", "content": QUESTION}]);
    let body = json!({"model": "tiny", "stream": stream, "messages": messages});
    let (status, _, text) = pool.http("POST", "/v1/chat/completions", &body).await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("Fine"), "{text}");
    let requests = server.requests();
    requests.last().unwrap().body["stream"] == json!(true)
}

fn patient(kind: ServerKind, url: &str) -> ModelServer {
    ModelServer::new(kind, url, &ModelSettings::default())
}

#[tokio::test]
async fn a_sole_local_server_is_asked_in_one_piece_for_a_whole_reply() {
    let whole = json!({"choices": [{"message": {"content": "Fine"}, "finish_reason": "stop"}]});
    let openai = server(
        move |_, request| match request.body["stream"] == json!(true) {
            true => says("Fine"),
            false => Reply::json(whole.clone()),
        },
    )
    .await;
    let url = format!("{}/v1", openai.url());
    let alone = || patient(ServerKind::OpenAi, &url).into();
    assert!(!was_stream_asked(&openai, alone(), false).await);
    assert!(was_stream_asked(&openai, alone(), true).await);
    // Another upstream could take over, but only if a stream shows in time that this one has
    // stopped.
    let mut other = haft_gateway::Upstream::from(patient(ServerKind::OpenAi, &url));
    other.name = "other".to_owned();
    let two = vec![patient(ServerKind::OpenAi, &url).into(), other];
    assert!(was_stream_asked(&openai, Upstreams::new(two).unwrap(), false).await);
    // The client wants a stream.
    let mut settings = ModelSettings::default();
    settings.limits.first_byte = Duration::from_secs(5);
    let watched = ModelServer::new(ServerKind::OpenAi, &url, &settings);
    assert!(was_stream_asked(&openai, watched.into(), false).await);
}

const CALL: &str = "<tool_call>{\"name\": \"t\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";

/// The paths of the dialects, and the ends of their streams.
const DIALECTS: [(&str, &str); 3] = [
    ("/v1/chat/completions", "[DONE]"),
    ("/api/chat", "\"done\":true"),
    ("/v1/messages", "message_stop"),
];

/// A request for a stream with one tool, in the dialect of this path.
fn calling(path: &str, stream: bool) -> Value {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let tool = match path {
        "/v1/messages" => json!({"name": "t", "description": "", "input_schema": schema}),
        _ => json!({"type": "function", "function": {"name": "t", "parameters": schema}}),
    };
    json!({"model": "tiny", "stream": stream, "max_tokens": 500, "tools": [tool],
        "messages": [{"role": "user", "content": "Go on"}]})
}

fn said(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}}]}).to_string()
}

/// The server sends the rest only after the client has received the call: a gateway that held the
/// call back until the end of the reply would block forever.
#[tokio::test]
async fn a_printed_call_is_sent_when_it_ends() {
    for (path, end) in DIALECTS {
        for repair in ["on", "off"] {
            if (path, repair) == ("/v1/chat/completions", "off") {
                // This passes through unchanged.
                continue;
            }
            let (url, tell) = streaming_on_demand().await;
            let pool = pool(vec![upstream_of(ServerKind::OpenAi, "one", &url)]).await;
            let mut client = asked_at(&pool, path, &calling(path, true), repair).await;
            let mut read = String::new();
            tell.send(said("Behold.")).unwrap();
            read_until(&mut client, &mut read, "Behold.").await;
            let (first, rest) = CALL.split_at(20);
            tell.send(said(first)).unwrap();
            tell.send(said(rest)).unwrap();
            read_until(&mut client, &mut read, "Oslo").await;
            tell.send(said("\nAfterwards.")).unwrap();
            read_until(&mut client, &mut read, "Afterwards.").await;
            tell.send(said(&CALL.replace("Oslo", "Rome"))).unwrap();
            read_until(&mut client, &mut read, "Rome").await;
            tell.send(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string())
                .unwrap();
            tell.send("[DONE]".to_owned()).unwrap();
            read_until(&mut client, &mut read, end).await;
            assert!(!read.contains("tool_call>"), "{read}");
            for city in ["Oslo", "Rome"] {
                assert_eq!(read.matches(city).count(), 1, "{path}: {read}");
            }
            if path != "/api/chat" {
                let stop = ["\"tool_calls\"", "\"tool_use\""];
                assert!(stop.iter().any(|stop| read.contains(stop)), "{read}");
            }
        }
    }
}

/// The model closes reasoning that it never opened, or the server reports another call than the
/// printed one: the first stream ends in an error, because a sent call cannot be withdrawn, and
/// from then on calls are held back. A whole reply is correct at once.
#[tokio::test]
async fn a_retracted_call_is_an_error_once() {
    let native = json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0,
        "id": "c", "type": "function", "function": {"name": "t",
        "arguments": "{\"city\": \"Lima\"}"}}]}}]});
    let thought = format!("I will do it: {CALL} Or not.");
    let cases = [
        (vec![said(&thought), said("</think>Hello.")], "Hello."),
        (vec![said(CALL), native.to_string()], "Lima"),
    ];
    for (events, expected) in cases {
        for (path, end) in DIALECTS {
            for whole_first in [false, true] {
                let mut events = events.clone();
                let stop = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
                events.extend([stop.to_string(), "[DONE]".to_owned()]);
                let server = server(move |_, _| Reply::sse(events.clone())).await;
                let pool = pool(vec![upstream("one", &server)]).await;
                let ask = async |stream| pool.http("POST", path, &calling(path, stream)).await;
                if whole_first {
                    let (status, _, text) = ask(false).await;
                    assert_eq!(status, 200, "{text}");
                    assert!(text.contains(expected) && !text.contains("Oslo"), "{text}");
                } else {
                    let (_, _, text) = ask(true).await;
                    assert!(text.contains("only thought of"), "{path}: {text}");
                    assert!(!text.contains(end), "{path}: {text}");
                }
                let (status, _, text) = ask(true).await;
                assert_eq!(status, 200, "{text}");
                assert!(
                    text.contains(expected) && text.contains(end),
                    "{path}: {text}"
                );
                assert!(!text.contains("Oslo"), "{path}: {text}");
            }
        }
    }
}
