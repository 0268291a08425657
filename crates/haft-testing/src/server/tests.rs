use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Reply, ScriptedServer};

async fn connect(server: &ScriptedServer) -> TcpStream {
    let address = server.url().trim_start_matches("http://");
    TcpStream::connect(address).await.unwrap()
}

async fn ask(stream: &mut TcpStream, body: &str) {
    let request = format!(
        "POST /x?y=1 HTTP/1.1\r\nX-Key: secret\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
}

#[tokio::test]
async fn answers_in_order_and_remembers_what_it_was_asked() {
    let replies = [
        Reply::json(json!({"n": 1})),
        Reply::sse(["a", "b"]).then_cut(),
    ];
    let server = ScriptedServer::start(replies).await;
    let mut stream = connect(&server).await;
    ask(&mut stream, r#"{"q":1}"#).await;
    ask(&mut stream, "").await;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (first, second) = text.split_once("0\r\n\r\n").unwrap();
    assert!(first.starts_with("HTTP/1.1 200 ") && first.ends_with("7\r\n{\"n\":1}\r\n"));
    assert!(second.ends_with("9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n"));

    let requests = server.requests();
    assert_eq!(requests[0].method, "POST");
    assert_eq!(requests[0].path, "/x?y=1");
    assert_eq!(requests[0].header("x-key"), Some("secret"));
    assert_eq!(requests[0].body, json!({"q": 1}));
    assert_eq!((requests.len(), server.connections()), (2, 1));
}

#[tokio::test]
async fn sees_a_client_that_does_not_wait() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let mut stream = connect(&server).await;
    ask(&mut stream, "").await;
    drop(stream);
    server.client_hung_up().await;
}

#[tokio::test]
async fn a_reset_is_not_an_end() {
    let server = ScriptedServer::start([Reply::text("x").then_reset()]).await;
    let mut stream = connect(&server).await;
    ask(&mut stream, "").await;
    assert!(stream.read_to_end(&mut Vec::new()).await.is_err());
}
