use std::collections::HashSet;

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
        assert_eq!(settings.url(ServerKind::Ollama), expected, "{value}");
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
    let server = |url: Option<&str>, key: &str| ServerSettings {
        url: url.map(str::to_owned),
        api_key: Some(Secret::new(key)),
    };
    for (kind, expected) in [
        (ServerKind::Ollama, server(None, "a")),
        (
            ServerKind::OpenAi,
            server(Some("http://localhost:8080/v1"), "b"),
        ),
        (
            ServerKind::Anthropic,
            server(Some("http://localhost:8081"), "c"),
        ),
    ] {
        assert_eq!(all.server(kind), &expected);
    }
}

#[test]
fn blank_variables_count_as_missing() {
    let blank = settings(&[("OPENAI_API_KEY", " "), ("OPENAI_BASE_URL", "")]);
    assert_eq!(blank.server(ServerKind::OpenAi), &ServerSettings::default());
    assert_eq!(blank.url(ServerKind::OpenAi), "https://api.openai.com/v1");
}

#[test]
fn keys_are_not_shown() {
    let settings = settings(&[("OPENAI_API_KEY", "hush"), ("ANTHROPIC_API_KEY", "hush")]);
    assert!(!format!("{settings:?}").contains("hush"));
}

#[test]
fn names_and_variables_of_providers_are_unique() {
    let mut seen = HashSet::new();
    for provider in PROVIDERS {
        let about = provider.about();
        assert_eq!(by_name(about.name), Some(*provider));
        for name in [
            about.name,
            about.api.name,
            about.url_variable,
            about.key_variable,
        ] {
            assert!(seen.insert(name), "{name}");
        }
    }
    assert_eq!(by_name("telnet"), None);
}

#[test]
fn one_key_can_replace_those_of_the_environment() {
    let mut settings = settings(&[("OPENAI_API_KEY", "hush")]);
    let own = Secret::new("own");
    settings.set_every_key(Some(&own));
    for provider in PROVIDERS {
        let key = settings.api_key_of(provider.about().name);
        assert_eq!(key, Some("own"), "{provider:?}");
    }
    settings.set_every_key(None);
    assert_eq!(settings.server(ServerKind::OpenAi).api_key, None);
}
