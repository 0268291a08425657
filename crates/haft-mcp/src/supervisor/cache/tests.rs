//! Cached lists and invalid files.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

use serde_json::{Value, json};

use super::{Cache, Known, fingerprint};
use crate::McpConfig;
use crate::config::endpoint::Endpoint;
use crate::left_out::{LeftOutReason, McpLeftOut};
use crate::session::list::Listed;
use crate::transport::protocol_version::Protocol;

fn endpoint(server: &Value) -> Endpoint {
    let text = json!({"mcpServers": {"it": server}}).to_string();
    let config = McpConfig::parse(&text, "test.json").unwrap();
    config.servers[0].endpoint.clone().unwrap()
}

fn known() -> Known {
    let tool = json!({"name": "echo", "inputSchema": {"type": "object", "z": 1, "a": 2}});
    let reason = LeftOutReason::ListedTwice;
    let listed = Listed {
        tools: vec![serde_json::from_value(tool).unwrap()],
        left_out: vec![McpLeftOut::tool("it", "echo", reason)],
    };
    Known::new(Protocol::Modern, listed)
}

#[test]
fn cached_tools_are_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("deep/er");
    let cache = Cache::of(&place, &endpoint(&json!({"command": "a"})));
    assert!(cache.load("it").is_none());
    cache.save("it", &known());
    let again = cache.load("it").unwrap();
    assert_eq!(
        (again.protocol, &again.tools),
        (Protocol::Modern, &known().tools)
    );
    assert_eq!(again.left_out, known().left_out);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);
    cache.forget();
    assert!(cache.load("it").is_none());
}

#[cfg(unix)]
#[test]
fn cache_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("mcp");
    let cache = Cache::of(&place, &endpoint(&json!({"command": "a"})));
    cache.save("it", &known());
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&place) & 0o777, 0o700);
    assert_eq!(mode(&cache.file) & 0o777, 0o600);
}

#[test]
fn an_invalid_file_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::of(folder.path(), &endpoint(&json!({"command": "a"})));
    cache.save("it", &known());
    let text = std::fs::read(&cache.file).unwrap();
    for end in 0..text.len() {
        std::fs::write(&cache.file, &text[..end]).unwrap();
        assert!(cache.load("it").is_none(), "{end}");
    }
    let later = String::from_utf8(text)
        .unwrap()
        .replace("\"version\":1", "\"version\":2");
    std::fs::write(&cache.file, later).unwrap();
    assert!(cache.load("it").is_none());
    std::fs::write(&cache.file, vec![b' '; 5 << 20]).unwrap();
    assert!(cache.load("it").is_none());
}

#[test]
fn the_entry_depends_on_the_command_and_not_on_secrets() {
    let folder = std::path::Path::new("/nowhere");
    let place = |server: Value| Cache::of(folder, &endpoint(&server));
    let one = place(json!({"command": "a", "args": ["x"], "env": {"KEY": "s3cret"}}));
    assert_eq!(
        one,
        place(json!({"command": "a", "args": ["x"], "env": {"KEY": "other"}}))
    );
    assert_ne!(
        one,
        place(json!({"command": "a", "args": ["y"], "env": {"KEY": "s3cret"}}))
    );
    assert_ne!(one, place(json!({"command": "a", "args": ["x"]})));
    let one = place(json!({"url": "http://a/mcp?key=s3cret", "headers": {"X-Key": "s3cret"}}));
    assert_eq!(
        one,
        place(json!({"url": "http://a/mcp", "headers": {"x-key": "other"}}))
    );
    assert_ne!(
        one,
        place(json!({"url": "http://b/mcp", "headers": {"x-key": "other"}}))
    );
    // Test vectors from the website of its authors.
    assert_eq!(fingerprint("foobar"), 0x8594_4171_f739_67e8);
}
