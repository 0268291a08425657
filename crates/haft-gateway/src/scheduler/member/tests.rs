use haft_models::ModelSettings;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::json;

use super::*;

async fn ollama() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/api/tags" => Reply::json(json!({"models": [
            {"name": "a:latest", "size": 1}, {"name": "b:1", "size": 2}]})),
        "/api/ps" => Reply::json(json!({"models": [{"name": "a:latest"}]})),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

fn member(server: &ScriptedServer, change: impl FnOnce(&mut Upstream)) -> Member {
    let settings = ModelSettings::default();
    let server = ModelServer::new(ServerKind::Ollama, server.url(), &settings);
    let mut upstream = Upstream::from(server);
    change(&mut upstream);
    Member::new(upstream)
}

#[tokio::test]
async fn a_server_is_asked_for_its_models_and_those_in_memory() {
    let server = ollama().await;
    let member = member(&server, |_| {});
    assert_eq!(member.has("a"), Has::Unknown);
    assert!(member.is_loaded("b:1"), "nothing is known against it");
    member.learn(Duration::ZERO).await.unwrap();
    for (name, has) in [
        ("a", Has::Yes),
        ("a:latest", Has::Yes),
        ("b", Has::No),
        ("b:1", Has::Yes),
    ] {
        assert_eq!(member.has(name), has, "{name}");
    }
    assert!(member.is_loaded("a") && !member.is_loaded("b:1"));
    member.note_loaded("b:1");
    assert!(member.is_loaded("b:1"));
    // A list that is recent enough is not requested again.
    let asked = server.requests().len();
    member.learn(Duration::from_secs(60)).await.unwrap();
    assert_eq!(server.requests().len(), asked);
}

#[tokio::test]
async fn aliases_and_the_configured_models_are_respected() {
    let server = ollama().await;
    let member = member(&server, |upstream| {
        upstream.aliases = [("gpt".to_owned(), "b:1".to_owned())].into();
        upstream.models = vec!["a*".to_owned()];
    });
    assert_eq!((member.has("gpt"), member.has("b:1")), (Has::Yes, Has::No));
    assert_eq!(
        (member.real_name("gpt"), member.real_name("a")),
        ("b:1", "a")
    );
    member.learn(Duration::ZERO).await.unwrap();
    assert_eq!(member.names(), ["a:latest", "gpt"]);
    assert!(member.is_loaded("a") && !member.is_loaded("gpt"));
}

#[tokio::test]
async fn known_models_of_a_server_stay_when_it_does_not_answer() {
    let server = ollama().await;
    let member = member(&server, |_| {});
    member.learn(Duration::ZERO).await.unwrap();
    drop(server);
    tokio::task::yield_now().await;
    let error = member.learn(Duration::ZERO).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert_eq!(member.has("a"), Has::Yes);
}

#[test]
fn hosted_models_get_a_stable_prefix_on_request_only_and_anthropics_never() {
    let takes = |url: &str, asked| {
        let server = ModelServer::new(ServerKind::Anthropic, url, &ModelSettings::default());
        Member::new(server.into()).takes_stable_prefix(asked)
    };
    for near in [
        "http://127.0.0.1:8080",
        "http://192.168.1.7",
        "http://vllm:8000",
    ] {
        assert!(takes(near, None) && !takes(near, Some(false)), "{near}");
    }
    let hosted = "https://models.example.com";
    assert!(!takes(hosted, None) && takes(hosted, Some(true)));
    for own in [
        "https://api.anthropic.com",
        "https://API.anthropic.com:443/",
    ] {
        assert!(!takes(own, None) && !takes(own, Some(true)), "{own}");
    }
}
