//! `haft serve` as a process, from start to shutdown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};

use crate::support::Machine;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

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
    let (child, port, lines) = serve_unread(machine, upstream, more);
    std::thread::spawn(move || lines.count());
    (child, port)
}

type Lines = std::io::Lines<BufReader<std::process::ChildStderr>>;

/// Starts the server; the caller reads its stderr.
fn serve_unread(machine: &Machine, upstream: &str, more: &[&str]) -> (Child, u16, Lines) {
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
    (child, port, lines)
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
    let (status, body) = post(port, "/api/blobs", host, &json!({}));
    assert_eq!(
        (status, body.contains("There is no /api/blobs")),
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
async fn a_silent_server_times_out() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        "/v1/chat/completions" => Reply::silence(),
        _ => Reply::text("404").with_status(404),
    })
    .await;
    let machine = Machine::new();
    let (child, port) = serve(&machine, server.url(), &["--idle-timeout", "0.2"]);
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

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_is_read_under_its_old_name_with_a_warning() {
    let server = model_server().await;
    let checked = [
        "serve",
        "--check",
        "--patience=5",
        "--upstream",
        server.url(),
    ];
    let said = Machine::new().haft(&checked);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stderr
            .contains("`--patience` was renamed to `--idle-timeout`"),
        "{}",
        said.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn several_upstreams_share_the_load_and_one_may_be_away() {
    let (one, two) = (model_server().await, model_server().await);
    let machine = Machine::new();
    let more = [
        "--upstream",
        two.url(),
        "--upstream",
        "openai:http://127.0.0.1:9/v1",
    ];
    let (child, port) = serve(&machine, one.url(), &more);
    let host = "host: localhost\r\n";
    for _ in 0..4 {
        let (status, body) = post(port, "/v1/chat/completions", host, &request());
        assert_eq!(status, 200, "{body}");
    }
    assert_eq!(stop(child), Some(0));
    let urls = ["serve", "--check", "--upstream", one.url()];
    let said = machine.haft(&[urls.as_slice(), &more].concat());
    assert_eq!(said.code, Some(1), "{said:?}");
    let lines: Vec<_> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{said:?}");
    assert!(
        lines[0].ends_with("has tiny") && lines[1].ends_with("has tiny"),
        "{said:?}"
    );
    assert!(
        lines[2].contains("does not answer: No model server answers"),
        "{said:?}"
    );
    // The server must answer to have its API detected.
    let away = [
        "serve",
        "--check",
        "--upstream",
        one.url(),
        "--upstream",
        "http://127.0.0.1:9",
    ];
    machine
        .haft(&away)
        .fails(1, &["hint: start it, or say what it speaks"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn upstreams_can_be_configured_with_names_and_keys() {
    let server = model_server().await;
    let file = format!(
        "[[upstream]]\nurl = \"{}\"\nname = \"desk\"\nkey_env = \"DESK_KEY\"\n\
         aliases = {{ \"gpt-4o\" = \"tiny\" }}\n",
        server.url()
    );
    let machine = Machine::new();
    machine.write("haft.toml", &file);
    machine
        .haft(&["serve", "--check", "--trust"])
        .fails(1, &["in DESK_KEY, which is not set", "hint: set DESK_KEY"]);
    let machine = Machine::new()
        .with("DESK_KEY", "sk-desk")
        .with("OPENAI_API_KEY", "sk-other");
    machine.write("haft.toml", &file);
    let said = machine.haft(&["serve", "--check", "--trust"]);
    assert!(said.answer().ends_with("has tiny"), "{said:?}");
    let requests = server.requests();
    let keys: Vec<_> = requests
        .iter()
        .map(|one| one.header("authorization"))
        .collect();
    assert!(keys.contains(&Some("Bearer sk-desk")), "{keys:?}");
    assert!(!format!("{requests:?}").contains("sk-other"));
    let shown = machine.haft(&["config", "show", "--trust"]);
    assert!(shown.stdout.contains(server.url()) && !shown.stdout.contains("sk-desk"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_upstreams_with_one_name_are_refused() {
    let server = model_server().await;
    let entry = format!(
        "[[upstream]]\nurl = \"{}\"\nname = \"desk\"\n",
        server.url()
    );
    let machine = Machine::new();
    machine.write("haft.toml", entry.repeat(2));
    machine
        .haft(&["serve", "--check", "--trust"])
        .fails(1, &["Two upstreams are called \"desk\"", "hint: give each"]);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_read_again_are_logged_with_the_hint() {
    let server = model_server().await;
    let machine = Machine::new();
    let (child, _, mut lines) = serve_unread(&machine, server.url(), &[]);
    machine.write("haft.toml", "[model]\ntemprature = 1\n");
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "HUP", &id]).status();
    assert!(sent.unwrap().success());
    let logged = lines
        .by_ref()
        .map(Result::unwrap)
        .find(|line| line.contains("the settings stay as they were"))
        .unwrap();
    assert!(logged.contains("did you mean `temperature`?"), "{logged}");
    std::thread::spawn(move || lines.count());
    assert_eq!(stop(child), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_log_does_not_block_answers() {
    let server = model_server().await;
    let machine = Machine::new();
    let (child, port, lines) = serve_unread(&machine, server.url(), &[]);
    // A pipe holds 64 KiB; every answered request logs a line of some 250 bytes.
    for _ in 0..400 {
        let host = "host: localhost\r\n";
        let (status, _) = post(port, "/v1/chat/completions", host, &request());
        assert_eq!(status, 200);
    }
    std::thread::spawn(move || lines.count());
    assert_eq!(stop(child), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_loads_its_model_is_no_reason_not_to_serve() {
    let loading =
        json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
    let server = ScriptedServer::with(move |request: &CapturedRequest| {
        if request.path.ends_with("/models") || request.path == "/health" {
            Reply::json(loading.clone()).with_status(503)
        } else {
            Reply::text("404").with_status(404)
        }
    })
    .await;
    let machine = Machine::new();
    let named = format!("openai:{}/v1", server.url());
    for upstream in [named.as_str(), server.url()] {
        // It listens, or this fails.
        let (child, _) = serve(&machine, upstream, &[]);
        assert_eq!(stop(child), Some(0));
    }
    let said = machine.haft(&["serve", "--check", "--upstream", &named]);
    assert!(said.stdout.contains("Loading model"), "{said:?}");
    assert_eq!(said.code, Some(1));
}
