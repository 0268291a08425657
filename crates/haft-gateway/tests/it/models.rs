//! Lists of models, names and aliases, and forwarding to the upstreams.

use haft_gateway::Upstreams;
use haft_models::ServerKind;
use haft_testing::{CapturedRequest, Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::pool::*;

async fn ollama() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/api/tags" => Reply::json(json!({"models": [
            {"name": "qwen3:8b", "model": "qwen3:8b", "size": 5, "details": {"family": "qwen3"}},
            {"name": "nomic:latest", "model": "nomic:latest", "size": 2}]})),
        "/api/ps" => Reply::json(json!({"models": [{"name": "qwen3:8b", "size_vram": 7}]})),
        "/api/show" => match request.body["model"].as_str() {
            Some("qwen3:8b") => Reply::json(json!({"template": "{{ .Messages }}",
                "model_info": {"qwen3.context_length": 40960},
                "capabilities": ["completion", "thinking"]})),
            Some("nomic") => Reply::json(json!({"capabilities": ["embedding"]})),
            _ => Reply::json(json!({"error": "not found"})).with_status(404),
        },
        "/api/chat" => Reply::ndjson([
            json!({"message": {"content": request.body["model"]}, "done": false}),
            json!({"message": {"content": ""}, "done": true}),
        ]),
        "/api/pull" => Reply::ndjson([json!({"status": "pulling"}), json!({"status": "success"})]),
        "/api/embed" => Reply::json(json!({"model": request.body["model"]})),
        _ => Reply::text("404").with_status(404),
    })
    .await
}

async fn openai() -> ScriptedServer {
    ScriptedServer::with(|request: &CapturedRequest| match request.path.as_str() {
        "/v1/models" => Reply::json(json!({"data": [{"id": "llama"}, {"id": "bge"}]})),
        "/v1/chat/completions" => says(request.body["model"].as_str().unwrap()),
        "/v1/embeddings" => Reply::json(json!({"model": request.body["model"]})),
        _ => Reply::json(json!({"error": {"message": "nothing here"}})).with_status(404),
    })
    .await
}

/// An Ollama and an OpenAI-compatible server, with aliases for two of their models.
async fn both(admin: bool) -> (Pool, ScriptedServer, ScriptedServer) {
    let (ollama, openai) = (ollama().await, openai().await);
    let mut one = upstream_of(ServerKind::Ollama, "ollama", ollama.url());
    one.aliases = [("small".to_owned(), "qwen3:8b".to_owned())].into();
    let mut two = upstream("openai", &openai);
    two.aliases = [("gpt-4o".to_owned(), "llama".to_owned())].into();
    let upstreams = Upstreams::new(vec![one, two, nobody("dead").await]).unwrap();
    (served(upstreams, admin).await, ollama, openai)
}

fn names(list: &Value, key: &str) -> Vec<String> {
    let models = list.as_array().unwrap().iter();
    models
        .map(|model| model[key].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn model_lists_name_the_models_and_aliases_of_all_upstreams() {
    let (pool, _ollama, _openai) = both(false).await;
    let all = [
        "qwen3:8b",
        "small",
        "nomic:latest",
        "llama",
        "gpt-4o",
        "bge",
    ];
    let list = pool.json("GET", "/v1/models", &Value::Null).await;
    let mut found = names(&list["data"], "id");
    found.sort();
    let mut expected = all;
    expected.sort();
    assert_eq!(found, expected);
    let list = pool.json("GET", "/api/tags", &Value::Null).await;
    assert_eq!(names(&list["models"], "name"), all);
    assert_eq!(list["models"][1]["model"], "small");
    assert_eq!(list["models"][1]["details"]["family"], "qwen3");
    let list = pool.json("GET", "/api/ps", &Value::Null).await;
    assert_eq!(names(&list["models"], "name"), ["qwen3:8b", "small"]);
    assert_eq!(list["models"][1]["size_vram"], 7);
}

#[tokio::test]
async fn models_of_other_servers_have_a_digest_and_details_for_clients_of_ollama() {
    let server = ScriptedServer::with(|_: &CapturedRequest| {
        let meta = json!({"n_params": 134_515_008, "size": 144_811_008});
        Reply::json(
            json!({"data": [{"id": "smol", "owned_by": "llamacpp", "created": 1_700_000_000,
            "meta": meta}, {"id": "bare"}]}),
        )
    })
    .await;
    let pool = pool(vec![upstream("llama", &server)]).await;
    let list = pool.json("GET", "/api/tags", &Value::Null).await;
    let [smol, bare] = [&list["models"][0], &list["models"][1]];
    assert_eq!(smol["size"], 144_811_008);
    assert_eq!(smol["modified_at"], "2023-11-14T22:13:20Z");
    assert_eq!(smol["details"]["parameter_size"], "134.52M");
    assert_eq!(smol["details"]["format"], "gguf");
    assert_eq!(smol["digest"].as_str().unwrap().len(), 64);
    assert_ne!(smol["digest"], bare["digest"]);
    assert_eq!(bare["details"]["parameter_size"], "");
    let again = pool.json("GET", "/api/tags", &Value::Null).await;
    assert_eq!(again, list);
}

#[tokio::test]
async fn a_client_of_anthropic_reads_the_list_in_its_own_form() {
    let (pool, _ollama, _openai) = both(false).await;
    let read = async |path: &str| {
        let request = http_client()
            .get(format!("{}{path}", pool.url))
            .header("anthropic-version", "2023-06-01");
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        (status, body)
    };
    let (_, list) = read("/v1/models").await;
    assert_eq!(list["has_more"], false);
    assert_eq!(list["data"].as_array().unwrap().len(), 6);
    assert_eq!(list["first_id"], list["data"][0]["id"]);
    assert_eq!(list["last_id"], list["data"][5]["id"]);
    let (_, model) = read("/v1/models/gpt-4o").await;
    assert_eq!(model["type"], "model");
    assert_eq!(model["display_name"], "gpt-4o");
    let (status, error) = read("/v1/models/nobody").await;
    assert_eq!((status, &error["type"]), (404, &json!("error")));
}

#[tokio::test]
async fn one_model_can_be_looked_up_by_its_name() {
    let (pool, _ollama, _openai) = both(false).await;
    let model = pool.json("GET", "/v1/models/qwen3:8b", &Value::Null).await;
    assert_eq!(model["id"], "qwen3:8b");
    assert_eq!(model["object"], "model");
    let (status, _, error) = pool.http("GET", "/v1/models/no/body", &Value::Null).await;
    assert_eq!(status, 404);
    assert!(error.contains("no/body"), "{error}");
}

#[tokio::test]
async fn engine_options_of_a_client_reach_the_engine() {
    let (pool, ollama, openai) = both(false).await;
    let messages = json!([{"role": "user", "content": QUESTION}]);
    let options = json!({"top_k": 20, "min_p": 0.5, "repeat_penalty": 1.5, "mirostat": 2});
    for (model, stream) in [("qwen3:8b", true), ("llama", false)] {
        let body = json!({"model": model, "messages": messages, "options": options,
            "keep_alive": "10m", "stream": stream});
        let (status, _, text) = pool.http("POST", "/api/chat", &body).await;
        assert_eq!(status, 200, "{text}");
    }
    let asked = |server: &ScriptedServer, path: &str| {
        let requests = server.requests().into_iter();
        let mut asked = requests.filter(|one| one.path == path);
        asked.next_back().unwrap().body
    };
    let sent = asked(&ollama, "/api/chat");
    assert_eq!(sent["keep_alive"], "10m");
    for (name, value) in options.as_object().unwrap() {
        assert_eq!(&sent["options"][name], value, "{name}");
    }
    let sent = asked(&openai, "/v1/chat/completions");
    assert_eq!((&sent["top_k"], &sent["min_p"]), (&json!(20), &json!(0.5)));
    assert!(sent.get("mirostat").is_none());
}

#[tokio::test]
async fn each_model_is_asked_at_its_upstream_by_its_real_name() {
    let (pool, _ollama, _openai) = both(false).await;
    let question = [haft_core::Message::human(QUESTION)];
    for (name, real) in [
        ("qwen3:8b", "qwen3:8b"),
        ("small", "qwen3:8b"),
        ("gpt-4o", "llama"),
        ("llama", "llama"),
        ("nomic", "nomic"),
    ] {
        assert_eq!(
            pool.ask_messages(name, &question).await.unwrap(),
            real,
            "{name}"
        );
    }
    let error = pool.ask_messages("nobody", &question).await.unwrap_err();
    // The unreachable upstream never listed its models, so it could have this one.
    assert_eq!(error.status(), Some(502), "{error}");
}

#[tokio::test]
async fn a_new_model_is_found_and_an_unknown_one_is_not() {
    let is_new = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let new = is_new.clone();
    let server = ScriptedServer::with(move |request| match request.path.as_str() {
        "/v1/models" if new.load(std::sync::atomic::Ordering::SeqCst) => {
            Reply::json(json!({"data": [{"id": "tiny"}, {"id": "new"}]}))
        }
        "/v1/models" => Reply::json(json!({"data": [{"id": "tiny"}]})),
        _ => says("yes"),
    })
    .await;
    let other = saying("no").await;
    let pool = pool(vec![upstream("one", &server), upstream("two", &other)]).await;
    let question = [haft_core::Message::human(QUESTION)];
    let error = pool.ask_messages("new", &question).await.unwrap_err();
    assert_eq!(error.status(), Some(404));
    is_new.store(true, std::sync::atomic::Ordering::SeqCst);
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    assert_eq!(pool.ask_messages("new", &question).await.unwrap(), "yes");
}

#[tokio::test]
async fn only_the_configured_models_can_be_used() {
    let server = openai().await;
    let mut one = upstream("one", &server);
    one.models = vec!["ll*".to_owned()];
    let pool = pool(vec![one]).await;
    let list = pool.json("GET", "/v1/models", &Value::Null).await;
    assert_eq!(names(&list["data"], "id"), ["llama"]);
    let question = [haft_core::Message::human(QUESTION)];
    assert_eq!(
        pool.ask_messages("llama", &question).await.unwrap(),
        "llama"
    );
    let error = pool.ask_messages("bge", &question).await.unwrap_err();
    assert_eq!(error.status(), Some(404), "{error}");
}

#[tokio::test]
async fn capabilities_of_a_model_are_those_of_its_server() {
    let (pool, _ollama, _openai) = both(false).await;
    for name in ["qwen3:8b", "small"] {
        let shown = pool
            .json("POST", "/api/show", &json!({"model": name}))
            .await;
        assert_eq!(shown["model_info"]["qwen3.context_length"], 40960);
        assert_eq!(shown["template"], "{{ .Messages }}");
        assert_eq!(
            shown["capabilities"],
            json!(["completion", "thinking", "tools"])
        );
    }
    let shown = pool
        .json("POST", "/api/show", &json!({"name": "nomic"}))
        .await;
    assert_eq!(shown["capabilities"], json!(["embedding"]));
    let shown = pool
        .json("POST", "/api/show", &json!({"model": "gpt-4o"}))
        .await;
    assert_eq!(shown["capabilities"], json!(["completion", "tools"]));
    let (status, _, body) = pool
        .http("POST", "/api/show", &json!({"model": "nobody"}))
        .await;
    assert!(matches!(status, 404 | 502), "{body}");
}

#[tokio::test]
async fn other_paths_are_forwarded_to_an_upstream_with_the_same_api() {
    let (pool, ollama, openai) = both(false).await;
    let shown = pool
        .json(
            "POST",
            "/v1/embeddings",
            &json!({"model": "gpt-4o", "input": "a"}),
        )
        .await;
    assert_eq!(shown["model"], "llama");
    let shown = pool
        .json(
            "POST",
            "/api/embed",
            &json!({"model": "small", "input": "a"}),
        )
        .await;
    assert_eq!(shown["model"], "qwen3:8b");
    for server in [&ollama, &openai] {
        for request in server.requests() {
            for value in [request.header("authorization"), request.header("x-api-key")] {
                assert!(
                    !value.unwrap_or_default().contains("sk-client"),
                    "{request:?}"
                );
            }
        }
    }
    let sent = openai
        .requests()
        .into_iter()
        .find(|one| one.path == "/v1/embeddings")
        .unwrap();
    assert_eq!(sent.header("authorization"), Some("Bearer sk-own"));
    // The client receives the server's response.
    let (status, _, body) = pool.http("GET", "/v1/files", &Value::Null).await;
    assert_eq!((status, body.contains("nothing here")), (404, true));
    // No upstream has this API.
    let (status, _, body) = pool.http("GET", "/v1/messages/batches", &Value::Null).await;
    assert_eq!(status, 404);
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["type"], "error");
    let (status, _, body) = pool.http("GET", "/props", &Value::Null).await;
    assert_eq!(
        (status, body.contains("There is no /props here")),
        (404, true)
    );
}

#[tokio::test]
async fn models_can_be_changed_only_if_permitted() {
    let pull = json!({"model": "new"});
    let (pool, ollama, _openai) = both(false).await;
    for (method, path) in [
        ("POST", "/api/pull"),
        ("POST", "/api/push"),
        ("POST", "/api/create"),
        ("POST", "/api/copy"),
        ("DELETE", "/api/delete"),
        ("POST", "/api/blobs/sha256:1"),
    ] {
        let (status, _, body) = pool.http(method, path, &pull).await;
        assert_eq!(status, 404, "{path}");
        let body: Value = serde_json::from_str(&body).unwrap();
        assert!(
            body["error"].as_str().unwrap().contains("--admin"),
            "{body}"
        );
    }
    let is_administrative = |one: &CapturedRequest| one.path.contains("pull");
    assert!(!ollama.requests().iter().any(is_administrative));
    let (pool, ollama, _openai) = both(true).await;
    let (status, _, body) = pool.http("POST", "/api/pull", &pull).await;
    assert_eq!(
        (status, body.ends_with("\"success\"}\n")),
        (200, true),
        "{body}"
    );
    assert!(ollama.requests().iter().any(is_administrative));
}

#[tokio::test]
async fn a_forwarded_request_is_unpacked_and_its_redirect_is_not_followed() {
    let elsewhere = openai().await;
    let target = format!("{}/v1/rerank", elsewhere.url());
    let server =
        ScriptedServer::with(
            move |request: &CapturedRequest| match request.path.as_str() {
                "/v1/score" => Reply::json(json!({"model": request.body["model"]})),
                _ => Reply::text("moved")
                    .with_status(307)
                    .with_header("location", &target),
            },
        )
        .await;
    let pool = pool(vec![upstream("one", &server)]).await;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, br#"{"model": "bge"}"#).unwrap();
    let request = http_client()
        .post(format!("{}/v1/score", pool.url))
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(packer.finish().unwrap());
    let answer = request.send().await.unwrap().text().await.unwrap();
    assert_eq!(answer, r#"{"model":"bge"}"#);
    let asked = json!({"model": "bge"});
    let (status, _, text) = pool.http("POST", "/v1/rerank", &asked).await;
    assert_eq!((status, text.contains("redirects")), (502, true), "{text}");
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_forwarded_request_falls_back_too() {
    let failing = server(|_, _| says("")).await;
    let other = openai().await;
    let mut one = upstream("one", &failing);
    one.aliases = [("bge".to_owned(), "tiny".to_owned())].into();
    let pool = pool(vec![one, upstream("two", &other), nobody("dead").await]).await;
    drop(failing);
    for _ in 0..4 {
        let shown = pool
            .json("POST", "/v1/embeddings", &json!({"model": "bge"}))
            .await;
        assert_eq!(shown["model"], "bge");
    }
    pool.until(|status| status.iter().all(|one| one.in_flight == 0))
        .await;
}

#[tokio::test]
async fn a_redirect_of_a_forwarded_request_is_never_followed_or_passed_on() {
    let redirecting = ScriptedServer::with(|request: &CapturedRequest| {
        if request.path == "/v1/models" {
            return Reply::json(json!({"object": "list", "data": [{"id": "llama"}]}));
        }
        Reply::json(json!({}))
            .with_status(307)
            .with_header("location", "http://inside:1/")
    })
    .await;
    let other = openai().await;
    let alone = pool(vec![upstream("one", &redirecting)]).await;
    let embed = json!({"model": "llama", "input": "a"});
    let (status, head, body) = alone.http("POST", "/v1/embeddings", &embed).await;
    assert_eq!(status, 502, "{body}");
    assert!(
        !format!("{head:?}{body}").contains("inside"),
        "{head:?}{body}"
    );
    let both = pool(vec![upstream("one", &redirecting), upstream("two", &other)]).await;
    let shown = both.json("POST", "/v1/embeddings", &embed).await;
    assert_eq!(shown["model"], "llama");
}

#[tokio::test]
async fn packed_bodies_of_forwarded_requests_are_unpacked() {
    let server = openai().await;
    let pool = pool(vec![upstream("one", &server)]).await;
    let body = json!({"model": "tiny", "input": "a"}).to_string();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, body.as_bytes()).unwrap();
    let answer = http_client()
        .post(format!("{}/v1/embeddings", pool.url))
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(packed.finish().unwrap());
    assert_eq!(answer.send().await.unwrap().status(), 200);
    let sent = server.requests().pop().unwrap();
    assert_eq!(sent.header("content-encoding"), None);
    assert_eq!(sent.body, json!({"model": "tiny", "input": "a"}));
}

#[tokio::test]
async fn entries_of_a_server_of_chat_completions_keep_their_fields() {
    let entry = json!({"id": "llama", "object": "model", "created": 7, "owned_by": "vllm",
        "max_model_len": 4096, "meta": {"n_ctx_train": 8192}});
    let listed = entry.clone();
    let server = ScriptedServer::with(move |_: &CapturedRequest| {
        Reply::json(json!({"object": "list", "data": [listed]}))
    })
    .await;
    let mut upstream = upstream("openai", &server);
    upstream.aliases = [("gpt-4o".to_owned(), "llama".to_owned())].into();
    let pool = served(Upstreams::new(vec![upstream]).unwrap(), false).await;
    let one = pool.json("GET", "/v1/models/llama", &Value::Null).await;
    assert_eq!(one, entry);
    let list = pool.json("GET", "/v1/models", &Value::Null).await;
    let alias = list["data"].as_array().unwrap();
    let alias = alias.iter().find(|model| model["id"] == "gpt-4o").unwrap();
    assert_eq!(alias["max_model_len"], 4096);
}
