//! An MCP server with tools and results from the test that starts it.
//!
//! The test binary is its own server: the configuration starts it again with only
//! [`scripted_tools_process`] selected and [`TOOLS`] set.

use std::io::BufRead;

use serde_json::{Value, json};

/// The variable with the list of tools.
const TOOLS: &str = "HAFT_STUB_TOOLS";

/// The variable with the result of every call; without it a call returns the called name.
const RESULT: &str = "HAFT_STUB_RESULT";

/// Not a test of its own: runs the server if this program was started as one.
#[test]
fn scripted_tools_process() {
    let Ok(tools) = std::env::var(TOOLS) else {
        return;
    };
    let tools: Value = serde_json::from_str(&tools).unwrap();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let Some(id) = message.get("id") else {
            continue;
        };
        let answer = match message["method"].as_str().unwrap() {
            "initialize" => json!({"result": {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1"}
            }}),
            "tools/list" => json!({"result": {"tools": tools}}),
            "tools/call" => match std::env::var(RESULT) {
                Ok(result) => json!({"result": serde_json::from_str::<Value>(&result).unwrap()}),
                Err(_) => json!({"result": {"content": [
                    {"type": "text", "text": message["params"]["name"]}
                ]}}),
            },
            _ => json!({"error": {"code": -32601, "message": "no such method"}}),
        };
        let mut answer = answer;
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = id.clone();
        println!("{answer}");
    }
    std::process::exit(0);
}

/// A configuration entry that starts this program with these tools.
pub(crate) fn entry(tools: &Value) -> Value {
    json!({
        "command": std::env::current_exe().unwrap(),
        "args": ["scripted_tools_process", "--nocapture"],
        "env": {TOOLS: tools.to_string()}
    })
}

/// A configuration entry with these tools that answers every call with `result`.
pub(crate) fn answering(tools: &Value, result: &Value) -> Value {
    let mut entry = entry(tools);
    entry["env"][RESULT] = json!(result.to_string());
    entry
}
