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
