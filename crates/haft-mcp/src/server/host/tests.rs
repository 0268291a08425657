//! The answers to invalid lines, and to calls that run when the input ends.

use std::time::Duration;

use haft_core::ToolError;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use crate::ToolServer;
use haft_tools::{ToolExecutor, ToolManager, ToolsError, tool};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// A server, and the other ends of its pipes.
struct Served {
    /// `None` once it is closed.
    input: Option<tokio::io::WriteHalf<DuplexStream>>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    end: Option<oneshot::Sender<()>>,
    /// Lets a call of `wait` continue.
    go_on: std::sync::Arc<Notify>,
    /// Notified when such a call runs.
    runs: std::sync::Arc<Notify>,
    server: JoinHandle<Result<(), ToolsError>>,
}

impl Served {
    fn start() -> Self {
        let (go_on, runs) = <(std::sync::Arc<Notify>, std::sync::Arc<Notify>)>::default();
        let mut tools = ToolManager::new();
        let (gate, running) = (go_on.clone(), runs.clone());
        let wait = tool("wait", "Waits", move |_: Nothing| {
            let (gate, running) = (gate.clone(), running.clone());
            async move {
                running.notify_one();
                gate.notified().await;
                Ok::<_, ToolError>("waited")
            }
        });
        tools.add(wait).unwrap();
        let server = ToolServer::new(ToolExecutor::new(tools));
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (output, input) = tokio::io::split(ours);
        let (their_input, their_output) = tokio::io::split(theirs);
        let (end, ended) = oneshot::channel::<()>();
        let serving = server.serve_over(their_input, their_output, async {
            let _ = ended.await;
        });
        Self {
            input: Some(input),
            output: BufReader::new(output).lines(),
            end: Some(end),
            go_on,
            runs,
            server: tokio::spawn(serving),
        }
    }

    /// Starts a server and completes the handshake.
    async fn ready() -> Self {
        let mut served = Self::start();
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        served.request(0, "initialize", &params).await;
        assert_eq!(served.hear().await["id"], 0);
        served
    }

    async fn line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    async fn request(&mut self, id: i64, method: &str, params: &Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(&request.to_string()).await;
    }

    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        let line = self.output.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    async fn hear(&mut self) -> Value {
        self.next().await.expect("an answer")
    }

    /// A call that runs until it is released.
    async fn call_wait(&mut self, id: i64) {
        let params = json!({"name": "wait", "arguments": {}});
        self.request(id, "tools/call", &params).await;
        self.runs.notified().await;
    }

    async fn close_input(&mut self) {
        self.input.take().unwrap().shutdown().await.unwrap();
    }

    async fn ended(mut self) {
        assert_eq!(self.next().await, None);
        self.server.await.unwrap().unwrap();
    }
}

fn error(answer: &Value) -> (i64, &Value) {
    (answer["error"]["code"].as_i64().unwrap_or(0), &answer["id"])
}

#[tokio::test]
async fn an_invalid_line_is_answered_with_its_id() {
    let mut served = Served::ready().await;
    let null = Value::Null;
    for (line, code, id) in [
        ("this is no JSON", -32700, json!(null)),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"na"#,
            -32700,
            json!(7),
        ),
        (r#"{"jsonrpc":"2.0","id":99}"#, -32600, json!(99)),
        (
            r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
            -32600,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            -32600,
            null.clone(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            null.clone(),
        ),
        ("[]", -32600, null.clone()),
        ("7", -32600, null.clone()),
    ] {
        served.line(line).await;
        let answer = served.hear().await;
        assert_eq!(error(&answer), (code, &id), "{line}: {answer}");
        assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
    }
    // The server continues, and does not answer notifications.
    served.line(r#"{"jsonrpc":"2.0","method":7}"#).await;
    served
        .line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    served.line("  \r").await;
    served.request(1, "ping", &json!({})).await;
    assert_eq!(served.hear().await["id"], 1);
}

#[tokio::test]
async fn wrong_parameters_are_reported_as_invalid_params() {
    let mut served = Served::ready().await;
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({"name": 5})),
        ("tools/call", json!({"name": "wait", "arguments": "x"})),
        ("tools/call", json!({"name": "no such tool"})),
        ("tools/call", json!([])),
        ("tools/call", json!(5)),
        ("tools/list", json!({"cursor": 5})),
        ("tools/list", json!({"cursor": "made up"})),
        ("resources/list", json!([])),
        ("prompts/get", json!({"name": []})),
        ("initialize", json!({"protocolVersion": 5})),
    ] {
        served.request(1, method, &params).await;
        let answer = served.hear().await;
        assert_eq!(error(&answer), (-32602, &json!(1)), "{method} {params}");
    }
    served.request(2, "no/such", &json!({})).await;
    assert_eq!(error(&served.hear().await), (-32601, &json!(2)));
}

#[tokio::test]
async fn a_request_over_the_limit_is_an_error_with_its_id() {
    let mut served = Served::ready().await;
    let filler = "x".repeat(17 << 20);
    for (line, expected) in [
        (
            format!(r#"{{"jsonrpc":"2.0","id":"big","method":"tools/call","params":"{filler}"}}"#),
            json!("big"),
        ),
        // The id may come after everything else.
        (
            format!(r#"{{"method":"tools/call","params":"{filler}","id":8}}"#),
            json!(8),
        ),
        (filler.clone(), json!(null)),
    ] {
        // The message is larger than the buffers of both pipes.
        let (written, answer) = {
            let mut input = served.input.take().unwrap();
            let writing = async {
                input.write_all(line.as_bytes()).await.unwrap();
                input.write_all(b"\n").await.unwrap();
                input
            };
            tokio::join!(writing, served.hear())
        };
        served.input = Some(written);
        assert_eq!(error(&answer), (-32600, &expected));
        assert_eq!(
            answer["error"]["message"],
            "The message is larger than 16 MB"
        );
    }
    // A notification expects no answer.
    served
        .line(&format!(r#"{{"method":"note","params":"{filler}"}}"#))
        .await;
    served.request(1, "ping", &json!({})).await;
    assert_eq!(served.hear().await["id"], 1);
}

#[tokio::test]
async fn the_last_line_needs_no_line_end() {
    let mut served = Served::ready().await;
    let request = r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#;
    let input = served.input.as_mut().unwrap();
    input.write_all(request.as_bytes()).await.unwrap();
    served.close_input().await;
    let answer = served.hear().await;
    assert_eq!(answer["id"], 4);
    assert_eq!(answer["result"]["tools"][0]["name"], "wait");
    served.ended().await;
}

#[tokio::test]
async fn running_calls_are_answered_after_the_end_of_the_input() {
    let mut served = Served::ready().await;
    served.call_wait(1).await;
    served.close_input().await;
    served.go_on.notify_one();
    let answer = served.hear().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
    served.ended().await;
}

#[tokio::test]
async fn running_calls_are_answered_after_a_request_to_end() {
    let mut served = Served::ready().await;
    served.call_wait(1).await;
    drop(served.end.take());
    // Reading stops: earlier requests are answered, later ones are not.
    tokio::task::yield_now().await;
    served.go_on.notify_one();
    let answer = served.hear().await;
    assert_eq!(answer["result"]["content"][0]["text"], "waited");
    served.ended().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_end_is_answered_with_an_error_at_the_limit() {
    let mut served = Served::ready().await;
    served.call_wait(1).await;
    let begun = tokio::time::Instant::now();
    drop(served.end.take());
    let answer = served.hear().await;
    assert_eq!(answer["id"], 1, "{answer}");
    assert!(begun.elapsed() >= Duration::from_secs(29));
    served.ended().await;
}

#[tokio::test]
async fn a_cancelled_call_is_not_waited_for() {
    let mut served = Served::ready().await;
    served.call_wait(1).await;
    let params = json!({"requestId": 1});
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    served.line(&notice.to_string()).await;
    served.close_input().await;
    served.ended().await;
}
