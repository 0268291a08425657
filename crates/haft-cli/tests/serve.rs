//! `haft serve` as a process: from the first line to the end.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};

use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};
use support::Machine;

/// A model server that prints its calls.
async fn model_server() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => {
            let text = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"2\"}}</tool_call>";
            let delta = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
            let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
            Reply::sse([delta.to_string(), end.to_string(), "[DONE]".to_owned()])
        }
        _ => Reply::text("404").with_status(404),
    })
    .await
}

/// A gateway that listens, and its port.
fn serve(machine: &Machine, upstream: &str, more: &[&str]) -> (Child, u16) {
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--upstream", upstream];
    arguments.extend(more);
    let mut child = machine.command(&arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let listens = lines
        .by_ref()
        .map(Result::unwrap)
        .find(|line| line.starts_with("listens"))
        .unwrap();
    let address = listens.split("http://127.0.0.1:").nth(1).unwrap();
    let port = address.split(' ').next().unwrap().parse().unwrap();
    std::thread::spawn(move || lines.count());
    (child, port)
}

/// The status and the body of an answer.
fn post(port: u16, path: &str, headers: &str, body: &Value) -> (u16, String) {
    let body = body.to_string();
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    write!(
        socket,
        "POST {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap();
    (status.parse().unwrap(), body.to_owned())
}

fn request() -> Value {
    let parameters = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    json!({"model": "tiny", "messages": [{"role": "user", "content": "?"}],
        "tools": [{"type": "function", "function": {"name": "add", "parameters": parameters}}]})
}

fn stop(child: Child) -> Option<i32> {
    let id = child.id().to_string();
    Command::new("kill")
        .args(["-s", "INT", &id])
        .status()
        .unwrap();
    child.wait_with_output().unwrap().status.code()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_printed_call_reaches_the_client_as_a_call() {
    let server = model_server().await;
    let machine = Machine::new();
    let (child, port) = serve(&machine, server.url(), &[]);
    let host = "host: localhost\r\n";
    let (status, body) = post(port, "/v1/chat/completions", host, &request());
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).unwrap();
    let call = &answer["choices"][0]["message"]["tool_calls"][0]["function"];
    assert_eq!(*call, json!({"name": "add", "arguments": "{\"a\":2}"}));
    assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");
    let (status, body) = post(port, "/v1/chat/completions", host, &json!({"messages": 1}));
    assert_eq!(status, 400);
    assert!(body.contains("invalid_request_error"), "{body}");
    let (status, _) = post(
        port,
        "/v1/chat/completions",
        "host: evil.example\r\n",
        &request(),
    );
    assert_eq!(status, 403);
    let (status, body) = post(port, "/v1/nothing", host, &json!({}));
    assert_eq!(
        (status, body.contains("There is no /v1/nothing")),
        (404, true)
    );
    assert_eq!(stop(child), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_asked_for_and_needed_beyond_this_machine() {
    let server = model_server().await;
    let machine = Machine::new();
    let (child, port) = serve(&machine, server.url(), &["--token", "k"]);
    let (status, _) = post(port, "/v1/chat/completions", "host: a\r\n", &request());
    assert_eq!(status, 401);
    let key = "host: a\r\nauthorization: Bearer k\r\n";
    let (status, _) = post(port, "/v1/chat/completions", key, &request());
    assert_eq!(status, 200);
    assert_eq!(stop(child), Some(0));
    let open = ["serve", "--listen", "0.0.0.0:0", "--upstream", server.url()];
    let said = machine.haft(&open);
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr.contains("hint: give a token"),
        "{}",
        said.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_is_waited_for_no_longer_than_told() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => Reply::silence(),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let machine = Machine::new();
    let (child, port) = serve(&machine, server.url(), &["--patience", "0.2"]);
    let host = "host: localhost\r\n";
    let (status, body) = post(port, "/v1/chat/completions", host, &request());
    assert_eq!(status, 504, "{body}");
    assert_eq!(stop(child), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_names_the_models_or_says_what_is_wrong() {
    let server = model_server().await;
    let machine = Machine::new();
    let said = machine.haft(&["serve", "--check", "--upstream", server.url()]);
    assert!(said.stdout.ends_with("has tiny\n"), "{}", said.stdout);
    let said = machine.haft(&["serve", "--check", "--upstream", "http://127.0.0.1:9"]);
    assert_eq!(said.code, Some(1));
    let said = machine.haft(&["serve", "--check", "--upstream", "nowhere"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("hint:"), "{}", said.stderr);
}
