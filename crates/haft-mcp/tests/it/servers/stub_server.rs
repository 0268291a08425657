//! An MCP server over stdin and stdout, written by hand so that it can misbehave.
//!
//! The test program is its own server: the configuration starts it again with only
//! [`stub_server_process`] selected and [`MODE`] set. It records received messages in the file
//! [`RECORD`], one JSON line each.

use std::io::{BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

/// The variable that says how to behave: `normal`, `other`, `crash`, `silent`, `refuse`,
/// `endless`, `stuck`, `crowd`, `greedy`, `meet`, `stubborn`.
pub(crate) const MODE: &str = "HAFT_STUB_MCP";

/// The variable that names the file to write messages to.
pub(crate) const RECORD: &str = "HAFT_STUB_RECORD";

/// Not a test of its own: runs the stub if this program was started as one.
#[test]
fn stub_server_process() {
    if let Ok(mode) = std::env::var(MODE) {
        serve(&mode);
        std::process::exit(0);
    }
}

/// The variable that names the folder in which servers of the mode `meet` wait for each other.
pub(crate) const MEETING: &str = "HAFT_STUB_MEETING";

/// A configuration entry that starts this program as the stub.
pub(crate) fn entry(mode: &str) -> Value {
    json!({
        "command": std::env::current_exe().unwrap(),
        "args": ["stub_server_process", "--nocapture"],
        "env": {MODE: mode}
    })
}

/// A configuration entry with which every received message is recorded in `file`.
pub(crate) fn recording_entry(mode: &str, file: &std::path::Path) -> Value {
    let mut entry = entry(mode);
    entry["env"][RECORD] = json!(file);
    entry
}

/// The messages recorded so far.
pub(crate) fn recorded(file: &std::path::Path) -> Vec<Value> {
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn serve(mode: &str) {
    if mode == "crash" {
        let key = std::env::var("STUB_KEY").unwrap_or_default();
        eprintln!("{key} {}", "x".repeat(1023));
        eprintln!("\u{1b}Traceback: no module named zwave, key {key}");
        std::process::exit(3);
    }
    if mode == "meet" {
        meet();
    }
    println!("a banner that is no JSON");
    let mut record = std::env::var(RECORD).ok().map(|file| {
        std::fs::File::options()
            .create(true)
            .append(true)
            .open(file)
            .unwrap()
    });
    for line in std::io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.unwrap()) else {
            continue;
        };
        if let Some(record) = &mut record {
            writeln!(record, "{message}").unwrap();
        }
        if message.get("id").is_none() {
            continue;
        }
        let Some(mut answer) = answer(mode, &message) else {
            continue;
        };
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = message["id"].clone();
        println!("{answer}");
    }
    if mode == "stubborn" {
        std::thread::sleep(Duration::from_secs(600));
    }
}

/// Waits until ten servers have started.
fn meet() {
    let folder = std::env::var(MEETING).unwrap();
    std::fs::write(format!("{folder}/{}", std::process::id()), "").unwrap();
    while std::fs::read_dir(&folder).unwrap().count() < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn answer(mode: &str, message: &Value) -> Option<Value> {
    match message["method"].as_str()? {
        _ if mode == "silent" => None,
        "initialize" if mode == "refuse" => {
            Some(json!({"error": {"code": -32000, "message": "not today"}}))
        }
        "initialize" => Some(json!({"result": {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"}
        }})),
        "tools/list" if mode == "endless" => {
            let page = message["params"]["cursor"]
                .as_str()
                .unwrap_or("0")
                .parse::<u32>()
                .unwrap();
            Some(json!({"result": {
                "tools": [tool(&format!("tool_{page}"), json!({"type": "object"}))],
                "nextCursor": (page + 1).to_string()
            }}))
        }
        "tools/list" if mode == "stuck" => {
            Some(json!({"result": {"tools": tools("other"), "nextCursor": "here"}}))
        }
        "tools/list" => Some(json!({"result": {"tools": tools(mode)}})),
        "tools/call" => call(&message["params"]),
        _ => Some(json!({"error": {"code": -32601, "message": "Method not found"}})),
    }
}

fn tools(mode: &str) -> Value {
    let echo = tool(
        "echo",
        json!({"type": "object", "x-kept": {"z": 1, "a": 2}}),
    );
    let plain = |name: &str| tool(name, json!({"type": "object"}));
    let heavy = |name: &str| {
        tool(
            name,
            json!({"type": "object", "$comment": " ".repeat(200 << 10)}),
        )
    };
    match mode {
        "other" => return json!([echo, plain("other")]),
        "crowd" => {
            return (0..1001)
                .map(|number| plain(&format!("tool_{number}")))
                .collect();
        }
        "greedy" => {
            let mut all = vec![echo.clone(), echo];
            all.extend((1..=12).map(|number| heavy(&format!("heavy_{number}"))));
            all.push(plain("last"));
            return json!(all);
        }
        _ => {}
    }
    let mut control = tool(
        "control_zwave_device",
        json!({
            "type": "object",
            "properties": {
                "deviceName": {"type": "string"},
                "action": {"type": "string", "enum": ["on", "off", "dim"]},
                "level": {"type": "number", "minimum": 0, "maximum": 100}
            },
            "required": ["deviceName", "action"],
            "additionalProperties": false
        }),
    );
    control["annotations"] = json!({"readOnlyHint": false, "destructiveHint": true});
    let mut environment = tool("environment", json!({"type": "object"}));
    environment["annotations"] = json!({"readOnlyHint": true});
    environment["description"] = json!("é".repeat(5000));
    let mut all = vec![control, echo, environment];
    all.extend(["hang", "exit", "fail", "invalid", "picture", "pid"].map(plain));
    json!(all)
}

#[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
fn tool(name: &str, schema: Value) -> Value {
    json!({"name": name, "description": format!("The tool {name}"), "inputSchema": schema})
}

/// The answer to a call; `None` for a call that is never answered.
fn call(params: &Value) -> Option<Value> {
    let arguments = &params["arguments"];
    let text =
        |text: String| Some(json!({"result": {"content": [{"type": "text", "text": text}]}}));
    match params["name"].as_str()? {
        "control_zwave_device" => Some(control(arguments)),
        "echo" => text(arguments.to_string()),
        "environment" => text(std::env::vars().map(|(name, _)| name + "\n").collect()),
        "pid" => text(std::process::id().to_string()),
        "hang" => None,
        "exit" => std::process::exit(1),
        "fail" => Some(json!({"result": {
            "isError": true, "content": [{"type": "text", "text": "The lamp is broken"}]
        }})),
        "invalid" => Some(json!({"error": {"code": -32602, "message": "level must be a number"}})),
        "picture" => Some(json!({"result": {
            "content": [{"type": "image", "mimeType": "image/png", "data": "AAAA"}],
            "structuredContent": {"width": 1}
        }})),
        _ => Some(json!({"error": {"code": -32602, "message": "Unknown tool"}})),
    }
}

/// As strict as the tool's schema: unknown arguments are refused.
fn control(arguments: &Value) -> Value {
    let known = ["deviceName", "action", "level"];
    let unknown: Vec<&String> = arguments
        .as_object()
        .unwrap()
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .collect();
    let (text, is_error) = match (arguments["deviceName"].as_str(), unknown.is_empty()) {
        (Some(device), true) => (format!("{device} is {}", arguments["action"]), false),
        _ => (format!("refused: unknown {unknown:?}"), true),
    };
    json!({"result": {"isError": is_error, "content": [{"type": "text", "text": text}]}})
}
