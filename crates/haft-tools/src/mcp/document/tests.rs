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
    // What is written is what is read.
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
fn an_added_server_stands_behind_the_others_in_the_style_of_the_file() {
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
fn a_file_without_servers_gets_them() {
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
    // The file of VS Code, with a byte order mark.
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
    // A name that stands there twice.
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
fn what_cannot_be_done_says_why() {
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
    let mut document = McpDocument::open(&path).unwrap();
    assert!(document.entries().is_empty());
    document.add("a", &json!({"command": "a"})).unwrap();
    document.save().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), document.text());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(&path, private).unwrap();
        let link = folder.path().join("link.json");
        symlink(&path, &link).unwrap();
        let mut document = McpDocument::open(&link).unwrap();
        document.remove("a").unwrap();
        document.save().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!fs::read_to_string(&path).unwrap().contains("\"a\""));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
    let nowhere = McpDocument {
        path: folder.path().join("no/such/folder.json"),
        text: String::new(),
    };
    assert!(
        nowhere
            .save()
            .unwrap_err()
            .to_string()
            .contains("cannot be written")
    );
}
