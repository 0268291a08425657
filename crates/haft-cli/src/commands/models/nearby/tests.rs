use super::*;

#[test]
fn upstreams_are_asked_over_chat_completions() {
    for (upstream, expected) in [
        ("http://10.0.0.2:8000", Some("http://10.0.0.2:8000/v1")),
        ("http://10.0.0.2:8000/v1/", Some("http://10.0.0.2:8000/v1")),
        (
            "ollama:http://127.0.0.1:11434",
            Some("http://127.0.0.1:11434/v1"),
        ),
        ("openai:box:8080", Some("http://box:8080/v1")),
        ("anthropic:https://api.anthropic.com", None),
    ] {
        assert_eq!(address(upstream).as_deref(), expected, "{upstream}");
    }
    assert!(is_same(
        "http://localhost:8080/v1/",
        "http://127.0.0.1:8080/v1"
    ));
    assert!(!is_same(
        "http://127.0.0.1:8080/v1",
        "http://127.0.0.1:8000/v1"
    ));
}
