use haft_testing::{Reply, ScriptedServer};
use serde_json::json;

use super::*;
use crate::{ModelSettings, Secret};

const MIN_WAIT: Duration = Duration::from_secs(5);

fn server(kind: ServerKind, url: String) -> ModelServer {
    let mut settings = ModelSettings::default();
    for kind in [ServerKind::OpenAi, ServerKind::Anthropic] {
        settings.server_mut(kind).api_key = Some(Secret::new("sk-own"));
    }
    ModelServer::new(kind, url, &settings)
}

fn request(path: &str, body: ForwardBody) -> http::Request<ForwardBody> {
    http::Request::post(path)
        .header("authorization", "Bearer sk-client")
        .header("x-api-key", "sk-client")
        .header("cookie", "a=b")
        .header("connection", "keep-alive, x-hop")
        .header("x-hop", "1")
        .header("x-kept", "2")
        .header("host", "elsewhere")
        .body(body)
        .unwrap()
}

async fn read(mut body: ByteStream) -> Result<String, io::Error> {
    let mut text = Vec::new();
    while let Some(piece) = body.next().await {
        text.extend(piece?);
    }
    Ok(String::from_utf8(text).unwrap())
}

#[tokio::test]
async fn the_message_is_forwarded_without_the_keys_of_the_client() {
    let reply = Reply::json(json!({"ok": true}))
        .with_status(418)
        .with_header("x-back", "3")
        .with_header("set-cookie", "c=d");
    let upstream = ScriptedServer::start([reply.clone(), reply]).await;
    let openai = server(ServerKind::OpenAi, format!("{}/v1", upstream.url()));
    let body = ForwardBody::Whole(Bytes::from_static(b"{\"input\":1}"));
    let answer = openai.forward(request("/v1/embeddings?a=b", body), MIN_WAIT);
    let answer = answer.await.unwrap();
    assert_eq!(answer.status().as_u16(), 418);
    assert_eq!(answer.headers()["x-back"], "3");
    assert!(!answer.headers().contains_key("set-cookie"));
    assert!(!answer.headers().contains_key("transfer-encoding"));
    assert_eq!(read(answer.into_body()).await.unwrap(), "{\"ok\":true}");
    let anthropic = server(ServerKind::Anthropic, upstream.url().to_owned());
    let body = ForwardBody::Whole(Bytes::new());
    anthropic
        .forward(request("/v1/messages/batches", body), MIN_WAIT)
        .await
        .unwrap();

    let requests = upstream.requests();
    assert_eq!(requests[0].path, "/v1/embeddings?a=b");
    assert_eq!(requests[0].body, json!({"input": 1}));
    assert_eq!(requests[0].header("authorization"), Some("Bearer sk-own"));
    assert_eq!(requests[0].header("x-kept"), Some("2"));
    for name in ["x-api-key", "cookie", "x-hop", "connection"] {
        assert_eq!(requests[0].header(name), None, "{name}");
    }
    assert_eq!(requests[1].path, "/v1/messages/batches");
    assert_eq!(requests[1].header("x-api-key"), Some("sk-own"));
    assert_eq!(requests[1].header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(requests[1].header("authorization"), None);
}

#[tokio::test]
async fn a_body_comes_back_as_it_is_written_and_a_cut_one_is_an_error() {
    let upstream = ScriptedServer::start([Reply::ndjson([json!(1), json!(2)]).then_cut()]).await;
    let ollama = server(ServerKind::Ollama, upstream.url().to_owned());
    let pieces = [b"{\"model\"".as_slice(), b":\"a\"}"].map(|piece| Ok(Bytes::from_static(piece)));
    let body = ForwardBody::Stream(stream::iter(pieces).boxed());
    let mut request = request("/api/pull", body);
    let length = HeaderValue::from_static("13");
    request.headers_mut().insert(CONTENT_LENGTH, length);
    let answer = ollama.forward(request, MIN_WAIT).await.unwrap();
    let mut body = answer.into_body();
    assert_eq!(body.next().await.unwrap().unwrap(), "1\n");
    assert!(read(body).await.is_err());
    assert_eq!(upstream.requests()[0].body, json!({"model": "a"}));
    assert_eq!(upstream.requests()[0].header("content-length"), Some("13"));
}

#[tokio::test]
async fn a_silent_server_ends_in_a_timeout() {
    let upstream = ScriptedServer::start([Reply::silence()]).await;
    let ollama = server(ServerKind::Ollama, upstream.url().to_owned());
    let body = ForwardBody::Whole(Bytes::new());
    let answer = ollama.forward(request("/api/embed", body), Duration::from_millis(50));
    let error = answer.await.err().unwrap();
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    upstream.client_hung_up().await;
}

#[tokio::test]
async fn an_error_that_repeats_the_key_of_the_server_hides_it_from_the_client() {
    let error_body = "{\"error\": \"no credit for sk-own at p4ssword\"}";
    let replies = [
        Reply::text(error_body).with_status(401).in_pieces_of(7),
        Reply::json(json!({"ok": true})).with_header("x-key", "sk-own"),
    ];
    let upstream = ScriptedServer::start(replies).await;
    let url = upstream.url().replace("http://", "http://me:p4ssword@");
    let openai = server(ServerKind::OpenAi, format!("{url}/v1"));
    let ask = || {
        let mut request = request("/v1/embeddings", ForwardBody::Whole(Bytes::new()));
        let encodings = HeaderValue::from_static("gzip");
        request.headers_mut().insert(ACCEPT_ENCODING, encodings);
        openai.forward(request, MIN_WAIT)
    };
    let answer = ask().await.unwrap();
    assert_eq!(answer.status(), 401);
    assert!(!answer.headers().contains_key(CONTENT_LENGTH));
    let text = read(answer.into_body()).await.unwrap();
    assert_eq!(text, "{\"error\": \"no credit for [hidden] at [hidden]\"}");
    let answer = ask().await.unwrap();
    assert_eq!(answer.headers()["x-key"], "[hidden]");
    for asked in upstream.requests() {
        assert_eq!(
            asked.header("accept-encoding"),
            None,
            "it could not be read"
        );
    }
}
