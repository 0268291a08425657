//! Ctrl-C and the request to end, while a model or a tool is at work.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

mod support;

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use haft_testing::{Reply, ScriptedServer};
use serde_json::json;
use support::{Machine, Said, openai_call, said, stub_mcp};

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "never came: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap()
            .success()
    );
}

fn end(child: Child, signal: &str) -> Said {
    send(signal, &child);
    said(child.wait_with_output().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_question_tells_what_was_done() {
    let arguments = json!({"timezone": "Asia/Tokyo"});
    let call = openai_call("get_current_datetime", &arguments);
    let server = ScriptedServer::start([call, Reply::silence()]).await;
    let machine = Machine::new();
    let model = format!("openai:small@{}/v1", server.url());
    let child = machine
        .command(&["ask", "--json", "--model", &model, "Time?"])
        .spawn()
        .unwrap();
    wait_until("the second request", || server.requests().len() == 2);
    let said = end(child, "INT");
    let told = "interrupted after 2 rounds; \
        done: get_current_datetime {\"timezone\":\"Asia/Tokyo\"} -> It is ";
    said.fails(130, &[told]);
    assert!(!said.stderr.contains("error:"), "{said:?}");
    assert!(
        said.json()["error"]
            .as_str()
            .unwrap()
            .starts_with("interrupted after 2 rounds")
    );
    server.client_hung_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_tool_is_dropped_and_its_server_ended() {
    let server = ScriptedServer::start([openai_call("nap", &json!({}))]).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Sleep"];
    let unasked = ["--approve", "never"];
    let child = machine.command(&ask).args(unasked).spawn().unwrap();
    wait_until("the nap", || machine.path("napping").exists());
    let said = end(child, "INT");
    said.fails(130, &["interrupted after 1 round; no tool has run"]);
    assert!(
        machine.path("gone").exists(),
        "the server was not ended: {said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_to_end_is_obeyed_too() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    let model = format!("openai:small@{}/v1", server.url());
    let child = machine
        .command(&["ask", "--model", &model, "Hi"])
        .spawn()
        .unwrap();
    wait_until("the request", || server.requests().len() == 1);
    end(child, "TERM").fails(143, &["interrupted after 1 round; no tool has run"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_interrupt_does_not_wait_for_a_stubborn_server() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let machine = Machine::new();
    stub_mcp(&machine);
    // Deaf to requests to end, and at work for long after its input has ended.
    let script = std::fs::read_to_string(machine.path("stub.sh")).unwrap();
    machine.write("stub.sh", format!("trap '' TERM INT\n{script}\nsleep 9\n"));
    let model = format!("openai:small@{}/v1", server.url());
    let ask = ["ask", "--mcp", "servers.json", "--model", &model, "Hi"];
    let child = machine.command(&ask).spawn().unwrap();
    wait_until("the request", || server.requests().len() == 1);
    let started = Instant::now();
    send("INT", &child);
    wait_until("the end of the server's input", || {
        machine.path("gone").exists()
    });
    end(child, "INT").fails(130, &["interrupted after 1 round; no tool has run"]);
    // Alone, the first would wait 3 s for each of two gentler ways to end the server.
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}
