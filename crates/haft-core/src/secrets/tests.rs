use serde_json::json;

use super::*;

#[test]
fn secrets_in_addresses_are_hidden() {
    for (address, shown) in [
        ("127.0.0.1:11434", "127.0.0.1:11434"),
        ("https://me:secret@host:1/v1", "https://[hidden]@host:1/v1"),
        ("https://ghp_key@host/", "https://[hidden]@host/"),
        ("me:se@cret@host", "[hidden]@host"),
        ("http://host/a@b", "http://host/a@b"),
        ("http://h/?api_key=a&x=1", "http://h/?api_key=[hidden]&x=1"),
        (
            "http://h/mcp?ApiKey=a;b=2",
            "http://h/mcp?ApiKey=[hidden];b=2",
        ),
        (
            "http://h/#access_token=a",
            "http://h/#access_token=[hidden]",
        ),
        ("http://h/?a%70i_key=v", "http://h/?a%70i_key=[hidden]"),
        (
            "http://h/?X-Amz-Signature=v",
            "http://h/?X-Amz-Signature=[hidden]",
        ),
        ("http://h/?token=${TOKEN}", "http://h/?token=${TOKEN}"),
        ("http://h/?token=${TOKEN:-real}", "http://h/?token=[hidden]"),
        (
            "https://h/s/Zk3xP9qLm2Rt8Wv5Yb1N/mcp",
            "https://h/s/[hidden]/mcp",
        ),
        (
            "http://h/mcp/3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "http://h/mcp/[hidden]",
        ),
        (
            "http://h/v1/models/qwen2-5-coder-7b-instruct-q4",
            "http://h/v1/models/qwen2-5-coder-7b-instruct-q4",
        ),
        ("http://h/?s=Zk3xP9qLm2Rt8Wv5Yb1N", "http://h/?s=[hidden]"),
        (
            "openai:tiny@http://u:p4ss@h/v1",
            "openai:tiny@http://[hidden]@h/v1",
        ),
    ] {
        assert_eq!(mask_url(address), shown);
        assert_eq!(mask_url(shown), shown, "a second time");
    }
}

#[test]
fn secrets_in_arguments_are_hidden() {
    for (words, shown) in [
        (&["--api-key", "a"][..], "--api-key [hidden]"),
        (&["--token=abc", "-v"], "--token=[hidden] -v"),
        (&["-e", "GITHUB_PAT=abc"], "-e GITHUB_PAT=[hidden]"),
        (&["-H", "X-Own: Bearer abc"], "-H X-Own: Bearer [hidden]"),
        (&["--token", "${TOKEN}"], "--token ${TOKEN}"),
        (&["--token", "--verbose"], "--token --verbose"),
        (&["postgresql://u:pw@h/db"], "postgresql://[hidden]@h/db"),
        (
            &["--db=postgresql://u:pw@h/db"],
            "--db=postgresql://[hidden]@h/db",
        ),
        (&["ghp_0123456789abcdef"], "[hidden]"),
        (&["mcp-server-time", "--local"], "mcp-server-time --local"),
        (
            &["-y", "@playwright/mcp@latest"],
            "-y @playwright/mcp@latest",
        ),
    ] {
        assert_eq!(mask_arguments(words).join(" "), shown);
    }
}

#[test]
fn names_of_secrets_are_known() {
    for name in [
        "password",
        "API_KEY",
        "x-api-key",
        "Authorization",
        "accessToken",
        "Set-Cookie",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in ["author", "key", "city", "monkey", "pattern"] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn a_known_secret_is_masked_everywhere() {
    let mut secrets = Secrets::default();
    secrets.add_header("Bearer tok-en\"1\\2");
    secrets.add_url("http://u:p%40ssword@h/?key=longer-key-1&q=plain");
    secrets.add("longer-key-12");
    secrets.add("cat1");
    secrets.add("abc");
    secrets.add("${NAME}");
    for (text, masked) in [
        ("said tok-en\"1\\2.", "said [hidden]."),
        (r#"{"said":"tok-en\"1\\2"}"#, r#"{"said":"[hidden]"}"#),
        ("p@ssword or p%40ssword", "[hidden] or [hidden]"),
        ("longer-key-12 longer-key-1", "[hidden] [hidden]"),
        (
            "a plain cat1, cat12, abc ${NAME}",
            "a plain [hidden], cat12, abc ${NAME}",
        ),
    ] {
        assert_eq!(secrets.mask(text), masked);
    }
    assert_eq!(
        secrets.mask_json(json!({"longer-key-1": ["p@ssword", 1]})),
        json!({"[hidden]": ["[hidden]", 1]})
    );
    assert!(!format!("{secrets:?}").contains("key"));
}

#[test]
fn a_named_value_is_a_secret_by_its_name_or_its_form() {
    let mut secrets = Secrets::default();
    for (name, value) in [
        ("API_KEY", "Key-Of-Mine"),
        ("OTHER", "sk-0123456789abcdef"),
        ("DATABASE", "postgres://u:dbpass@h/d"),
        ("HOST", "homeassistant.local"),
    ] {
        secrets.add_named(name, value);
    }
    let text = "Key-Of-Mine sk-0123456789abcdef dbpass homeassistant.local";
    assert_eq!(
        secrets.mask(text),
        "[hidden] [hidden] [hidden] homeassistant.local"
    );
}

#[test]
fn keys_of_well_known_services_are_found_in_any_text() {
    assert_eq!(
        mask_keys("my (sk-0123456789abcdef), yes", "X"),
        "my (X), yes"
    );
    assert_eq!(
        mask_keys("risk-free and sk-short", "X"),
        "risk-free and sk-short"
    );
}
