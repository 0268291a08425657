//! What operators see of requests: the headers that follow them, and the metrics.

use serde_json::{Value, json};

use crate::pool::*;

/// The paths of conversations, with a question for each.
fn conversations() -> [(&'static str, Value); 3] {
    let messages = json!([{"role": "user", "content": "Hello?"}]);
    let question = json!({"model": "tiny", "max_tokens": 50, "stream": true, "messages": messages});
    ["/v1/chat/completions", "/v1/messages", "/api/chat"].map(|path| (path, question.clone()))
}

#[tokio::test]
async fn the_id_of_a_conversation_is_sent_on_to_the_model_server() {
    for handling in HANDLINGS {
        let server = saying("Hello.").await;
        let pool = pool_on(handling, vec![upstream("one", &server)]).await;
        for (path, question) in conversations() {
            let request = http_client().post(format!("{}{path}", pool.url));
            let request = request.header("x-request-id", "mine-1").json(&question);
            let answer = request.send().await.unwrap();
            let context = format!("{handling:?} {path}");
            assert_eq!(answer.status(), 200, "{context}");
            answer.bytes().await.unwrap();
            let sent = server.requests();
            let sent = sent.last().unwrap();
            assert_eq!(sent.header("x-request-id"), Some("mine-1"), "{context}");
        }
    }
}

#[tokio::test]
async fn labels_of_models_are_those_that_upstreams_have() {
    let (one, two) = (saying("one").await, saying("two").await);
    let upstreams = vec![upstream("one", &one), upstream("two", &two)];
    let pool = pool(upstreams).await;
    pool.ask("Hello?").await.unwrap();
    for number in 0..200 {
        let model = format!("made-up-{number}");
        let question = json!({"model": model, "messages": [{"role": "user", "content": "?"}]});
        let (status, ..) = pool.http("POST", "/v1/chat/completions", &question).await;
        assert_eq!(status, 404);
    }
    let (_, _, page) = pool.http("GET", "/metrics", &Value::Null).await;
    assert!(page.contains("model=\"tiny\""), "{page}");
    assert!(!page.contains("made-up"), "{page}");
    let other = "status=\"404\",model=\"other\",upstream=\"none\"} 200";
    assert!(page.contains(other), "{page}");
}

#[tokio::test]
async fn the_trace_of_a_client_goes_on_at_the_model_server() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for handling in HANDLINGS {
        let server = saying("Hello.").await;
        let pool = pool_on(handling, vec![upstream("one", &server)]).await;
        let [(path, question), ..] = conversations();
        let request = http_client().post(format!("{}{path}", pool.url));
        let request = request.header("traceparent", parent).json(&question);
        request.send().await.unwrap().bytes().await.unwrap();
        let sent = server.requests();
        let sent = sent.last().unwrap();
        assert_eq!(sent.header("traceparent"), Some(parent), "{handling:?}");
    }
}
