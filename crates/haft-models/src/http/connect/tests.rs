//! Servers behind proxies, and servers that accept without answering, over real sockets.

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind};
use http::{HeaderValue, Request, Response};
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

use crate::http::client::{HttpClient, no_tls};
use crate::http::{Endpoint, endpoint};
use crate::openai::API;

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// The head of the first request to a socket that then answers `reply` and closes.
async fn head_after(listener: TcpListener, reply: &str) -> String {
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    socket.write_all(reply.as_bytes()).await.unwrap();
    String::from_utf8(head).unwrap()
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

async fn get(client: &HttpClient, url: &str) -> Result<Response<Incoming>, ModelError> {
    let request = Request::new(Either::Left(Full::new(Bytes::new())));
    let endpoint = Endpoint::try_from(Url::parse(url).unwrap()).unwrap();
    client.exchange(API, &endpoint, request).await
}

fn behind(proxies: Matcher) -> HttpClient {
    HttpClient::new(no_tls().unwrap(), Some(proxies))
}

#[tokio::test]
async fn a_proxy_reads_the_whole_address_and_its_password() {
    let (listener, address) = listener().await;
    let proxies = Matcher::builder().http(format!("http://me:secret@{address}"));
    let client = behind(proxies.build());
    let (head, answer) = tokio::join!(
        head_after(listener, OK),
        get(&client, "http://model.example:8080/v1/models?all=1")
    );
    assert_eq!(answer.unwrap().status(), 200);
    let mut lines = head.lines();
    assert_eq!(
        lines.next(),
        Some("GET http://model.example:8080/v1/models?all=1 HTTP/1.1")
    );
    let lines: Vec<&str> = lines.collect();
    assert!(lines.contains(&"host: model.example:8080"), "{head}");
    // base64 of me:secret
    assert!(
        lines.contains(&"proxy-authorization: Basic bWU6c2VjcmV0"),
        "{head}"
    );
}

#[tokio::test]
async fn a_server_with_tls_is_reached_through_a_tunnel() {
    let (listener, address) = listener().await;
    let proxies = Matcher::builder().https(format!("http://me:secret@{address}"));
    let client = behind(proxies.build());
    let (head, answer) = tokio::join!(
        head_after(listener, "HTTP/1.1 200 Connection established\r\n\r\n"),
        get(&client, "https://model.example/v1/models")
    );
    assert!(
        head.starts_with("CONNECT model.example:443 HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("Basic bWU6c2VjcmV0"), "{head}");
    // The proxy hangs up in the middle of the handshake.
    let error = answer.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert_eq!(
        error.to_string(),
        "Cannot establish a TLS connection to the model server at https://model.example/v1/models"
    );
}

#[tokio::test]
async fn servers_that_need_no_proxy_are_reached_directly() {
    let (listener, address) = listener().await;
    let proxies = Matcher::builder().all("http://127.0.0.1:1").no("127.0.0.1");
    let client = behind(proxies.build());
    let url = format!("http://{address}/v1/models");
    let (head, answer) = tokio::join!(head_after(listener, OK), get(&client, &url));
    assert_eq!(answer.unwrap().status(), 200);
    assert!(head.starts_with("GET /v1/models HTTP/1.1\r\n"), "{head}");
}

#[tokio::test]
async fn a_proxy_that_is_down_is_reported() {
    let (listener, address) = listener().await;
    drop(listener);
    let proxies = Matcher::builder().all(format!("http://{address}"));
    let client = behind(proxies.build());
    for url in ["http://model.example/v1", "https://model.example/v1"] {
        let error = get(&client, url).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Connect, "{url}");
        assert!(error.to_string().contains(url), "{error}");
    }
}

#[tokio::test]
async fn a_password_in_the_address_is_a_header_unless_there_is_a_key() {
    let client = HttpClient::new(no_tls().unwrap(), None);
    for (key, expected) in [(None, "Basic bWU6YSBi"), (Some("Bearer k"), "Bearer k")] {
        let (listener, address) = listener().await;
        let url = endpoint(&format!("http://me:a%20b@{address}#part"), "v1").unwrap();
        let mut request = Request::new(Either::Left(Full::new(Bytes::new())));
        if let Some(key) = key {
            let key = HeaderValue::from_static(key);
            request.headers_mut().insert("authorization", key);
        }
        let (head, answer) = tokio::join!(
            head_after(listener, OK),
            client.exchange(API, &url, request)
        );
        assert_eq!(answer.unwrap().status(), 200);
        assert!(head.starts_with("GET /v1 HTTP/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("host: {address}\r\n")), "{head}");
        let expected = format!("authorization: {expected}\r\n");
        assert!(head.contains(&expected), "{head}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_the_handshake_is_given_up() {
    let (_listener, address) = listener().await;
    let client = HttpClient::new(no_tls().unwrap(), None);
    let url = format!("https://{address}/v1/models");
    let error = get(&client, &url).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert_eq!(
        error.to_string(),
        format!("No model server answered at {url} within 10 s")
    );
}
