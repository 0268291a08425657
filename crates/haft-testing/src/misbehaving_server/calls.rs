//! What the tools of the misbehaving server answer.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::{RECORD, nested, reply, text};

pub(super) fn call(message: &Value) {
    let id = &message["id"];
    match message["params"]["name"].as_str().unwrap_or_default() {
        "echo" => reply(message, text(&message["params"]["arguments"].to_string())),
        // The id comes after the result, as in many servers.
        "huge" => println!(
            r#"{{"result":{},"jsonrpc":"2.0","id":{id}}}"#,
            text(&"x".repeat(20 << 20))
        ),
        "half" => println!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"te"#),
        "unknown_block" => reply(
            message,
            json!({"content": [
                {"type": "text", "text": "before"},
                {"type": "hologram", "data": "x"},
                {"type": "text", "text": "after"}
            ]}),
        ),
        "empty" => reply(message, json!({})),
        "no_result" => println!(r#"{{"jsonrpc":"2.0","id":{id}}}"#),
        "twice" => {
            reply(message, text("first"));
            reply(message, text("second"));
        }
        "other_id" => {
            reply(&json!({"id": 4711}), text("not for you"));
            reply(&json!({"id": 0}), text("an old one"));
            reply(message, text("for you"));
        }
        "deep" => println!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"deep"}}],"structuredContent":{{"x":{}}}}}}}"#,
            nested(1000)
        ),
        "banner" => {
            println!(
                "Listening on port 3000 ...\n\n{{\"level\":\"info\"}}\n[1,2\n\u{7}\n{{\"id\":{id}"
            );
            reply(message, text("through"));
        }
        "exit" => std::process::exit(1),
        "exit_half" => {
            print!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"cont"#);
            std::io::stdout().flush().unwrap();
            std::process::exit(1);
        }
        "pid" => reply(message, text(&std::process::id().to_string())),
        // A child process that inherits the output and outlives its parent.
        "family" => family(message),
        "question" => question(message),
        "crowd" => crowd(message),
        "slow" => slow(message),
        "ask" => ask(message),
        which @ ("more_tools" | "fewer_tools") => {
            let file = std::env::var(RECORD).unwrap();
            let more = Path::new(&file).with_file_name("more");
            if which == "more_tools" {
                std::fs::write(more, "").unwrap();
            } else {
                std::fs::remove_file(more).unwrap();
            }
            println!(r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}"#);
            reply(message, text("changed"));
        }
        "freeze" => std::thread::sleep(Duration::from_secs(600)),
        "new_tool" => reply(message, text("new")),
        _ => {}
    }
}

#[expect(clippy::zombie_processes, reason = "the child is to be left behind")]
fn family(message: &Value) {
    let mut sleep = std::process::Command::new("sleep");
    let child = sleep.arg("600").spawn().unwrap();
    reply(message, text(&child.id().to_string()));
}

/// Answers nothing until fifty calls have arrived.
fn crowd(message: &Value) {
    static WAITING: std::sync::Mutex<Vec<Value>> = std::sync::Mutex::new(Vec::new());
    let mut waiting = WAITING.lock().unwrap();
    waiting.push(message.clone());
    if waiting.len() == 50 {
        // The last call is answered first.
        while let Some(message) = waiting.pop() {
            reply(
                &message,
                text(&message["params"]["arguments"]["number"].to_string()),
            );
        }
    }
}

/// Requests input in the newer protocol, and returns the answer and whether its state was sent
/// back.
fn question(message: &Value) {
    let params = &message["params"];
    if params["requestState"] == "as I said" {
        let said = &params["inputResponses"]["sure"]["action"];
        return reply(message, text(&format!("{said}")));
    }
    let form = json!({"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}});
    reply(
        message,
        json!({
            "resultType": "input_required",
            "inputRequests": {"sure": {"method": "elicitation/create", "params": form}},
            "requestState": "as I said"
        }),
    );
}

/// Reports progress three times, and then answers.
fn slow(message: &Value) {
    let token = &message["params"]["_meta"]["progressToken"];
    for step in 0..3 {
        std::thread::sleep(Duration::from_millis(150));
        let params = json!({"progressToken": token, "progress": step});
        println!(
            "{}",
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        );
    }
    std::thread::sleep(Duration::from_millis(150));
    reply(message, text("at last"));
}

/// Requests input from a user and a model before it answers, and returns their answers.
fn ask(message: &Value) {
    let form = json!({"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}});
    let prompt = json!({"messages": [], "maxTokens": 10});
    let mut said = Vec::new();
    for (id, method, params) in [
        ("ask-1", "elicitation/create", form),
        ("ask-2", "sampling/createMessage", prompt),
    ] {
        println!(
            "{}",
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        );
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        said.push(format!(
            "{} {}",
            answer["result"]["action"], answer["error"]["code"]
        ));
    }
    reply(message, text(&said.join("; ")));
}
