//! Embeddings, from each API that has them to each kind of model server.

use haft_models::ServerKind;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

/// A server of chat completions with embeddings; the vectors come in the wrong order.
async fn openai() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "bge"}]})),
        "/v1/embeddings" if request.body["input"] == json!(["one"]) => {
            Reply::json(json!({"object": "list", "model": "bge", "usage": {"prompt_tokens": 1},
                "data": [{"object": "embedding", "index": 0, "embedding": [0.5, -1.25]}]}))
        }
        "/v1/embeddings" => Reply::json(json!({"object": "list", "model": "bge", "extra": 1,
            "data": [{"index": 1, "embedding": [3.0, 4.0]}, {"index": 0, "embedding": [0.5, -1.25]}],
            "usage": {"prompt_tokens": 7, "total_tokens": 7}})),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

async fn ollama() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/api/tags" => Reply::json(json!({"models": [{"name": "nomic:latest"}]})),
        "/api/ps" => Reply::json(json!({"models": []})),
        "/api/embed" => Reply::json(json!({"model": "nomic", "total_duration": 9,
            "embeddings": [[0.5, -1.25], [3.0, 4.0]], "prompt_eval_count": 7})),
        "/api/embeddings" => Reply::json(json!({"embedding": [0.5, -1.25]})),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

/// The last request for embeddings that a server received.
fn last(server: &ScriptedServer) -> CapturedRequest {
    let requests = server.requests().into_iter();
    let mut embeddings = requests.filter(|one| one.path.contains("embed"));
    embeddings.next_back().unwrap()
}

#[tokio::test]
async fn a_client_of_openai_gets_embeddings_of_ollama() {
    let server = ollama().await;
    let mut upstream = upstream_of(ServerKind::Ollama, "ollama", server.url());
    upstream.aliases = [("ada".to_owned(), "nomic".to_owned())].into();
    let pool = pool(vec![upstream]).await;
    let mut asked = json!({"model": "ada", "input": ["one", "two"], "dimensions": 2, "user": "u"});
    let (status, headers, text) = pool.http("POST", "/v1/embeddings", &asked).await;
    assert_eq!(status, 200, "{text}");
    assert_eq!(headers["x-haft-dropped"], "user");
    let reply: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(reply["object"], "list");
    assert_eq!(reply["model"], "ada");
    assert_eq!(
        reply["data"][1],
        json!({"object": "embedding", "index": 1, "embedding": [3.0, 4.0]})
    );
    assert_eq!(
        reply["usage"],
        json!({"prompt_tokens": 7, "total_tokens": 7})
    );
    let sent = last(&server);
    assert_eq!(sent.path, "/api/embed");
    assert_eq!(
        sent.body,
        json!({"model": "nomic", "input": ["one", "two"], "dimensions": 2, "truncate": false})
    );
    asked["encoding_format"] = "base64".into();
    let reply = pool.json("POST", "/v1/embeddings", &asked).await;
    // 0.5 and -1.25 as little-endian 32-bit floats.
    assert_eq!(reply["data"][0]["embedding"], "AAAAPwAAoL8=");
}

#[tokio::test]
async fn a_client_of_ollama_gets_embeddings_of_a_server_of_chat_completions() {
    let server = openai().await;
    let pool = pool(vec![upstream("openai", &server)]).await;
    let asked = json!({"model": "bge", "input": ["one", "two"], "keep_alive": "5m"});
    let (status, headers, text) = pool.http("POST", "/api/embed", &asked).await;
    assert_eq!(status, 200, "{text}");
    assert_eq!(headers["x-haft-dropped"], "keep_alive");
    let reply: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        reply,
        json!({"model": "bge", "embeddings": [[0.5, -1.25], [3.0, 4.0]], "prompt_eval_count": 7})
    );
    assert_eq!(
        last(&server).body,
        json!({"model": "bge", "input": ["one", "two"]})
    );
    let asked = json!({"model": "bge", "prompt": "one"});
    let reply = pool.json("POST", "/api/embeddings", &asked).await;
    assert_eq!(reply, json!({"embedding": [0.5, -1.25]}));
    // An empty text loads a model of Ollama's, and has no vector.
    let reply = pool
        .json("POST", "/api/embed", &json!({"model": "bge", "input": ""}))
        .await;
    assert_eq!(reply["embeddings"], json!([]));
}

#[tokio::test]
async fn a_server_of_the_same_api_gets_every_field_and_its_reply_is_the_clients() {
    let (chat, server) = (openai().await, ollama().await);
    let ollama = upstream_of(ServerKind::Ollama, "ollama", server.url());
    let pool = pool(vec![upstream("openai", &chat), ollama]).await;
    let asked = json!({"model": "bge", "input": [[1, 2], [3]], "encoding_format": "float", "x": 1});
    let reply = pool.json("POST", "/v1/embeddings", &asked).await;
    assert_eq!(
        (&reply["extra"], &reply["data"][0]["index"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(last(&chat).body, asked);
    let asked =
        json!({"model": "nomic", "input": "a", "options": {"num_ctx": 9}, "truncate": true});
    let reply = pool.json("POST", "/api/embed", &asked).await;
    assert_eq!(reply["total_duration"], 9);
    assert_eq!(last(&server).body, asked);
    let asked = json!({"model": "nomic", "prompt": "a"});
    let reply = pool.json("POST", "/api/embeddings", &asked).await;
    assert_eq!(reply, json!({"embedding": [0.5, -1.25]}));
    assert_eq!(last(&server).path, "/api/embeddings");
}

#[tokio::test]
async fn what_cannot_be_embedded_is_refused_in_the_clients_form() {
    let server = ollama().await;
    let ollama = upstream_of(ServerKind::Ollama, "ollama", server.url());
    let ollama = pool(vec![ollama]).await;
    for (asked, word) in [
        (json!({"model": "nomic", "input": [[1, 2]]}), "tokens"),
        (json!({"model": "nomic", "input": ""}), "`input` is empty"),
        (json!({"model": "nomic"}), "`input` is missing"),
        (json!({"input": "a"}), "names no model"),
        (
            json!({"model": "nomic", "input": "a", "encoding_format": "x"}),
            "encoding_format",
        ),
        // The server sends two vectors.
        (
            json!({"model": "nomic", "input": "a"}),
            "not one of embeddings",
        ),
    ] {
        let (status, _, text) = ollama.http("POST", "/v1/embeddings", &asked).await;
        let body: Value = serde_json::from_str(&text).unwrap();
        let message = body["error"]["message"].as_str().unwrap();
        assert!(
            message.contains(word) && status >= 400,
            "{asked}: {status} {message}"
        );
    }
    let anthropic = upstream_of(ServerKind::Anthropic, "anthropic", server.url());
    let anthropic = pool(vec![anthropic]).await;
    let asked = json!({"model": "claude", "input": "a"});
    let (status, _, text) = anthropic.http("POST", "/api/embed", &asked).await;
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 400);
    assert!(
        body["error"]
            .as_str()
            .unwrap()
            .contains("has no embeddings"),
        "{body}"
    );
}
