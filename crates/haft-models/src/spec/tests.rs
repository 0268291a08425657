use super::*;

fn spec(text: &str) -> ModelSpec {
    text.parse().unwrap()
}

fn error(text: &str) -> (String, String) {
    let error = text.parse::<ModelSpec>().unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    (error.to_string(), error.hint().unwrap().to_owned())
}

#[test]
fn every_form_is_read_and_written_again() {
    for text in [
        "ollama:qwen3:0.6b",
        "ollama:hf.co/unsloth/Qwen3-4B-GGUF:Q4_K_M",
        "openai:gpt-5-mini",
        "openai:qwen3@http://localhost:8080/v1",
        "openai:@cf/meta/llama-3@https://api.example.org/v1",
        "openai:org/model",
        "anthropic:claude-haiku-4-5",
        "builtin",
        "replay:tests/a.jsonl",
    ] {
        assert_eq!(spec(text).to_string(), text);
    }
}

#[test]
fn name_and_address_are_separated() {
    assert_eq!(
        spec("openai:@cf/meta/llama-3@https://user:p@ss@api.example.org/v1"),
        ModelSpec::Served(ServedModel {
            base_url: Some("https://user:p@ss@api.example.org/v1".to_owned()),
            ..ServedModel::new(ServerKind::OpenAi, "@cf/meta/llama-3")
        })
    );
    assert_eq!(
        spec("replay:C:\\a.jsonl"),
        ModelSpec::Replay {
            path: "C:\\a.jsonl".into()
        }
    );
    assert_eq!(spec(" OLLAMA:tiny "), spec("ollama:tiny"));
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    let shown = spec("openai:m@http://user:hush@localhost/v1").to_string();
    assert_eq!(shown, "openai:m@http://localhost/v1");
}

#[test]
fn the_error_for_a_bare_name_suggests_a_spec() {
    for (text, meant) in [
        ("qwen3:0.6b", "did you mean ollama:qwen3:0.6b?"),
        ("llama3", "did you mean ollama:llama3?"),
        (
            "claude-haiku-4-5",
            "did you mean anthropic:claude-haiku-4-5?",
        ),
        ("GPT-5", "did you mean openai:GPT-5?"),
    ] {
        let (message, hint) = error(text);
        assert!(message.contains(text), "{message}");
        assert!(hint.starts_with(meant), "{hint}");
        assert!(hint.contains("replay:FILE"), "{hint}");
    }
}

#[test]
fn errors_name_missing_and_invalid_parts() {
    for text in [
        "",
        "  ",
        "ollama:",
        "openai: ",
        "anthropic",
        "replay:",
        "openai:@http://a/v1",
    ] {
        let (_, hint) = error(text);
        assert!(hint.contains("ollama:NAME"), "{text}: {hint}");
    }
    let (message, hint) = error("openai:qwen3@localhost:8080/v1");
    assert!(message.contains("\"localhost:8080/v1\""), "{message}");
    assert!(hint.contains("http://"), "{hint}");
    error("openai:qwen3@http://");
    error("builtin:x");
}

#[test]
fn in_json_a_name_is_a_text() {
    assert_eq!(
        serde_json::to_value(spec("ollama:tiny")).unwrap(),
        serde_json::json!("ollama:tiny")
    );
}

#[test]
fn an_address_that_is_refused_is_shown_without_its_secrets() {
    for text in [
        "http://me:hush-hush@host/v1",
        "my@https://me:hush-hush@h?key=hush-hush",
    ] {
        let (message, hint) = error(text);
        let shown = format!("{message} {hint}");
        assert!(
            shown.contains("[hidden]") && !shown.contains("hush-hush"),
            "{shown}"
        );
    }
    // What follows an `@` elsewhere is no host.
    assert!(error("llama@7b").0.contains("llama@7b"));
}

#[test]
fn a_local_file_is_named_by_its_path() {
    let spec: ModelSpec = "local:~/models/SmolLM2.gguf".parse().unwrap();
    let path = "~/models/SmolLM2.gguf".into();
    assert_eq!(spec, ModelSpec::Local { path });
    assert_eq!(spec.to_string(), "local:~/models/SmolLM2.gguf");

    let error = "local:".parse::<ModelSpec>().unwrap_err();
    assert_eq!(error.to_string(), "\"local:\" names no file");
    assert!(error.hint().unwrap().contains("local:FILE"));
}
