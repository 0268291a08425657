//! An MCP server whose list of tools changes while it runs.

use std::io::BufRead;

use serde_json::{Value, json};

/// The variable that makes the test binary this server.
const VARIABLE: &str = "HAFT_CHANGING_SERVER";

/// Not a test of its own: the server process, when this binary was started as one.
#[test]
fn changing_server_process() {
    if std::env::var_os(VARIABLE).is_some() {
        serve();
        std::process::exit(0);
    }
}

/// The entry of a configuration that starts the server. Its tool `more_tools` adds `new_tool`, and
/// `fewer_tools` removes it.
pub(crate) fn entry() -> Value {
    json!({
        "command": std::env::current_exe().unwrap(),
        "args": ["changing_server_process", "--nocapture"],
        "env": {VARIABLE: "1"}
    })
}

fn serve() {
    let mut tools = vec!["more_tools", "fewer_tools"];
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if message.get("id").is_none() {
            continue;
        }
        let params = &message["params"];
        let result = match message["method"].as_str().unwrap() {
            "initialize" => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "changing", "version": "1"}
            }),
            "tools/list" => {
                let tools = tools.iter().map(|name| tool(name));
                json!({"tools": tools.collect::<Vec<_>>()})
            }
            "tools/call" => match params["name"].as_str().unwrap() {
                "new_tool" => text("new"),
                name => {
                    tools.truncate(2);
                    if name == "more_tools" {
                        tools.push("new_tool");
                    }
                    let changed = "notifications/tools/list_changed";
                    println!("{}", json!({"jsonrpc": "2.0", "method": changed}));
                    text("changed")
                }
            },
            _ => json!({}),
        };
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        println!("{answer}");
    }
}

fn tool(name: &str) -> Value {
    let description = format!("The tool {name}");
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}
