//! The pages of llama.cpp's server about itself.

use haft_gateway::Upstream;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

/// A server with one model that belongs to `owner`, and with the pages.
async fn serving(model: &'static str, owner: &'static str) -> ScriptedServer {
    ScriptedServer::with(move |request: &CapturedRequest| {
        let path = request.path.split('?').next().unwrap_or_default();
        match path {
            "/v1/models" => Reply::json(json!({"data": [{"id": model, "owned_by": owner}]})),
            "/props" => Reply::json(json!({"chat_template": model, "of": owner})),
            "/slots" => Reply::json(json!([{"id": 0, "model": model}])),
            _ => Reply::text("404").with_status(404),
        }
    })
    .await
}

fn named(name: &str, server: &ScriptedServer, alias: &str, model: &str) -> Upstream {
    let mut upstream = upstream(name, server);
    upstream.aliases = [(alias.to_owned(), model.to_owned())].into();
    upstream
}

#[tokio::test]
async fn the_pages_come_from_the_only_server_of_llama_cpp() {
    let (llama, other) = (serving("a", "llamacpp").await, serving("b", "vllm").await);
    let pool = pool(vec![upstream("other", &other), upstream("llama", &llama)]).await;
    let props = pool.json("GET", "/props", &Value::Null).await;
    assert_eq!(props, json!({"chat_template": "a", "of": "llamacpp"}));
    let slots = pool.json("GET", "/slots", &Value::Null).await;
    assert_eq!(slots, json!([{"id": 0, "model": "a"}]));
    let mut paths = other.requests().into_iter().map(|request| request.path);
    assert!(paths.all(|path| path == "/v1/models"));
}

#[tokio::test]
async fn of_several_servers_the_one_with_the_model_is_asked() {
    let (one, two) = (
        serving("a", "llamacpp").await,
        serving("b", "llamacpp").await,
    );
    let upstreams = vec![named("one", &one, "x", "a"), named("two", &two, "y z", "b")];
    let pool = pool(upstreams).await;
    let props = pool.json("GET", "/props?model=y%20z", &Value::Null).await;
    assert_eq!(props["chat_template"], "b");
    let (status, _, text) = pool.http("GET", "/props", &Value::Null).await;
    assert_eq!(status, 400);
    assert!(text.contains("/props?model=NAME"), "{text}");
    let (status, _, _) = pool.http("GET", "/props?model=c", &Value::Null).await;
    assert_eq!(status, 404);
}
