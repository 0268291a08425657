use super::*;

fn settings(variables: &[(&str, &str)]) -> ModelSettings {
    ModelSettings::from_lookup(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn ollama_host_takes_every_form_that_ollama_takes() {
    for (value, expected) in [
        ("", "http://127.0.0.1:11434"),
        ("  ", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("box.local", "http://box.local:11434"),
        ("box.local:8000", "http://box.local:8000"),
        ("box.local:80", "http://box.local"),
        (":8000", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("http://0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("http://box.local", "http://box.local"),
        ("https://box.local/ollama/", "https://box.local/ollama"),
        ("box.local/ollama", "http://box.local:11434/ollama"),
        ("::1", "http://[::1]:11434"),
        ("[::]:8000", "http://[::1]:8000"),
        ("[::]", "http://[::1]:11434"),
        (" \"box.local\" ", "http://box.local:11434"),
        ("a b", "a b"),
    ] {
        let settings = settings(&[("OLLAMA_HOST", value)]);
        assert_eq!(settings.ollama_host, expected, "{value}");
    }
}

#[test]
fn every_variable_is_read() {
    let all = settings(&[
        ("OLLAMA_API_KEY", "a"),
        ("OPENAI_API_KEY", " b\n"),
        ("OPENAI_BASE_URL", "http://localhost:8080/v1"),
        ("ANTHROPIC_API_KEY", "c"),
        ("ANTHROPIC_BASE_URL", "http://localhost:8081"),
    ]);
    assert_eq!(all.ollama_api_key, Some(Secret::new("a")));
    assert_eq!(all.openai_api_key, Some(Secret::new("b")));
    assert_eq!(
        all.openai_base_url.as_deref(),
        Some("http://localhost:8080/v1")
    );
    assert_eq!(all.anthropic_api_key, Some(Secret::new("c")));
    assert_eq!(
        all.anthropic_base_url.as_deref(),
        Some("http://localhost:8081")
    );
}

#[test]
fn blank_variables_count_as_missing() {
    let blank = settings(&[("OPENAI_API_KEY", " "), ("OPENAI_BASE_URL", "")]);
    assert_eq!(blank.openai_api_key, None);
    assert_eq!(blank.openai_base_url, None);
}

#[test]
fn keys_are_not_shown() {
    let settings = settings(&[("OPENAI_API_KEY", "hush"), ("ANTHROPIC_API_KEY", "hush")]);
    assert!(!format!("{settings:?}").contains("hush"));
}
