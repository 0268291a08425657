//! An MCP server that reads its tools from a file whenever they are requested.
//!
//! The test binary is its own server: the configuration starts it again with only
//! [`changing_tools_process`] selected and [`FILE`] set.

use std::io::{BufRead, Write};
use std::path::Path;

use serde_json::{Value, json};

/// The variable with the path of the file; requests are recorded in a file next to it.
const FILE: &str = "HAFT_STUB_TOOLS_FILE";

/// The variable that makes the server promise to announce changes.
const PROMISES: &str = "HAFT_STUB_PROMISES";

/// A call of this tool announces a change before its result.
pub(crate) const TELL: &str = "tell";

/// Not a test of its own: runs the server if this program was started as one.
#[test]
fn changing_tools_process() {
    let Ok(file) = std::env::var(FILE) else {
        return;
    };
    let mut asked = std::fs::File::options()
        .create(true)
        .append(true)
        .open(format!("{file}.asked"))
        .unwrap();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let Some(id) = message.get("id") else {
            continue;
        };
        let method = message["method"].as_str().unwrap();
        let tool = message["params"]["name"].as_str().unwrap_or_default();
        writeln!(asked, "{method} {tool}").unwrap();
        let mut answer = match method {
            "initialize" => json!({"result": {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {"listChanged": std::env::var(PROMISES).is_ok()}},
                "serverInfo": {"name": "changing", "version": "1"}
            }}),
            "tools/list" => {
                let tools = std::fs::read_to_string(&file).unwrap();
                let tools: Value = serde_json::from_str(&tools).unwrap();
                json!({"result": {"tools": tools}})
            }
            "tools/call" => {
                if tool == TELL {
                    let word = "notifications/tools/list_changed";
                    println!("{}", json!({"jsonrpc": "2.0", "method": word}));
                }
                json!({"result": {"content": [{"type": "text", "text": tool}]}})
            }
            _ => json!({"error": {"code": -32601, "message": "no such method"}}),
        };
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = id.clone();
        println!("{answer}");
    }
    std::process::exit(0);
}

/// A configuration entry that starts this program with the tools in `file`.
pub(crate) fn entry(file: &Path, promises: bool) -> Value {
    let mut entry = json!({
        "command": std::env::current_exe().unwrap(),
        "args": ["changing_tools_process", "--nocapture"],
        "env": {FILE: file}
    });
    if promises {
        entry["env"][PROMISES] = json!("yes");
    }
    entry
}

/// The requests that the server received, one per line.
pub(crate) fn asked(file: &Path) -> Vec<String> {
    let asked = std::fs::read_to_string(format!("{}.asked", file.display()));
    asked
        .unwrap_or_default()
        .lines()
        .map(|line| line.trim().to_owned())
        .collect()
}
