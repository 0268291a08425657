//! Configurations of users, and common mistakes in them.

use super::*;

fn lookup(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some("s3cret-token-value".to_owned()),
        _ => None,
    }
}

fn parse(text: &str) -> McpConfig {
    McpConfig::parse_with(text, "home.json", &lookup).unwrap()
}

fn only(text: &str) -> Result<Endpoint, McpFailure> {
    parse(text).servers.remove(0).endpoint
}

fn stdio(text: &str) -> StdioEndpoint {
    match only(text) {
        Ok(Endpoint::Stdio(endpoint)) => endpoint,
        other => panic!("{other:?}"),
    }
}

fn http(text: &str) -> HttpEndpoint {
    match only(text) {
        Ok(Endpoint::Http(endpoint)) => endpoint,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_command_with_everything() {
    let endpoint = stdio(
        r#"{"mcpServers": {"zwave": {
            "command": "${RUNNER:-node}", "args": ["server.js", "--key=${TOKEN}"],
            "env": {"API_KEY": "${TOKEN}", "MODE": "quiet"}, "cwd": "/srv",
            "autoApprove": ["x"], "timeout": 60
        }}}"#,
    );
    assert_eq!(endpoint.command, "node");
    assert_eq!(endpoint.args, ["server.js", "--key=s3cret-token-value"]);
    assert_eq!(
        endpoint.env,
        [
            ("API_KEY".to_owned(), "s3cret-token-value".to_owned()),
            ("MODE".to_owned(), "quiet".to_owned())
        ]
    );
    assert_eq!(endpoint.cwd.as_deref(), Some("/srv"));
}

#[test]
fn an_address_under_every_spelling_of_its_type() {
    for kind in [
        "http",
        "streamable-http",
        "streamable_http",
        "streamableHttp",
    ] {
        let endpoint = http(&format!(
            r#"{{"mcpServers": {{"home": {{"type": "{kind}", "url": "http://127.0.0.1:8123/mcp",
                "headers": {{"Authorization": "Bearer ${{TOKEN}}"}}}}}}}}"#
        ));
        assert_eq!(endpoint.url.as_str(), "http://127.0.0.1:8123/mcp");
        assert_eq!(
            endpoint.headers.get("authorization").unwrap(),
            "Bearer s3cret-token-value"
        );
    }
    http(r#"{"mcpServers": {"home": {"url": "https://home.example/mcp"}}}"#);
}

#[test]
fn servers_keep_the_order_of_the_file_without_disabled_ones() {
    let config = parse(
        r#"{"mcpServers": {"z": {"command": "z"}, "off": {"disabled": true, "command": "${NO}"},
            "a": {"command": "a", "disabled": false}}}"#,
    );
    assert_eq!(config.names().collect::<Vec<_>>(), ["z", "a"]);
}

#[test]
fn secrets_are_never_shown() {
    let config = parse(
        r#"{"mcpServers": {
            "a": {"command": "a", "args": ["${TOKEN}"], "env": {"KEY": "${TOKEN}"}},
            "b": {"url": "https://user:${TOKEN}@h.example/mcp?key=${TOKEN}",
                  "headers": {"X-Key": "${TOKEN}"}}
        }}"#,
    );
    let shown = format!("{config:?}");
    assert!(!shown.contains("s3cret"), "{shown}");
    assert!(shown.contains("KEY") && shown.contains("x-key"), "{shown}");
}

#[test]
fn mistakes_name_file_server_and_field() {
    let table = [
        (
            r#"{"args": []}"#,
            r#""command" in home.json is missing, and so is "url""#,
        ),
        (
            r#"{"command": ""}"#,
            r#""command" in home.json is missing or empty"#,
        ),
        (
            r#"{"command": 5}"#,
            r#""command" in home.json must be a string"#,
        ),
        (
            r#"{"command": "a", "args": "b"}"#,
            r#""args" in home.json must be a list of strings"#,
        ),
        (
            r#"{"command": "a", "args": [1]}"#,
            r#""args" in home.json must be a list of strings"#,
        ),
        (
            r#"{"command": "a", "env": {"PORT": 80}}"#,
            r#""env" in home.json must hold a string under "PORT""#,
        ),
        (
            r#"{"command": "a", "env": {"K": "${UNSET}"}}"#,
            r#""env" in home.json uses the variable UNSET, which is not set"#,
        ),
        (
            r#"{"type": "sse", "url": "http://h/sse"}"#,
            r#""type" in home.json is "sse", the transport that MCP gave up"#,
        ),
        (
            r#"{"type": "telepathy"}"#,
            r#""type" in home.json is "telepathy", which is unknown"#,
        ),
        (
            r#"{"url": "nowhere"}"#,
            r#""url" in home.json is not an address: relative URL without a base"#,
        ),
        (
            r#"{"url": "file:///etc/passwd"}"#,
            r#""url" in home.json must begin with http:// or https://"#,
        ),
        (
            r#"{"url": "http://h/", "headers": {"a b": "c"}}"#,
            r#""headers" in home.json cannot be sent: "a b""#,
        ),
        (r#""command""#, "its entry in home.json is not an object"),
    ];
    for (server, expected) in table {
        let failure = only(&format!(r#"{{"mcpServers": {{"box": {server}}}}}"#)).unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!("MCP server \"box\": {expected}")
        );
    }
}

#[test]
fn a_mistake_affects_only_its_server() {
    let config =
        parse(r#"{"mcpServers": {"bad": {"command": "${NO}"}, "good": {"command": "g"}}}"#);
    assert!(config.servers[0].endpoint.is_err());
    assert!(config.servers[1].endpoint.is_ok());
}

#[test]
fn bad_json_is_reported_with_its_line() {
    let error = McpConfig::parse("{\n  \"mcpServers\": {\n    oops\n", "home.json").unwrap_err();
    assert_eq!(error.kind(), haft_tools::ToolsErrorKind::Config);
    let message = error.to_string();
    assert!(
        message.starts_with("home.json is not valid JSON"),
        "{message}"
    );
    assert!(message.contains("line 3"), "{message}");
}

#[test]
fn a_file_without_servers_gets_a_hint_how_to_write_them() {
    for text in ["{}", "[]", r#"{"mcpServers": []}"#] {
        let error = McpConfig::parse(text, "home.json").unwrap_err();
        assert_eq!(error.to_string(), "home.json has no object \"mcpServers\"");
        assert!(error.hint().is_some());
    }
    assert_eq!(parse(r#"{"mcpServers": {}}"#).servers.len(), 0);
}

#[test]
fn files_are_read_and_missing_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    let error = McpConfig::load(&path).unwrap_err();
    assert!(
        error.to_string().contains("mcp.json cannot be read"),
        "{error}"
    );
    // Windows editors write a byte order mark first.
    std::fs::write(
        &path,
        "\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}",
    )
    .unwrap();
    let config = McpConfig::load(&path).unwrap();
    assert_eq!(config.names().collect::<Vec<_>>(), ["a"]);
    std::fs::write(&path, " ".repeat(1024 * 1024 + 1)).unwrap();
    let error = McpConfig::load(&path).unwrap_err();
    assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
}

#[test]
fn the_file_of_vs_code_is_read_too() {
    let text = r#"{"inputs": [], "servers": {"a": {"type": "stdio", "command": "a"}}}"#;
    let config = McpConfig::parse(text, "mcp.json").unwrap();
    assert_eq!(config.names().collect::<Vec<_>>(), ["a"]);
    let asked = r#"{"servers": {"a": {"command": "a", "env": {"KEY": "${input:key}"}}}}"#;
    let config = McpConfig::parse(asked, "mcp.json").unwrap();
    let endpoint = &config.servers[0].endpoint;
    let failure = endpoint.as_ref().unwrap_err();
    assert_eq!(
        failure.message,
        "\"env\" in mcp.json uses ${input:key}, which only VS Code asks for"
    );
}

#[test]
fn an_environment_that_determines_the_code_is_refused() {
    let text = r#"{"mcpServers": {"a": {"command": "a", "env": {"LD_PRELOAD": "/tmp/x.so"}}}}"#;
    let config = McpConfig::parse(text, ".mcp.json").unwrap();
    let endpoint = &config.servers[0].endpoint;
    let failure = endpoint.as_ref().unwrap_err();
    assert!(failure.message.contains("LD_PRELOAD"), "{failure}");
}
