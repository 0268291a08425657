use std::collections::HashMap;

use haft_testing::{Reply, ScriptedServer};
use serde_json::{Value, json};

use super::*;

/// An Ollama with these models: name, size, capabilities; and these loaded.
async fn ollama(
    installed: &'static [(&'static str, u64, &'static [&'static str])],
    loaded: &'static [&'static str],
) -> ScriptedServer {
    let capabilities: HashMap<&str, &[&str]> = installed
        .iter()
        .map(|(name, _, can)| (*name, *can))
        .collect();
    ScriptedServer::with(move |request| match request.path.as_str() {
        "/api/version" => Reply::json(json!({"version": "0.12.10"})),
        "/api/tags" => {
            let model =
                |(name, size, _): &(&str, u64, &[&str])| json!({"name": name, "size": size});
            let models: Vec<Value> = installed.iter().map(model).collect();
            Reply::json(json!({"models": models}))
        }
        "/api/ps" => {
            let models: Vec<Value> = loaded.iter().map(|name| json!({"name": name})).collect();
            Reply::json(json!({"models": models}))
        }
        "/api/show" => {
            let name = request.body["model"].as_str().unwrap();
            Reply::json(json!({"capabilities": capabilities[name]}))
        }
        other => Reply::text(other).with_status(404),
    })
    .await
}

fn at(server: &ScriptedServer) -> ModelSettings {
    let mut settings = ollama_at(server.url());
    for kind in [ServerKind::OpenAi, ServerKind::Anthropic] {
        settings.server_mut(kind).api_key = Some(crate::Secret::new("sk-hush"));
    }
    settings
}

fn ollama_at(url: &str) -> ModelSettings {
    let mut settings = ModelSettings::default();
    settings.server_mut(ServerKind::Ollama).url = Some(url.to_owned());
    settings
}

async fn chosen(server: &ScriptedServer) -> (String, String) {
    let choice = choose_model(&at(server)).await;
    (choice.spec.to_string(), choice.reason)
}

const TOOLS: &[&str] = &["completion", "tools"];
const TEXT: &[&str] = &["completion"];

#[tokio::test]
async fn a_loaded_model_that_can_call_tools_goes_first() {
    let server = ollama(
        &[
            ("small", 1, TOOLS),
            ("embed", 2, &["embedding"]),
            ("big", 9, TOOLS),
        ],
        &["embed", "big"],
    )
    .await;
    let (spec, reason) = chosen(&server).await;
    assert_eq!(spec, "ollama:big");
    assert_eq!(reason, "loaded in Ollama and can call tools");
}

#[tokio::test]
async fn else_the_smallest_installed_one_that_can_call_tools() {
    let server = ollama(
        &[("big", 9, TOOLS), ("middle", 5, TOOLS), ("small", 1, TEXT)],
        &["small"],
    )
    .await;
    let (spec, reason) = chosen(&server).await;
    assert_eq!(spec, "ollama:middle");
    assert_eq!(reason, "smallest installed model that can call tools");
}

#[tokio::test]
async fn else_the_embedded_engine() {
    let server = ollama(&[("small", 1, TEXT)], &[]).await;
    let (spec, reason) = chosen(&server).await;
    let address = server.url().trim_start_matches("http://");
    assert_eq!(spec, "builtin");
    assert_eq!(
        reason,
        format!("no model of Ollama at {address} can call tools")
    );

    let (spec, reason) = chosen(&ollama(&[], &[]).await).await;
    assert_eq!(spec, "builtin");
    assert!(reason.ends_with("has no models"), "{reason}");
}

#[tokio::test]
async fn a_missing_server_is_not_an_error() {
    let mut settings = ollama_at("http://127.0.0.1:9");
    settings.server_mut(ServerKind::OpenAi).api_key = Some(crate::Secret::new("sk-hush"));
    let choice = choose_model(&settings).await;
    assert_eq!(choice.spec, ModelSpec::Builtin);
    assert_eq!(choice.reason, "no model server answers at 127.0.0.1:9");
    let settings = ollama_at("a b");
    assert_eq!(choose_model(&settings).await.spec, ModelSpec::Builtin);
}

#[tokio::test]
async fn another_service_at_the_address_is_not_an_error() {
    let server = ScriptedServer::with(|_| Reply::new("text/html", "<html>Router</html>")).await;
    let (spec, reason) = chosen(&server).await;
    assert_eq!(spec, "builtin");
    assert!(reason.ends_with("does not list its models"), "{reason}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_costs_little_time() {
    let server = ScriptedServer::with(|_| Reply::silence()).await;
    let start = tokio::time::Instant::now();
    let (spec, _) = chosen(&server).await;
    assert_eq!(spec, "builtin");
    assert!(start.elapsed() < 2 * FIRST_ANSWER, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_model_in_the_cloud_is_never_chosen() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/tags" => Reply::json(json!({"models": [
            {"name": "gpt-oss:120b-cloud", "size": 384},
            {"name": "renamed", "size": 385, "remote_host": "https://ollama.com:443"},
            {"name": "hidden", "size": 386},
            {"name": "local", "size": 9_000_000},
        ]})),
        "/api/ps" => Reply::json(json!({"models": null})),
        _ if request.body["model"] == "hidden" => {
            Reply::json(json!({"capabilities": ["tools"], "remote_host": "https://ollama.com:443"}))
        }
        _ => Reply::json(json!({"capabilities": ["tools"]})),
    })
    .await;
    assert_eq!(chosen(&server).await.0, "ollama:local");
}

#[tokio::test]
async fn for_an_old_server_the_template_shows_tool_support() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/api/tags" => Reply::json(
            json!({"models": [{"name": "plain", "size": 1}, {"name": "tooled", "size": 2}]}),
        ),
        "/api/show" if request.body["model"] == "tooled" => {
            Reply::json(json!({"template": "{{ if .Tools }}{{ .Tools }}{{ end }}"}))
        }
        "/api/show" => Reply::json(json!({"template": "{{ .Prompt }}"})),
        _ => Reply::text("404 page not found").with_status(404),
    })
    .await;
    assert_eq!(chosen(&server).await.0, "ollama:tooled");
}

#[tokio::test]
async fn the_survey_lists_the_models() {
    let server = ollama(&[("big", 9, TOOLS), ("small", 1, TEXT)], &["big"]).await;
    let mut settings = at(&server);
    settings.server_mut(ServerKind::OpenAi).api_key = None;
    let found = survey(&settings).await;
    assert_eq!(
        serde_json::to_value(&found).unwrap(),
        json!({
            "ollama": {
                "address": server.url(),
                "version": "0.12.10",
                "models": [
                    {"name": "small", "size_bytes": 1, "calls_tools": false, "loaded": false},
                    {"name": "big", "size_bytes": 9, "calls_tools": true, "loaded": true},
                ],
            },
            "anthropic": {"key_set": true},
        })
    );
}

#[tokio::test]
async fn the_survey_asks_the_openai_server_only_where_one_is_configured() {
    let server = ScriptedServer::with(|request| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => Reply::text("?").with_status(404),
    })
    .await;
    let mut settings = ollama_at("http://127.0.0.1:9");
    settings.server_mut(ServerKind::OpenAi).url = Some(format!("{}/v1", server.url()));
    let found = survey(&settings).await;
    let openai = found.openai.unwrap();
    assert_eq!(openai.models, ["tiny"]);
    assert!(!openai.key_set);
    assert!(found.ollama.problem.unwrap().contains("127.0.0.1:9"));
    assert!(found.ollama.hint.unwrap().contains("ollama serve"));
    let settings = ollama_at("http://127.0.0.1:9");
    assert!(survey(&settings).await.openai.is_none());
}

#[tokio::test]
async fn the_survey_reports_the_problem_of_the_openai_server() {
    let server = ScriptedServer::with(|_| Reply::text("who?").with_status(401)).await;
    let mut settings = at(&server);
    settings.server_mut(ServerKind::OpenAi).url = Some(server.url().to_owned());
    let openai = survey(&settings).await.openai.unwrap();
    assert!(openai.key_set);
    assert!(openai.hint.unwrap().contains("OPENAI_API_KEY"));
    assert!(openai.problem.is_some());
}
