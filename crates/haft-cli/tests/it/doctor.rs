//! `haft doctor`: on a bare machine, and beside servers.

use crate::support::{self, Machine, redacted, stub_mcp};
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// An Ollama with these models: name and capabilities.
async fn ollama(models: &'static [(&str, &[&str])]) -> ScriptedServer {
    ScriptedServer::with(move |request: &CapturedRequest| match request.path.as_str() {
        "/api/version" => Reply::json(json!({"version": "0.12.0"})),
        "/api/ps" => Reply::json(json!({"models": []})),
        "/api/tags" => {
            let model = |(name, _): &(&str, _)| json!({"name": name, "model": name, "size": 522_000_000});
            Reply::json(json!({"models": models.iter().map(model).collect::<Vec<_>>()}))
        }
        "/api/show" => {
            let asked = request.body["model"].as_str().unwrap_or_default();
            let found = models.iter().find(|(name, _)| *name == asked);
            Reply::json(json!({"capabilities": found.map(|(_, capabilities)| capabilities)}))
        }
        _ => Reply::text("no such place").with_status(404),
    })
    .await
}

fn states(said: &support::Said) -> Vec<(String, String)> {
    let findings = said.json()["findings"].clone();
    let pair = |f: &Value| {
        let text = |key: &str| f[key].as_str().unwrap().to_owned();
        (text("state"), text("subject"))
    };
    findings.as_array().unwrap().iter().map(pair).collect()
}

/// A machine with no address of an Ollama set.
fn unconfigured() -> Machine {
    Machine::new().with("OLLAMA_HOST", "")
}

#[test]
fn what_is_configured_and_does_not_answer_is_a_failure() {
    let said = Machine::new().haft(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_snapshot!(said.stdout.trim_end(), @r#"
    optional settings   no haft.toml, so the defaults hold
    failed   Ollama     No model server answers at http://127.0.0.1:1/api/version
                        hint: is the server running? start it with `ollama serve`, or name another address in OLLAMA_HOST; if there is no Ollama yet: https://ollama.com, then ollama pull qwen3:0.6b
    optional OpenAI     neither a key nor an address
                        hint: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server
    optional Anthropic  no key
                        hint: set ANTHROPIC_API_KEY
    ok       builtin    always there: no language model, but it knows the time and operates devices
    optional MCP        no servers are configured
                        hint: write them into .mcp.json, or name a file with --mcp
    ok       haft ask   would take builtin (no model server answers at 127.0.0.1:1)
    "#);
    assert_eq!(said.stderr, "");
}

#[test]
fn what_is_optional_is_no_failure() {
    let said = unconfigured().haft(&["doctor", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for (state, subject) in states(&said) {
        // An Ollama may run here.
        let is_fine = ["ok", "optional"].contains(&state.as_str()) || subject.contains("llama");
        assert!(is_fine, "{state} {subject}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_configured_thing_that_fails_counts() {
    let broken = json!({"mcpServers": {"broken": {"command": "no-such-program-here"}}});
    let fine = json!({"mcpServers": {}});
    for (servers, home, openai, code) in [
        (&fine, "demo", None, 0),
        (&broken, "demo", None, 1),
        (&fine, "ws://127.0.0.1:1", None, 1),
        (&fine, "demo", Some("http://127.0.0.1:1/v1"), 1),
    ] {
        let machine = unconfigured().with("OPENAI_BASE_URL", openai.unwrap_or_default());
        machine.write("servers.json", servers.to_string());
        let said = machine.haft(&["doctor", "--mcp", "servers.json", "--home", home]);
        assert_eq!(said.code, Some(code), "{said:?}");
        assert_eq!(said.stdout.contains("failed "), code == 1, "{said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_with_what_they_can_do() {
    let server = ollama(&[
        ("qwen3:0.6b", &["completion", "tools"]),
        ("gemma:2b", &["completion"]),
    ])
    .await;
    let machine = Machine::new().with("OLLAMA_HOST", server.url());
    let said = machine.haft(&["doctor", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let states = states(&said);
    let has = |state: &str, subject: &str| states.contains(&(state.to_owned(), subject.to_owned()));
    assert!(has("ok", "Ollama"), "{states:?}");
    assert!(has("ok", "ollama:qwen3:0.6b"), "{states:?}");
    assert!(has("missing", "ollama:gemma:2b"), "{states:?}");
    let last = said.json()["findings"].as_array().unwrap().last().unwrap()["text"].clone();
    assert!(
        last.as_str()
            .unwrap()
            .starts_with("would take ollama:qwen3:0.6b ("),
        "{last}"
    );
    assert_eq!(said.json()["models"]["ollama"]["version"], "0.12.0");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ollama_without_a_capable_model_is_told_how_to_get_one() {
    let server = ollama(&[]).await;
    let said = Machine::new()
        .with("OLLAMA_HOST", server.url())
        .haft(&["doctor"]);
    assert!(said.answer().contains("ollama pull qwen3:0.6b"), "{said:?}");
    let said =
        Machine::new()
            .with("OLLAMA_HOST", server.url())
            .haft(&["doctor", "-m", "ollama:big"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("ollama pull big"), "{said:?}");
}

#[test]
fn servers_are_started_and_the_broken_one_is_named() {
    let machine = Machine::new();
    stub_mcp(&machine);
    let good = std::fs::read_to_string(machine.path("servers.json")).unwrap();
    let mut config: Value = serde_json::from_str(&good).unwrap();
    config["mcpServers"]["broken"] = json!({"command": "no-such-program-here"});
    machine.write("servers.json", config.to_string());
    let said = machine.haft(&["doctor", "--mcp", "servers.json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let text = redacted(&said.stdout);
    assert!(
        text.contains("2 tools over stdio, started in [time]"),
        "{text}"
    );
    assert!(
        text.lines()
            .any(|line| line.starts_with("failed   MCP broken")),
        "{text}"
    );
    let said = machine.haft(&["doctor", "--mcp", "none.json"]);
    assert!(said.stdout.contains("none.json cannot be read"), "{said:?}");
}

#[test]
fn a_model_that_cannot_answer_is_a_failure() {
    let machine = Machine::new();
    for model in [
        "anthropic:claude-haiku-4-5",
        "nonsense",
        "replay:none.jsonl",
    ] {
        let said = machine.haft(&["doctor", "--model", model]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let last = said
            .stdout
            .lines()
            .rfind(|line| !line.starts_with(' '))
            .unwrap();
        assert!(last.starts_with("failed"), "{said:?}");
    }
}

#[test]
fn a_home_is_looked_at_where_one_is_named() {
    let home = |said: &support::Said| {
        let findings = said.json()["findings"].clone();
        let found = findings.as_array().unwrap().iter();
        found.clone().find(|f| f["subject"] == "home").cloned()
    };
    let machine = Machine::new();
    assert_eq!(home(&machine.haft(&["doctor", "--json"])), None);
    let said = machine.haft(&["doctor", "--json", "--home", "demo"]);
    assert_eq!(
        home(&said).unwrap()["text"],
        "demo home (simulated): 14 devices, 13 of them online"
    );
    let said = machine.haft(&["doctor", "--json", "--home", "ws://127.0.0.1:1"]);
    assert_eq!(
        home(&said).unwrap(),
        json!({
            "state": "failed",
            "subject": "home",
            "text": "The Z-Wave server at ws://127.0.0.1:1 cannot be reached.",
            "hint": "Check the address, and that the Z-Wave JS server is running.",
        })
    );
}

#[cfg(unix)]
#[test]
fn a_file_with_secrets_that_others_may_read_is_a_warning() {
    use std::os::unix::fs::PermissionsExt;

    let set = |machine: &Machine, name: &str, mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(machine.path(name), permissions).unwrap();
    };
    let server = json!({"url": "http://127.0.0.1:9/mcp", "disabled": true,
        "headers": {"Authorization": "Bearer t0p-hush-42"}});
    let with_secret = json!({"mcpServers": {"a": server}}).to_string();
    let without = json!({"mcpServers": {}}).to_string();
    let mqtt = "[mqtt]\nbroker = \"mqtt://me:hush-hush@broker\"\n";
    for (settings, servers, mode, expected) in [
        (mqtt, &with_secret, 0o644, 2),
        (mqtt, &with_secret, 0o640, 2),
        (mqtt, &with_secret, 0o600, 0),
        ("[model]\ntemperature = 0.5\n", &without, 0o644, 0),
    ] {
        let machine = unconfigured();
        machine.write("haft.toml", settings);
        machine.write(".mcp.json", servers.as_str());
        set(&machine, "haft.toml", mode);
        set(&machine, ".mcp.json", mode);
        let said = machine.haft(&["doctor"]);
        let text = said.answer();
        assert_eq!(text.matches("holds secrets").count(), expected, "{said:?}");
        assert_eq!(
            text.contains("hint: chmod 600 .mcp.json"),
            expected > 0,
            "{text}"
        );
        assert_eq!(
            text.contains("hint: chmod 600 haft.toml"),
            expected > 0,
            "{text}"
        );
        let shown = format!("{said:?}");
        assert!(
            !shown.contains("t0p-hush") && !shown.contains("hush-hush"),
            "{shown}"
        );
    }
}

/// A server like llama.cpp's, with one model and the context of 2,048 tokens.
async fn llama_server(supports_tools: bool) -> ScriptedServer {
    ScriptedServer::with(
        move |request: &CapturedRequest| match request.path.as_str() {
            "/props" => Reply::json(json!({
                "chat_template": "{{ messages }}",
                "chat_template_caps": {"supports_tools": supports_tools},
                "default_generation_settings": {"n_ctx": 2048},
            })),
            "/v1/models" => Reply::json(json!({"object": "list", "data": [
                {"id": "SmolLM2.gguf", "object": "model", "owned_by": "llamacpp"},
            ]})),
            _ => Reply::text("no such place").with_status(404),
        },
    )
    .await
}

/// What `haft doctor --json` says about a named model: state and text of the finding, and of the
/// last one.
fn about(said: &support::Said) -> [(String, String); 2] {
    let findings = said.json()["findings"].clone();
    let findings = findings.as_array().unwrap().clone();
    let pair = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap().to_owned();
        (text("state"), text("text"))
    };
    let model = findings
        .iter()
        .find(|finding| finding["subject"] == "model");
    [pair(model.unwrap()), pair(findings.last().unwrap())]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_of_a_named_model_is_asked_about_it() {
    for (supports, state, says) in [
        (true, "ok", "can call tools, context 2048 tokens"),
        (
            false,
            "warning",
            "the server gives it no tools, context 2048 tokens",
        ),
    ] {
        let server = llama_server(supports).await;
        let spec = format!("openai:any@{}/v1", server.url());
        let said = unconfigured().haft(&["doctor", "--json", "--model", &spec]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let [model, last] = about(&said);
        assert_eq!(model.0, state);
        assert_eq!(model.1, format!("any at {}/v1: {says}", server.url()));
        assert_eq!(last.1, format!("would take {spec} (--model)"));
        let tools = if supports { "supported" } else { "missing" };
        assert_eq!(said.json()["model"]["tools"], tools);
        assert_eq!(said.json()["model"]["context"], 2048);
        let text = unconfigured().haft(&["doctor", "--model", &spec]);
        let has_hint = text
            .answer()
            .contains("hint: tools are taught in its prompt instead");
        assert_eq!(has_hint, !supports, "{text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_model_that_its_server_lacks_is_a_failure() {
    let server = ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" | "/v1/models?limit=1000" => {
            Reply::json(json!({"data": [{"id": "tiny", "max_model_len": 4096}]}))
        }
        _ => Reply::text("no such place").with_status(404),
    })
    .await;
    let machine = unconfigured()
        .with("ANTHROPIC_BASE_URL", server.url())
        .with("ANTHROPIC_API_KEY", "sk-ant-test");
    let at = format!("@{}/v1", server.url());
    for (spec, code) in [
        (format!("openai:tiny{at}"), 0),
        (format!("openai:huge{at}"), 1),
        ("anthropic:tiny".to_owned(), 0),
        ("anthropic:huge".to_owned(), 1),
        ("openai:tiny@http://127.0.0.1:1/v1".to_owned(), 1),
    ] {
        let said = machine.haft(&["doctor", "--json", "--model", &spec]);
        assert_eq!(said.code, Some(code), "{said:?}");
        let [model, last] = about(&said);
        let state = if code == 0 { "ok" } else { "failed" };
        assert_eq!(
            (model.0.as_str(), last.0.as_str()),
            (state, state),
            "{said:?}"
        );
        let is_huge = spec.contains("huge");
        assert_eq!(
            model.1.contains("does not have huge; it has tiny"),
            is_huge,
            "{said:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_server_that_drops_tools_is_a_warning() {
    let server = llama_server(false).await;
    let machine = Machine::new().with("OPENAI_BASE_URL", &format!("{}/v1", server.url()));
    let said = machine.haft(&["doctor", "--json"]);
    assert!(
        states(&said).contains(&("warning".to_owned(), "OpenAI".to_owned())),
        "{said:?}"
    );
    assert_eq!(
        said.json()["models"]["openai"]["tools"]["SmolLM2.gguf"],
        "missing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_with_what_their_servers_do_with_tools() {
    let ollama = ollama(&[
        ("qwen3:0.6b", &["completion", "tools"]),
        ("gemma:2b", &["completion"]),
    ])
    .await;
    let server = llama_server(false).await;
    let machine = Machine::new()
        .with("OLLAMA_HOST", ollama.url())
        .with("OPENAI_BASE_URL", &format!("{}/v1", server.url()));
    assert_snapshot!(machine.haft(&["models"]).answer(), @r#"
    ollama:gemma:2b      no tools from its server: they are taught in its prompt
    ollama:qwen3:0.6b    tools
    openai:SmolLM2.gguf  no tools from its server: they are taught in its prompt, 2048 tokens of context
    builtin              tools
    "#);
    let said = machine.haft(&["models", "--json"]);
    let expected = json!([
        {"model": "ollama:gemma:2b", "tools": "missing", "thinks": false},
        {"model": "ollama:qwen3:0.6b", "tools": "supported", "thinks": false},
        {"model": "openai:SmolLM2.gguf", "tools": "missing", "context": 2048},
        {"model": "builtin", "tools": "supported"},
    ]);
    assert_eq!(said.json(), expected);
}

#[test]
fn without_servers_only_the_command_engine_is_listed() {
    let said = Machine::new().haft(&["models"]);
    assert_eq!(said.answer(), "builtin  tools");
    assert!(said.stderr.contains("No model server answers"), "{said:?}");
}
