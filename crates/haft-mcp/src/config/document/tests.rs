use serde_json::json;

use super::*;
use crate::McpConfig;

fn document(text: &str) -> McpDocument {
    let document = McpDocument {
        path: "servers.json".into(),
        text: text.to_owned(),
    };
    document.servers().unwrap();
    document
}

fn with(text: &str, name: &str) -> String {
    let mut document = document(text);
    let server = json!({"command": "uvx", "args": ["a"]});
    document.add(name, &server).unwrap();
    assert_eq!(document.server(name), Some(server));
    // The file contains what was read.
    let read = McpConfig::parse(document.text(), "servers.json").unwrap();
    assert!(read.names().any(|known| known == name));
    document.text
}

fn without(text: &str, name: &str) -> String {
    let mut document = document(text);
    document.remove(name).unwrap();
    assert_eq!(document.server(name), None);
    document.text
}

const KEPT: &str = r#"{
    "inputs" : [ {"id":"x"} ],
    "mcpServers": {
        "b": { "command": "b", "args": ["one","two"], "x-mine": 1.0 },
        "a": {"url": "http://127.0.0.1:1/mcp"}
    },
    "z": 1e400
}
"#;

#[test]
fn a_server_is_added_after_the_others_in_the_style_of_the_file() {
    assert_eq!(
        with(KEPT, "new"),
        r#"{
    "inputs" : [ {"id":"x"} ],
    "mcpServers": {
        "b": { "command": "b", "args": ["one","two"], "x-mine": 1.0 },
        "a": {"url": "http://127.0.0.1:1/mcp"},
        "new": {
            "command": "uvx",
            "args": [
                "a"
            ]
        }
    },
    "z": 1e400
}
"#
    );
    let tabs = "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\"command\": \"a\"}\r\n\t}\r\n}";
    assert!(with(tabs, "n").contains(",\r\n\t\t\"n\": {\r\n\t\t\t\"command\": \"uvx\","));
    assert_eq!(
        with(r#"{"mcpServers":{"a":{"command":"a"}}}"#, "n"),
        r#"{"mcpServers":{"a":{"command":"a"},"n": {"command":"uvx","args":["a"]}}}"#
    );
}

#[test]
fn servers_are_added_to_a_file_without_any() {
    let fresh = r#"{
  "mcpServers": {
    "n": {
      "command": "uvx",
      "args": [
        "a"
      ]
    }
  }
}
"#;
    assert_eq!(with("{}\n", "n"), fresh);
    assert_eq!(with("{\n  \"mcpServers\": {}\n}\n", "n"), fresh);
    assert_eq!(with("{\n  \"mcpServers\": {\n  }\n}\n", "n"), fresh);
    let other = with("{\n  \"other\": true\n}", "n");
    assert!(
        other.starts_with("{\n  \"other\": true,\n  \"mcpServers\": {\n    \"n\": {\n"),
        "{other}"
    );
    // A file of VS Code, with a byte order mark.
    let code = with("\u{feff}{\n\t\"servers\": {}\n}", "n");
    assert!(
        code.starts_with("\u{feff}{\n\t\"servers\": {\n\t\t\"n\": {\n\t\t\t\"command\""),
        "{code}"
    );
}

#[test]
fn a_removed_server_leaves_no_trace() {
    assert_eq!(
        without(KEPT, "a"),
        KEPT.replace(
            ",\n        \"a\": {\"url\": \"http://127.0.0.1:1/mcp\"}",
            ""
        )
    );
    let first =
        "\n        \"b\": { \"command\": \"b\", \"args\": [\"one\",\"two\"], \"x-mine\": 1.0 },";
    assert_eq!(without(KEPT, "b"), KEPT.replace(first, ""));
    assert_eq!(
        without("{\"mcpServers\": { \"a\" : {} }}", "a"),
        "{\"mcpServers\": {}}"
    );
    // A name that occurs twice.
    let twice = r#"{"mcpServers":{"a":{},"b":{},"a":{}}}"#;
    assert_eq!(without(twice, "a"), r#"{"mcpServers":{"b":{}}}"#);
}

#[test]
fn adding_and_removing_gives_the_same_bytes() {
    for text in [
        KEPT,
        r#"{"mcpServers":{"a":{}}}"#,
        "{\n\"servers\" : {\n\"a\":{} }}",
    ] {
        let mut changed = document(text);
        changed.add("ä \"\\", &json!({"command": "x"})).unwrap();
        changed.remove("ä \"\\").unwrap();
        assert_eq!(changed.text, text);
    }
}

#[test]
fn impossible_changes_are_errors_with_hints() {
    let error = document(KEPT).add("a", &json!({})).unwrap_err();
    assert_eq!(error.to_string(), "servers.json has a server \"a\" already");
    let error = document(KEPT).remove("c").unwrap_err();
    assert_eq!(error.hint(), Some("there are: b, a"));
    let folder = tempfile::tempdir().unwrap();
    for (text, part) in [
        ("[]", "is not a JSON object"),
        ("{\"mcpServers\": []}", "\"mcpServers\" in"),
        ("{} // comment", "is not a JSON object"),
        ("{\"mcpServers\": {\"a\": }}", "is not a JSON object"),
    ] {
        let path = folder.path().join("servers.json");
        fs::write(&path, text).unwrap();
        let error = McpDocument::open(&path).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_file_is_written_whole_with_its_permissions_and_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".mcp.json");
    assert!(McpDocument::open(&path).unwrap().entries().is_empty());
    let add = |document: &mut McpDocument| document.add("a", &json!({"command": "a"}));
    let document = McpDocument::change(&path, add).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), document.text());
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        assert_eq!(mode(&path), 0o600);
        let link = folder.path().join("link.json");
        symlink(&path, &link).unwrap();
        McpDocument::change(&link, |document| document.remove("a")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(!fs::read_to_string(&path).unwrap().contains("\"a\""));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // A link to a missing file.
        let ahead = folder.path().join("ahead.json");
        symlink("missing.json", &ahead).unwrap();
        McpDocument::change(&ahead, add).unwrap();
        assert!(fs::symlink_metadata(&ahead).unwrap().is_symlink());
        assert!(folder.path().join("missing.json").is_file());
    }
    let nowhere = folder.path().join("no/such/folder.json");
    let error = McpDocument::change(nowhere, add).unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert!(error.hint().unwrap().contains("folder"));
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn a_file_with_secrets_becomes_private_and_others_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".mcp.json");
    for (server, after) in [
        (json!({"command": "a", "env": {"PORT": "8080"}}), 0o644),
        (json!({"command": "a", "env": {"TOKEN": "${TOKEN}"}}), 0o644),
        (json!({"command": "a", "env": {"TOKEN": "t0ken"}}), 0o600),
        (
            json!({"url": "http://h", "headers": {"X-Own": "key1"}}),
            0o600,
        ),
        (json!({"url": "http://me:passw@h/mcp"}), 0o600),
        (
            json!({"command": "a", "args": ["--api-key", "abcd"]}),
            0o600,
        ),
    ] {
        fs::write(&path, "{}").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        McpDocument::change(&path, |document| document.add("a", &server)).unwrap();
        assert_eq!(mode(&path), after, "{server}");
    }
}

#[test]
fn a_change_that_fails_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".mcp.json");
    fs::write(&path, KEPT).unwrap();
    McpDocument::change(&path, |document| {
        document.remove("a")?;
        document.remove("nobody")
    })
    .unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), KEPT);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
