//! How a reply is asked for, and how soon a streamed one goes out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use std::time::Duration;

use haft_gateway::Upstreams;
use haft_models::{ModelServer, ModelSettings, ServerKind};
use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use support::*;

/// More events than a gateway may look for before it hands out what there is.
const EVENTS: usize = 100;

/// A model server that streams an event whenever it is told to.
async fn told_when() -> (String, mpsc::UnboundedSender<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (tell, mut told) = mpsc::unbounded_channel::<String>();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        let mut request = vec![0; 64 * 1024];
        assert!(socket.read(&mut request).await.unwrap() > 0);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        socket.write_all(head.as_bytes()).await.unwrap();
        while let Some(event) = told.recv().await {
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

/// Reads until this was said.
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
    let address = pool.url.strip_prefix("http://").unwrap();
    let mut client = TcpStream::connect(address).await.unwrap();
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\nx-haft-repair: {repair}\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    client.write_all(request.as_bytes()).await.unwrap();
    client
}

/// Each word is sent when the client has the one before the last: whoever held back more than one
/// event would wait for ever, as would whoever waits for full packets.
#[tokio::test]
async fn text_is_delayed_by_at_most_one_event() {
    let tool = json!({"type": "function", "function": {"name": "t", "parameters": {}}});
    let schema = json!({"type": "object"});
    let plain = json!({"type": "function", "function": {"name": "t", "parameters": schema}});
    for (tools, repair) in [
        (json!([]), "on"),
        (json!([tool]), "on"),
        (json!([tool]), "off"),
        // These pass as they are.
        (json!([plain]), "off"),
        (json!([]), "off"),
    ] {
        let (url, tell) = told_when().await;
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
async fn a_sole_local_server_is_asked_in_one_piece_for_what_nobody_reads_before_its_end() {
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
    // Another one could take over, if only it shows in time that this one has stopped.
    let mut other = haft_gateway::Upstream::from(patient(ServerKind::OpenAi, &url));
    other.name = "other".to_owned();
    let two = vec![patient(ServerKind::OpenAi, &url).into(), other];
    assert!(was_stream_asked(&openai, Upstreams::new(two).unwrap(), false).await);
    // Somebody wants to know soon.
    let mut settings = ModelSettings::default();
    settings.limits.first_byte = Duration::from_secs(5);
    let watched = ModelServer::new(ServerKind::OpenAi, &url, &settings);
    assert!(was_stream_asked(&openai, watched.into(), false).await);
}
