//! `haft mcp serve`, tested line by line as a host, with the old and the new protocol, and over
//! HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::Machine;
use serde_json::{Value, json};

const HOME_TOOLS: [&str; 6] = [
    "list_zwave_devices",
    "list_devices",
    "verify_device",
    "control_zwave_device",
    "get_device_sensor_data",
    "check_zwave_health",
];

/// A running server and both its pipes.
struct Served {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    ids: i64,
}

impl Served {
    fn start(machine: &Machine, arguments: &[&str]) -> Self {
        let mut command = machine.command(&[&["mcp", "serve"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, stdout) = channel();
        std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            stdin: child.stdin.take(),
            stdout,
            child,
            ids: 0,
        }
    }

    /// Starts a session after the handshake of revision 2025-11-25.
    fn ready(machine: &Machine, arguments: &[&str]) -> Self {
        let mut served = Self::start(machine, arguments);
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let answer = served.ask("initialize", &params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(answer["result"]["serverInfo"]["name"], "haft");
        // List requests are answered; the lists of prompts and resources are empty.
        let declared = json!({"tools": {}, "prompts": {}, "resources": {}});
        assert_eq!(answer["result"]["capabilities"], declared);
        served.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        served
    }

    fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    /// Sends a request and returns its id.
    fn send(&mut self, method: &str, params: &Value) -> i64 {
        self.ids += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params});
        self.line(&request.to_string());
        self.ids
    }

    /// The next line on stdout, which must be a JSON-RPC message.
    fn hear(&mut self) -> Value {
        let line = self
            .stdout
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": name, "arguments": arguments}))
    }

    fn tool_names(&mut self) -> Vec<String> {
        let answer = self.ask("tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        tools.iter().map(name).collect()
    }

    /// Closes stdin; returns the rest of stdout, stderr and the exit code.
    fn end(mut self) -> (Vec<String>, String, Option<i32>) {
        drop(self.stdin.take());
        let rest = self.stdout.iter().collect();
        let mut stderr = String::new();
        let mut pipe = self.child.stderr.take().unwrap();
        pipe.read_to_string(&mut stderr).unwrap();
        (rest, stderr, self.child.wait().unwrap().code())
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_host_lists_and_calls_the_tools_and_leaves() {
    let machine = Machine::new();
    let mut served = Served::ready(&machine, &["--home", "demo"]);
    let names = served.tool_names();
    assert_eq!(names[0], "get_current_datetime");
    assert_eq!(names[1..], HOME_TOOLS);
    assert_eq!(served.tool_names(), names, "the order must not change");

    // Arguments are repaired like those of a model.
    let turned_on = served.call(
        "control_zwave_device",
        &json!({"device_name": "the kitchen lights", "action": "ON"}),
    );
    assert_eq!(text(&turned_on), "Kitchen Light is now on.");
    assert_eq!(turned_on["result"]["isError"], false);
    assert_eq!(
        turned_on["result"]["structuredContent"]["device"]["on"],
        true
    );
    let clock = served.call("get_current_datetime", &json!({"timezone": "Tokyo"}));
    assert!(text(&clock).contains("Asia/Tokyo"), "{clock}");

    let (rest, stderr, code) = served.end();
    assert_eq!((rest.len(), code), (0, Some(0)), "{rest:?}");
    assert!(
        stderr.contains("tools   7: get_current_datetime"),
        "{stderr}"
    );
}

#[test]
fn tools_say_what_they_do_to_the_world() {
    let machine = Machine::new();
    let mut served = Served::ready(&machine, &["--home", "demo"]);
    let answer = served.ask("tools/list", &json!({}));
    for tool in answer["result"]["tools"].as_array().unwrap() {
        let expected = if tool["name"] == "control_zwave_device" {
            json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true})
        } else {
            json!({"readOnlyHint": true})
        };
        assert_eq!(tool["annotations"], expected, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool.get("outputSchema"), None, "{tool}");
    }
}

#[test]
fn errors_are_reported_and_the_server_continues() {
    let machine = Machine::new();
    let mut served = Served::ready(&machine, &["--home", "demo"]);
    let unknown = served.call("open_sesame", &json!({}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(
        unknown["error"]["message"],
        "There is no tool \"open_sesame\""
    );

    // The host's model can repair its own arguments, so it must read the error.
    let bad = served.call("control_zwave_device", &json!({"action": "explode"}));
    assert_eq!(bad["result"]["isError"], true, "{bad}");
    assert!(text(&bad).contains("deviceName is missing"), "{bad}");
    let nowhere = served.call("verify_device", &json!({"deviceName": "moon base"}));
    assert!(text(&nowhere).contains("moon base"), "{nowhere}");

    // An invalid message is answered with an error and its id, if it can be found.
    for (line, code, id) in [
        ("this is no JSON", -32700, Value::Null),
        (r#"{"jsonrpc": "2.0", "id": 99}"#, -32600, json!(99)),
    ] {
        served.line(line);
        let answer = served.hear();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id)
        );
    }
    let answer = served.ask("tools/call", &json!({"name": 7}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = served.ask("no/such", &json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    // Some hosts request undeclared capabilities.
    let answer = served.ask("prompts/list", &json!({}));
    assert_eq!(answer["result"]["prompts"], json!([]), "{answer}");
    // A line that is longer than any message may be.
    served.line(&"x".repeat(17 * 1024 * 1024));
    assert_eq!(served.hear()["error"]["code"], -32600);
    assert_eq!(served.ask("ping", &json!({}))["result"], json!({}));
    let (rest, _, code) = served.end();
    assert_eq!((rest.len(), code), (0, Some(0)), "{rest:?}");
}

#[test]
fn running_calls_are_answered_after_the_host_closed_its_end() {
    let machine = Machine::new();
    let mut served = Served::ready(&machine, &["--home", "demo"]);
    let call = json!({"name": "control_zwave_device", "arguments": {"deviceName": "kitchen light", "action": "on"}});
    let sent: Vec<i64> = (0..50).map(|_| served.send("tools/call", &call)).collect();
    let (rest, _, code) = served.end();
    let mut heard: Vec<i64> = rest
        .iter()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["id"]
                .as_i64()
                .unwrap()
        })
        .collect();
    heard.sort_unstable();
    assert_eq!((heard, code), (sent, Some(0)));
}

#[test]
fn the_newest_revision_is_spoken_without_a_handshake() {
    let machine = Machine::new();
    let mut served = Served::start(&machine, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let found = served.ask("server/discover", &json!({"_meta": meta}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let list = served.ask("tools/list", &json!({"_meta": meta}));
    assert_eq!(list["result"]["resultType"], "complete", "{list}");
    assert_eq!(list["result"]["tools"].as_array().unwrap().len(), 1);
    let call = json!({"name": "get_current_datetime", "arguments": {}, "_meta": meta});
    let answer = served.ask("tools/call", &call);
    assert!(text(&answer).starts_with("It is "), "{answer}");
    assert_eq!(served.end().2, Some(0));
}

#[test]
fn zwave_offers_the_six_tools_of_the_home_alone() {
    let machine = Machine::new();
    let mut served = Served::ready(&machine, &["zwave"]);
    assert_eq!(served.tool_names(), HOME_TOOLS);
    let clock = served.call("get_current_datetime", &json!({}));
    assert_eq!(clock["error"]["code"], -32602, "{clock}");
}

#[test]
fn servers_of_the_folder_are_not_started() {
    let machine = Machine::new();
    // Many hosts have such a configuration: it contains this very command.
    let itself = json!({"command": env!("CARGO_BIN_EXE_haft"), "args": ["mcp", "serve"]});
    let marker = machine.path("started");
    let other = json!({"command": "touch", "args": [marker]});
    let servers = json!({"mcpServers": {"haft": itself, "other": other}});
    machine.write(".mcp.json", servers.to_string());
    let mut served = Served::ready(&machine, &[]);
    assert_eq!(served.tool_names(), ["get_current_datetime"]);
    served.end();
    assert!(!marker.exists());
}

#[test]
fn a_shutdown_signal_ends_it_properly() {
    for arguments in [&["--home", "demo"][..], &["--http", "127.0.0.1:0"]] {
        let machine = Machine::new();
        let mut served = Served::start(&machine, arguments);
        let mut stderr = BufReader::new(served.child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("listens") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0);
        }
        let asked = Instant::now();
        let id = served.child.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        assert_eq!(
            served.child.wait().unwrap().code(),
            Some(0),
            "{arguments:?}"
        );
        assert!(asked.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_failed_connection_is_an_error_with_a_hint() {
    let said = Machine::new().haft_with_stdin(
        &["mcp", "serve"],
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
    );
    said.fails(1, &["does not open a connection of MCP", "hint:"]);
    assert_eq!(said.stdout, "");
}

/// A hand-written HTTP request; returns the status and the body.
fn http(address: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let host = if headers.contains("Host:") {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    (status, body.to_owned())
}

/// The address that the server prints.
fn address(served: &mut Served) -> String {
    let stderr = BufReader::new(served.child.stderr.take().unwrap());
    let said = stderr.lines().map_while(Result::ok).find_map(|line| {
        Some(
            line.strip_prefix("listens http://")?
                .trim_end_matches("/mcp")
                .to_owned(),
        )
    });
    said.unwrap()
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

#[test]
fn over_http_only_this_machine_gets_in() {
    let machine = Machine::new();
    let mut served = Served::start(&machine, &["--http", "127.0.0.1:0"]);
    let address = address(&mut served);
    let (status, body) = http(&address, "", LIST);
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(answer["result"]["tools"][0]["name"], "get_current_datetime");
    let page = http(&address, "Origin: https://evil.example\r\n", LIST);
    assert_eq!(page.0, 403, "{page:?}");
    let rebound = http(&address, "Host: evil.example\r\n", LIST);
    assert_eq!(rebound.0, 403, "{rebound:?}");
    served.child.kill().unwrap();
    served.child.wait().unwrap();
}

#[test]
fn over_http_a_key_is_needed_where_one_is_set() {
    let machine = Machine::new();
    let mut served = Served::start(
        &machine,
        &["--http", "127.0.0.1:0", "--token", "open-sesame"],
    );
    let address = address(&mut served);
    assert_eq!(http(&address, "", LIST).0, 401);
    assert_eq!(
        http(&address, "Authorization: Bearer shut\r\n", LIST).0,
        401
    );
    let (status, body) = http(&address, "Authorization: Bearer open-sesame\r\n", LIST);
    assert_eq!(status, 200, "{body}");
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    machine
        .haft(&["mcp", "serve", "--http", "0.0.0.0:0"])
        .fails(1, &["could use the tools without a key", "--token"]);
}

#[test]
fn over_http_an_invalid_message_is_an_error_with_its_id() {
    let machine = Machine::new();
    let mut served = Served::start(&machine, &["--http", "127.0.0.1:0"]);
    let address = address(&mut served);
    let filler = "x".repeat(5 << 20);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{{"name":"{filler}"}}}}"#
    );
    for (message, status, code, id) in [
        (long.as_str(), 413, -32600, json!("big")),
        ("no JSON", 400, -32700, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7}"#, 400, -32600, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":5}}"#,
            400,
            -32602,
            json!(8),
        ),
        (
            r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":5}}"#,
            200,
            -32602,
            json!(9),
        ),
    ] {
        let (http_status, body) = http(&address, "", message);
        assert_eq!(http_status, status, "{body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer["id"], id, "{body}");
        assert_eq!(answer["error"]["code"], code, "{body}");
    }
    assert_eq!(http(&address, "", LIST).0, 200, "the server goes on");
    served.child.kill().unwrap();
    served.child.wait().unwrap();
}
