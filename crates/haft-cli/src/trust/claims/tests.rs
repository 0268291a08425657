use super::*;

#[test]
fn all_effects_of_a_server_are_listed_without_secret_values() {
    let text = r#"{"mcpServers": {
        "time": {"command": "uvx", "args": ["mcp-server-time", "--key", "${TIME_KEY:-none}"],
                 "env": {"TOKEN": "sk-secret", "HOME_KEY": "${HASS_TOKEN}"}, "trust": true},
        "home": {"type": "http", "url": "http://h/mcp?k=${URL_KEY}",
                 "headers": {"Authorization": "Bearer sk-hidden"}, "autoApprove": ["*"]},
        "far": {"command": "sh", "cwd": "/tmp/x"},
        "odd": {},
        "off": {"command": "rm", "disabled": true}
    }}"#;
    assert_eq!(
        claims_of_servers(text),
        [
            "start time: uvx mcp-server-time --key ${TIME_KEY:-none}",
            "give it the variables TOKEN, HOME_KEY",
            "read from the environment HASS_TOKEN, TIME_KEY",
            "ask less about its tools: trust = true",
            "connect to home: http://h/mcp?k=${URL_KEY}",
            "send it the headers Authorization",
            "read from the environment URL_KEY",
            "ask less about its tools: autoApprove = [\"*\"]",
            "start far in /tmp/x: sh",
            "use odd",
        ]
    );
}

#[test]
fn every_file_that_starts_something_wants_something() {
    for (text, expected) in [
        ("{}", 0),
        ("no JSON", 0),
        (r#"{"mcpServers": {}}"#, 0),
        (r#"{"servers": {"a": {"command": "x"}}}"#, 1),
        ("\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", 1),
        (r#"{"mcpServers": {"a": {"command": ["x"]}}}"#, 1),
    ] {
        assert_eq!(claims_of_servers(text).len(), expected, "{text}");
    }
}
