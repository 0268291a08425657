//! Access to the gateway, and the permitted methods.

use haft_testing::Reply;
use reqwest::StatusCode;
use reqwest::header::{ALLOW, HOST, ORIGIN};
use serde_json::{Value, json};

use super::{Rig, question, said};

const CONVERSATIONS: [&str; 4] = [
    "/v1/chat/completions",
    "/v1/messages",
    "/api/chat",
    "/api/generate",
];

/// The error message in the form of the path's dialect.
fn message(path: &str, body: &Value) -> String {
    let message = match path.starts_with("/api/") {
        true => &body["error"],
        false => &body["error"]["message"],
    };
    message.as_str().unwrap_or_default().to_owned()
}

fn one_reply() -> Vec<Reply> {
    vec![said("Sunny.", &[])]
}

#[tokio::test]
async fn requests_without_the_key_are_refused() {
    let token = |options: &mut haft_gateway::GatewayOptions| {
        options.token = Some("secret".to_owned());
    };
    let rig = Rig::with(one_reply(), token).await;
    for path in CONVERSATIONS {
        let missing = "No key was sent: send it as `Authorization: Bearer KEY` or `x-api-key: KEY`";
        let wrong = "This key is unknown or was revoked: ask whoever runs the gateway";
        for (key, told) in [(None, missing), (Some("wrong"), wrong)] {
            let mut request = rig.post(path, &question(false));
            if let Some(key) = key {
                request = request.bearer_auth(key);
            }
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{path}");
            let body = answer.json().await.unwrap();
            assert_eq!(message(path, &body), told);
        }
    }
    assert!(rig.asked().is_empty());
    let request = rig.post(CONVERSATIONS[0], &question(false));
    let answer = request.bearer_auth("secret").send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(rig.asked().len(), 1);
}

#[tokio::test]
async fn web_pages_and_foreign_host_names_are_refused() {
    let rig = Rig::new(one_reply()).await;
    for path in CONVERSATIONS.into_iter().chain(["/v1/models", "/metrics"]) {
        for (name, value) in [(HOST, "evil.example"), (ORIGIN, "https://evil.example")] {
            let request = rig.post(path, &question(false)).header(name, value);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path} {value}");
        }
    }
    assert!(rig.asked().is_empty());
}

#[tokio::test]
async fn a_conversation_takes_only_a_post() {
    let rig = Rig::new(one_reply()).await;
    for path in CONVERSATIONS {
        let request = rig.client.get(format!("{}{path}", rig.address));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.headers()[ALLOW], "POST");
        let body = answer.json().await.unwrap();
        assert_eq!(message(path, &body), "This path takes a POST");
    }
    // A query is not part of the path, a slash is.
    let request = rig.post("/v1/chat/completions?version=1", &question(false));
    assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    let answer = rig.post("/v1/chat/completions/", &json!({})).send().await;
    assert_ne!(answer.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn every_answer_has_the_id_of_its_request() {
    let rig = Rig::new(one_reply()).await;
    let id = |answer: &reqwest::Response| {
        let id = answer.headers()["x-request-id"].to_str().unwrap();
        id.to_owned()
    };
    let request = rig.post("/v1/chat/completions", &question(false));
    let answer = request
        .header("x-request-id", "mine-1")
        .send()
        .await
        .unwrap();
    assert_eq!(id(&answer), "mine-1");
    for path in ["/v1/chat/completions", "/v1/models", "/nothing"] {
        let answer = rig.post(path, &json!({})).send().await.unwrap();
        assert!(id(&answer).starts_with("req_"), "{path}");
    }
}

#[tokio::test]
async fn pages_of_an_allowed_origin_may_read_answers_and_no_others() {
    let page = "https://chat.example.org";
    let rig = Rig::with(one_reply(), |options| {
        options.allowed_origins = vec![page.to_owned()];
        options.token = Some("secret".to_owned());
    })
    .await;
    let url = format!("{}/v1/chat/completions", rig.address);
    let preflight = async |origin: &str| {
        let request = rig.client.request(reqwest::Method::OPTIONS, &url);
        let request = request.header(ORIGIN, origin);
        let request = request.header("access-control-request-method", "POST");
        let request = request.header("access-control-request-headers", "authorization");
        request.send().await.unwrap()
    };
    let answer = preflight(page).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["access-control-allow-origin"], page);
    assert_eq!(
        answer.headers()["access-control-allow-headers"],
        "authorization"
    );
    let answer = preflight("https://evil.example").await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let request = rig.post("/v1/chat/completions", &question(false));
    let answer = request.header(ORIGIN, page).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(answer.headers()["access-control-allow-origin"], page);
    let request = rig.post("/v1/chat/completions", &question(false));
    let request = request.header(ORIGIN, page).bearer_auth("secret");
    assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    let request = rig.post("/v1/chat/completions", &question(false));
    let request = request.header(ORIGIN, "http://localhost:3000");
    let answer = request.bearer_auth("secret").send().await.unwrap();
    assert!(!answer.headers().contains_key("access-control-allow-origin"));
}
