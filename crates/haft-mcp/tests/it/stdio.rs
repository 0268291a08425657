//! Servers as child processes: the messages, the inherited environment, and failures.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crate::servers::stub_server;
use crate::servers::stub_server::{entry, recorded, recording_entry};
use crate::support::{find, until};
use haft_core::{
    Tool, ToolAnnotations, ToolCall, ToolError, ToolErrorKind, ToolInput, ToolOutput, ToolSource,
};
use haft_mcp::{McpConfig, McpOptions, McpServers};
use haft_tools::{ExecutorOptions, ToolExecutor, ToolManager};
use serde_json::{Value, json};

async fn start(servers: Value) -> McpServers {
    let text = json!({"mcpServers": servers}).to_string();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO];
    McpServers::start_with(&McpConfig::parse(&text, "test.json").unwrap(), options).await
}

async fn call(tool: &Arc<dyn Tool>, arguments: Value) -> Result<ToolOutput, ToolError> {
    let input: serde_json::Map<_, _> = serde_json::from_value(arguments).unwrap();
    tool.invoke(ToolInput::from(input)).await
}

fn names(tools: &[Arc<dyn Tool>]) -> Vec<&str> {
    tools.iter().map(Tool::name).collect()
}

#[tokio::test]
async fn tools_have_the_servers_definitions() {
    let servers = start(json!({"zwave": entry("normal")})).await;
    assert_eq!(servers.failures(), []);
    let tools = servers.tools();
    assert_eq!(
        names(&tools),
        [
            "control_zwave_device",
            "echo",
            "environment",
            "hang",
            "exit",
            "fail",
            "invalid",
            "picture",
            "pid"
        ]
    );
    assert_eq!(tools[0].description(), "The tool control_zwave_device");
    assert_eq!(
        tools[0].source(),
        ToolSource::Mcp {
            server: "zwave".to_owned()
        }
    );
    let destructive = ToolAnnotations {
        destructive: true,
        ..Default::default()
    };
    assert_eq!(tools[0].annotations(), destructive);
    let read_only = ToolAnnotations {
        read_only: true,
        ..Default::default()
    };
    assert_eq!(tools[2].annotations(), read_only);
    // Without hints a tool is not assumed to be harmless.
    assert_eq!(tools[1].annotations(), destructive);
    // The definition is unchanged, including order and unknown keywords.
    assert_eq!(
        tools[1].schema().to_string(),
        r#"{"type":"object","x-kept":{"z":1,"a":2}}"#
    );
    // A description is part of the prompt: 5,000 characters are too many.
    assert_eq!(tools[2].description(), format!("{}…", "é".repeat(4000)));
    let status = &servers.statuses()[0];
    assert_eq!(
        (status.server.as_str(), status.transport, status.tools),
        ("zwave", "stdio", 9)
    );
    assert!(status.started_in > Duration::ZERO);
}

#[tokio::test]
async fn s002_01_mcp_tools_go_in_as_they_are() {
    let servers = start(json!({"zwave": entry("normal")})).await;
    let tools = servers.tools();
    let mut manager = ToolManager::new();
    for tool in &tools {
        manager.add(Arc::clone(tool)).unwrap();
    }
    assert_eq!(manager.get_tools().len(), tools.len());
    for (added, tool) in manager.get_tools().iter().zip(&tools) {
        assert!(Arc::ptr_eq(added, tool));
    }
    assert!(Arc::ptr_eq(manager.find("echo").unwrap(), &tools[1]));
    assert!(Arc::ptr_eq(&servers.tools()[1], &tools[1]));
}

#[tokio::test]
async fn s001_11_arguments_reach_the_server_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(json!({"zwave": recording_entry("normal", &record)})).await;
    let arguments = json!({
        "deviceName": 1.0, "a": [null, true, {"deep": "ü\n"}], "input": {"not": "unwrapped"}, "n": -0.5e-7
    });
    let output = call(&find(&servers, "echo"), arguments.clone())
        .await
        .unwrap();
    assert_eq!(output.value, arguments.to_string());
    let sent = recorded(&record).pop().unwrap();
    assert_eq!(sent["method"], "tools/call");
    assert_eq!(sent["params"]["name"], "echo");
    assert_eq!(
        sent["params"]["arguments"].to_string(),
        arguments.to_string()
    );
    // No arguments are sent as an empty object, which strict servers require.
    call(&find(&servers, "echo"), json!({})).await.unwrap();
    let sent = recorded(&record).pop().unwrap();
    assert_eq!(sent["params"]["arguments"], json!({}));
}

#[tokio::test]
async fn the_handshake_is_the_common_one() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let _servers = start(json!({"zwave": recording_entry("normal", &record)})).await;
    let messages = recorded(&record);
    let methods: Vec<&str> = messages
        .iter()
        .filter_map(|m| m["method"].as_str())
        .collect();
    assert_eq!(
        methods,
        [
            "server/discover",
            "initialize",
            "notifications/initialized",
            "tools/list"
        ]
    );
    assert_eq!(messages[1]["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(messages[1]["params"]["clientInfo"]["name"], "haft");
}

#[tokio::test]
async fn s000_03_results_are_text_with_an_artifact() {
    let servers = start(json!({"zwave": entry("normal")})).await;
    let picture = call(&find(&servers, "picture"), json!({})).await.unwrap();
    assert_eq!(picture.value, "[image image/png, 3 bytes]\n{\"width\":1}");
    assert_eq!(
        picture.artifact,
        Some(json!({
            "structuredContent": {"width": 1},
            "content": [{"type": "image", "mimeType": "image/png", "data": "AAAA"}]
        }))
    );
    let failed = call(&find(&servers, "fail"), json!({})).await.unwrap_err();
    assert_eq!(failed.message(), "The lamp is broken");
    assert_eq!(failed.kind(), ToolErrorKind::Failed);
    let invalid = call(&find(&servers, "invalid"), json!({}))
        .await
        .unwrap_err();
    assert_eq!(invalid.message(), "level must be a number");
    assert_eq!(invalid.kind(), ToolErrorKind::InvalidArguments);
}

#[tokio::test]
async fn a_child_sees_only_the_environment_it_needs() {
    let allowed = |name: &str| {
        let short_list = [
            "PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "SHELL", "TERM", "TZ",
        ];
        short_list.contains(&name) || name.starts_with("LC_")
    };
    // Stands for the keys in a user's shell; cargo sets some such variables.
    let ours: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    assert!(
        ours.iter().any(|name| !allowed(name)),
        "nothing to leak: {ours:?}"
    );
    let mut server = entry("normal");
    server["env"]["NAMED"] = json!("yes");
    let servers = start(json!({"zwave": server})).await;
    let output = call(&find(&servers, "environment"), json!({}))
        .await
        .unwrap();
    let seen: Vec<&str> = output.value.as_str().unwrap().lines().collect();
    for expected in ["PATH", "NAMED", stub_server::MODE] {
        assert!(seen.contains(&expected), "{expected} is missing: {seen:?}");
    }
    if cfg!(unix) {
        let configured = ["NAMED", stub_server::MODE];
        let leaked = seen
            .iter()
            .find(|name| !allowed(name) && !configured.contains(name));
        assert_eq!(leaked, None);
    }
}

#[tokio::test]
async fn a_server_that_dies_at_once_is_reported_with_its_stderr_without_keys() {
    let mut server = entry("crash");
    server["env"]["STUB_KEY"] = json!("sk-very-secret");
    let servers = start(json!({"zwave": server})).await;
    assert_eq!(
        servers.failures()[0].to_string(),
        "MCP server \"zwave\": it ended before it was ready (exit status: 3); it said: \
         Traceback: no module named zwave, key [hidden]"
    );
}

#[tokio::test]
async fn a_missing_command_is_reported_with_a_hint() {
    let servers = start(json!({"time": {"command": "no-such-command-here"}})).await;
    let failure = &servers.failures()[0];
    assert_eq!(
        failure.to_string(),
        "MCP server \"time\": its command \"no-such-command-here\" was not found"
    );
    assert!(failure.hint.as_deref().unwrap().contains("full path"));
    let mut server = entry("normal");
    server["cwd"] = json!("/no/such/folder");
    let servers = start(json!({"time": server})).await;
    assert!(servers.failures()[0].message.contains("/no/such/folder"));
}

#[tokio::test]
async fn a_bad_server_does_not_affect_the_others() {
    let servers = start(json!({
        "bad": {"command": "no-such-command-here"},
        "mute": {"type": "sse", "url": "http://127.0.0.1:1/sse"},
        "refusing": entry("refuse"),
        "good": entry("normal"),
        "off": {"command": "no-such-command-here", "disabled": true}
    }))
    .await;
    let failed: Vec<&str> = servers
        .failures()
        .iter()
        .map(|f| f.server.as_str())
        .collect();
    assert_eq!(failed, ["bad", "mute", "refusing"]);
    assert_eq!(
        servers.failures()[2].message,
        "it refused the connection: not today"
    );
    assert!(
        servers.failures()[2]
            .hint
            .as_deref()
            .unwrap()
            .contains("by hand")
    );
    assert!(call(&find(&servers, "echo"), json!({})).await.is_ok());
}

#[tokio::test]
async fn servers_start_concurrently() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = entry("meet");
    server["env"][stub_server::MEETING] = json!(folder.path());
    let ten = (0..10).map(|number| (format!("server{number}"), server.clone()));
    let servers = start(Value::Object(ten.collect())).await;
    assert_eq!(servers.failures(), []);
    assert_eq!(servers.statuses().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_times_out() {
    let begin = tokio::time::Instant::now();
    let servers = start(json!({"mute": entry("silent")})).await;
    let message = &servers.failures()[0].message;
    // A child that is stopped this early may still complain about its broken pipe.
    assert!(
        message.starts_with("it was not ready within 20 s"),
        "{message}"
    );
    assert!(begin.elapsed() < Duration::from_secs(25));
}

#[tokio::test]
async fn an_endless_list_is_cut() {
    let servers = start(json!({"many": entry("endless")})).await;
    assert_eq!(servers.tools().len(), 64);
    let servers = start(json!({"many": entry("crowd")})).await;
    assert_eq!(servers.tools().len(), 1000);
    // Two megabytes, and no name twice.
    let servers = start(json!({"many": entry("greedy")})).await;
    let tools = servers.tools();
    assert_eq!(tools.len(), 11);
    assert_eq!(names(&tools).last(), Some(&"heavy_10"));
}

#[tokio::test]
async fn a_list_with_a_constant_cursor_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(json!({"stuck": recording_entry("stuck", &record)})).await;
    assert_eq!(names(&servers.tools()), ["echo", "other"]);
    let messages = recorded(&record);
    let pages = messages
        .iter()
        .filter(|message| message["method"] == "tools/list");
    assert_eq!(pages.count(), 2);
}

#[tokio::test]
async fn colliding_names_get_their_servers_as_prefix_in_any_order() {
    let one = start(json!({"my.a": entry("normal"), "b": entry("other")})).await;
    let two = start(json!({"b": entry("other"), "my.a": entry("normal")})).await;
    for servers in [&one, &two] {
        let tools = servers.tools();
        let names = names(&tools);
        assert!(
            names.contains(&"my_a_echo") && names.contains(&"b_echo"),
            "{names:?}"
        );
        assert!(
            names.contains(&"other") && !names.contains(&"echo"),
            "{names:?}"
        );
        let output = call(&find(servers, "b_echo"), json!({"x": 1}))
            .await
            .unwrap();
        assert_eq!(output.value, r#"{"x":1}"#);
    }
    // A tool of ours keeps its name.
    let beside = one.tools_beside(&["other", "b_echo"]);
    let names = names(&beside);
    assert!(
        names.contains(&"b_other") && !names.contains(&"other"),
        "{names:?}"
    );
    assert!(!names.contains(&"b_echo"), "{names:?}");
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_at_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(json!({"zwave": recording_entry("normal", &record)})).await;
    let hang = find(&servers, "hang");
    let sent = |method: &str| {
        recorded(&record)
            .into_iter()
            .find(|m| m["method"] == method)
    };
    tokio::select! {
        result = call(&hang, json!({})) => panic!("{result:?}"),
        () = until(|| sent("tools/call").is_some()) => {}
    }
    until(|| sent("notifications/cancelled").is_some()).await;
    assert_eq!(
        sent("notifications/cancelled").unwrap()["params"]["requestId"],
        sent("tools/call").unwrap()["id"]
    );
    // The server continues with other calls.
    assert!(call(&find(&servers, "echo"), json!({})).await.is_ok());
}

#[tokio::test]
async fn a_slow_call_times_out_and_is_cancelled_at_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("messages");
    let servers = start(json!({"zwave": recording_entry("normal", &record)})).await;
    let mut tools = ToolManager::new();
    tools.add(find(&servers, "hang")).unwrap();
    let mut options = ExecutorOptions::default();
    options.timeout = Duration::from_millis(50);
    let executor = ToolExecutor::with_options(tools, options, None);
    let call = ToolCall::new("hang", json!({}), "call_1");
    let error = executor.execute(&call).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::Timeout);
    let cancelled = |message: &Value| message["method"] == "notifications/cancelled";
    until(|| recorded(&record).iter().any(cancelled)).await;
}

#[tokio::test]
async fn a_dead_server_is_a_readable_error() {
    let servers = start(json!({"zwave": entry("normal"), "b": entry("other")})).await;
    let exit = find(&servers, "exit");
    for _ in 0..2 {
        let error = call(&exit, json!({})).await.unwrap_err();
        assert_eq!(error.kind(), ToolErrorKind::Network);
        assert_eq!(error.message(), "The tool server zwave cannot be reached");
    }
    assert!(call(&find(&servers, "b_echo"), json!({})).await.is_ok());
}

/// True while the process runs; a zombie does not count.
#[cfg(target_os = "linux")]
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[cfg(target_os = "linux")]
async fn pid(servers: &McpServers) -> String {
    let output = call(&find(servers, "pid"), json!({})).await.unwrap();
    output.value.as_str().unwrap().to_owned()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn shutdown_and_drop_end_the_children() {
    let servers = start(json!({"zwave": entry("normal")})).await;
    let child = pid(&servers).await;
    assert!(is_alive(&child));
    // Ctrl-C in the terminal does not reach the child, which has a process group of its own.
    let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap();
    assert_eq!(
        stat.rsplit(") ").next().unwrap().split(' ').nth(2),
        Some(child.as_str())
    );
    servers.shutdown().await;
    assert!(!is_alive(&child));

    let servers = start(json!({"zwave": entry("normal")})).await;
    let child = pid(&servers).await;
    let echo = find(&servers, "echo");
    drop(servers);
    until(|| !is_alive(&child)).await;
    assert_eq!(
        call(&echo, json!({})).await.unwrap_err().kind(),
        ToolErrorKind::Network
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_will_not_end_is_killed_with_the_runtime() {
    fn block_on<F: Future>(work: F) -> F::Output {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(work)
    }
    let child = block_on(async {
        let servers = start(json!({"zwave": entry("stubborn")})).await;
        let child = pid(&servers).await;
        assert!(is_alive(&child));
        child
    });
    block_on(until(|| !is_alive(&child)));
}

/// A server that is this shell script.
#[cfg(unix)]
fn shell(script: &str) -> Value {
    json!({"command": "sh", "args": ["-c", script], "env": {"STUB_KEY": "sk-very-secret"}})
}

#[cfg(unix)]
#[tokio::test]
async fn garbage_on_stdout_is_shown_without_what_hides_in_it() {
    let script = r#"printf '  Listening\033[2J with %s\nmore\n' "$STUB_KEY"; exit 4"#;
    let servers = start(json!({"chatty": shell(script)})).await;
    let failure = &servers.failures()[0];
    assert_eq!(
        failure.to_string(),
        "MCP server \"chatty\": it ended before it was ready (exit status: 4); \
         its stdout is not MCP: \"Listening\\u{1b}[2J with [hidden]\""
    );
    let hint = failure.hint.as_deref().unwrap();
    assert!(hint.contains("log to stderr"), "{hint}");
}

#[cfg(unix)]
#[tokio::test]
async fn garbage_on_stdout_of_a_running_server_is_shown() {
    let text = json!({"mcpServers": {"chatty": shell("echo Ready.; cat > /dev/null")}}).to_string();
    let mut options = McpOptions::default();
    options.waits = vec![Duration::ZERO];
    options.start_timeout = Duration::from_secs(1);
    let config = McpConfig::parse(&text, "test.json").unwrap();
    let servers = McpServers::start_with(&config, options).await;
    assert_eq!(
        servers.failures()[0].message,
        "it was not ready within 1 s; its stdout is not MCP: \"Ready.\""
    );
}

#[cfg(unix)]
#[tokio::test]
async fn an_endless_line_is_reported() {
    let servers = start(json!({"endless": shell("exec cat /dev/zero")})).await;
    let failure = &servers.failures()[0];
    let message = "it wrote an endless line to stdout (a message may have 16 MB)";
    assert!(failure.message.contains(message), "{failure}");
    assert!(failure.hint.as_deref().unwrap().contains("log to stderr"));
}

#[cfg(unix)]
#[tokio::test]
async fn the_exit_status_is_reported_even_if_the_pipe_breaks_first() {
    // It closes its input before it answers the handshake, so the next message cannot be written.
    let script = r#"
        while read -r line; do
            id=$(printf '%s' "$line" | sed 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/')
            case "$line" in
                *server/discover*) printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"unknown"}}' ;;
                *'"initialize"'*) break ;;
            esac
        done
        exec 0<&-
        printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"brief","version":"1"}}}'
        sleep 0.2
        exit 7"#;
    let servers = start(json!({"brief": shell(script)})).await;
    let failure = &servers.failures()[0];
    assert_eq!(
        failure.to_string(),
        "MCP server \"brief\": it ended before it was ready (exit status: 7)"
    );
}
