//! An MCP server over stdin and stdout with every kind of fault.
//!
//! A test program is its own server. It has a test called [`PROCESS`] that only calls
//! [`serve_if_asked`]; a configuration made with [`entry`] starts the program again with that test
//! selected and a variable set that names the fault.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "only tests start it, and it speaks over stdout"
)]

mod calls;

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use self::calls::call;

/// The name of the test that calls [`serve_if_asked`].
pub const PROCESS: &str = "misbehaving_server_process";

/// The variable that names the fault of the list of tools or of the start; `none` for no fault.
const EVIL: &str = "HAFT_EVIL_MCP";

/// The variable with the path of a file to which every message is written.
const RECORD: &str = "HAFT_EVIL_RECORD";

/// The variable with the path of a file to which every start adds a line.
const STARTS: &str = "HAFT_EVIL_STARTS";

/// Serves over stdin and stdout and ends the process, if this process was started as the server by
/// an [`entry`]; otherwise does nothing.
pub fn serve_if_asked() {
    if let Ok(evil) = std::env::var(EVIL) {
        serve(&evil);
        std::process::exit(0);
    }
}

/// A configuration entry that starts this program as the server with the fault `evil`.
pub fn entry(evil: &str) -> Value {
    json!({
        "command": std::env::current_exe().unwrap(),
        "args": [PROCESS, "--nocapture"],
        "env": {EVIL: evil}
    })
}

/// A configuration entry with which every message is recorded in `folder`, and starts are counted
/// there.
pub fn recording_entry(evil: &str, folder: &Path) -> Value {
    let mut entry = entry(evil);
    entry["env"][RECORD] = json!(folder.join("messages"));
    entry["env"][STARTS] = json!(folder.join("starts"));
    entry
}

/// All messages that the server received so far, in all of its processes.
pub fn recorded(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("messages")).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The number of starts of the server.
pub fn starts(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("starts")).unwrap_or_default();
    text.lines().count()
}

fn append(variable: &str, line: &str) {
    if let Ok(file) = std::env::var(variable) {
        let mut options = std::fs::File::options();
        let mut file = options.create(true).append(true).open(file).unwrap();
        writeln!(file, "{line}").unwrap();
    }
}

/// The number of earlier starts of this server.
fn earlier_starts() -> usize {
    let text = std::env::var(STARTS)
        .and_then(|file| std::fs::read_to_string(file).map_err(|_| std::env::VarError::NotPresent));
    text.unwrap_or_default().lines().count()
}

fn serve(evil: &str) {
    let earlier = earlier_starts();
    append(STARTS, "started");
    if evil == "late" && earlier < 2 || evil == "never" {
        eprintln!("start {earlier} failed");
        std::process::exit(1);
    }
    if evil == "babbling" {
        loop {
            print!("{}", "x".repeat(1 << 16));
        }
    }
    let mut line = String::new();
    // The lock is taken for each line, because some answers read further lines themselves.
    while std::io::stdin().lock().read_line(&mut line).unwrap() > 0 {
        let message = serde_json::from_str::<Value>(&line);
        line.clear();
        let Ok(message) = message else {
            continue;
        };
        append(RECORD, &message.to_string());
        if evil == "silent" || message.get("id").is_none() {
            continue;
        }
        answer(evil, &message);
    }
    if evil == "stubborn" {
        std::thread::sleep(Duration::from_secs(600));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
fn reply(message: &Value, result: Value) {
    println!(
        "{}",
        json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
    );
}

fn answer(evil: &str, message: &Value) {
    let method = message["method"].as_str().unwrap_or_default();
    let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    match method {
        // It answers only the first request, and ignores others.
        "server/discover" if evil == "quiet" => {}
        "server/discover" if evil == "modern" => reply(
            message,
            json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "evil", "version": "2"},
                "ttlMs": 0,
                "cacheScope": "private"
            }),
        ),
        _ if evil == "modern" && version != "2026-07-28" => println!(
            "{}",
            json!({"jsonrpc": "2.0", "id": message["id"],
                   "error": {"code": -32022, "message": "which version?",
                             "data": {"supported": ["2026-07-28"], "requested": "?"}}})
        ),
        "initialize" => reply(
            message,
            json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "evil", "version": "1"}
            }),
        ),
        "tools/list" => list(evil, message),
        "tools/call" => call(message),
        _ => println!(
            "{}",
            json!({"jsonrpc": "2.0", "id": message["id"],
                   "error": {"code": -32601, "message": "Method not found"}})
        ),
    }
}

const TOOLS: &[&str] = &[
    "echo",
    "huge",
    "half",
    "unknown_block",
    "empty",
    "no_result",
    "twice",
    "other_id",
    "deep",
    "banner",
    "exit",
    "exit_half",
    "close_output",
    "hang",
    "pid",
    "family",
    "slow",
    "ask",
    "more_tools",
    "fewer_tools",
    "freeze",
    "question",
    "crowd",
];

fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("The tool {name}"), "inputSchema": {"type": "object"}})
}

/// `levels` nested lists.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

fn list(evil: &str, message: &Value) {
    let mut tools: Vec<Value> = TOOLS.iter().map(|name| tool(name)).collect();
    let cursor = message["params"]["cursor"].as_str().unwrap_or("a");
    match evil {
        // From a to b and back.
        "cycle" => {
            let next = if cursor == "a" { "b" } else { "a" };
            reply(
                message,
                json!({"tools": [tool(cursor)], "nextCursor": next}),
            );
        }
        "deep_schema" => println!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{},{{"name":"deep","inputSchema":{{"type":"object","x":{}}}}},{}]}}}}"#,
            message["id"],
            tool("first"),
            nested(1000),
            tool("last"),
        ),
        "huge_list" => {
            tools[0]["description"] = json!("x".repeat(20 << 20));
            reply(message, json!({"tools": tools}));
        }
        "heavy_tool" => {
            tools[0]["inputSchema"]["$comment"] = json!("x".repeat(300 << 10));
            reply(message, json!({"tools": tools}));
        }
        "odd_tools" => reply(
            message,
            json!({"tools": [{"name": "plain"}, {"description": "no name"}, "no tool", tool("echo")]}),
        ),
        _ => {
            if std::env::var(RECORD)
                .is_ok_and(|file| Path::new(&file).with_file_name("more").exists())
            {
                tools.push(tool("new_tool"));
            }
            reply(message, json!({"tools": tools}));
        }
    }
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}
