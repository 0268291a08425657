//! Keys of users: who is let in, and the limits of each key.

use std::sync::Arc;
use std::time::Duration;

use haft_core::Tool;
use haft_gateway::{GatewayOptions, KeyLimits, KeyStore};
use haft_testing::{Reply, SpyTool};
use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Rig, question};

/// A store with a file of its own.
struct Keys {
    _folder: TempDir,
    store: KeyStore,
}

impl Keys {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = KeyStore::open(folder.path().join("keys.db"));
        Self {
            _folder: folder,
            store,
        }
    }

    async fn add(&self, name: &str, change: impl FnOnce(&mut KeyLimits)) -> String {
        let mut limits = KeyLimits::default();
        change(&mut limits);
        self.store.add(name, &limits).await.unwrap()
    }

    /// A gateway with these keys, whose model server gives as many replies as are requested.
    async fn rig(&self, change: impl FnOnce(&mut GatewayOptions)) -> Rig {
        let replies = (0..20).map(|_| counted_reply()).collect();
        Rig::with(replies, |options| {
            options.keys = Some(self.store.clone());
            change(options);
        })
        .await
    }
}

/// A reply that took 60 tokens.
fn counted_reply() -> Reply {
    let usage = json!({"prompt_tokens": 50, "completion_tokens": 10});
    Reply::sse([
        json!({"choices": [{"delta": {"content": "Sunny."}}]}).to_string(),
        json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string(),
        json!({"choices": [], "usage": usage}).to_string(),
        "[DONE]".to_owned(),
    ])
}

async fn ask(rig: &Rig, key: &str) -> reqwest::Response {
    let request = rig.post("/v1/chat/completions", &question(false));
    request.bearer_auth(key).send().await.unwrap()
}

async fn error(answer: reqwest::Response) -> String {
    let body: Value = answer.json().await.unwrap();
    body["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn with_keys_in_use_nobody_gets_in_without_one() {
    let keys = Keys::new();
    let alice = keys.add("alice", |_| {}).await;
    let rig = keys.rig(|_| {}).await;
    assert_eq!(
        ask(&rig, "haft_wrong").await.status(),
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(ask(&rig, &alice).await.status(), StatusCode::OK);
    // In the headers of Anthropic's clients, and with any case of the scheme.
    for (name, value) in [
        ("x-api-key", alice.clone()),
        ("authorization", format!("bearer {alice}")),
        ("authorization", format!("BEARER {alice}")),
    ] {
        let request = rig.post("/v1/chat/completions", &question(false));
        let answer = request.header(name, value).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let no_key = rig.post("/v1/chat/completions", &question(false));
    assert_eq!(
        no_key.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_revoked_key_is_refused_soon_and_opens_the_gateway_to_nobody() {
    let keys = Keys::new();
    let alice = keys.add("alice", |_| {}).await;
    let rig = keys.rig(|_| {}).await;
    assert_eq!(ask(&rig, &alice).await.status(), StatusCode::OK);
    keys.store.revoke("alice").await.unwrap();
    // A key that is added while the gateway runs is known then, too.
    let bob = keys.add("bob", |_| {}).await;
    let mut tries = 0;
    while ask(&rig, &bob).await.status() != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(200)).await;
        tries += 1;
        assert!(tries < 60);
    }
    assert_eq!(ask(&rig, &alice).await.status(), StatusCode::UNAUTHORIZED);
    keys.store.revoke("bob").await.unwrap();
    let later = keys.rig(|_| {}).await;
    assert_eq!(ask(&later, "").await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_key_for_some_models_uses_and_sees_only_those() {
    let keys = Keys::new();
    let small = keys
        .add("small", |key| key.models = vec!["other".to_owned()])
        .await;
    let rig = keys.rig(|_| {}).await;
    let answer = ask(&rig, &small).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let message = error(answer).await;
    assert!(
        message.contains("\"tiny\"") && message.contains("other"),
        "{message}"
    );
    assert!(rig.asked().is_empty());
    // Requests that are forwarded unread are held to it, too.
    let embed = rig.post("/v1/embeddings", &json!({"model": "tiny", "input": "a"}));
    let embed = embed.header("content-type", "application/json");
    let answer = embed.bearer_auth(&small).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let list = rig.client.get(format!("{}/v1/models/tiny", rig.address));
    let answer = list.bearer_auth(&small).send().await.unwrap();
    assert_ne!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn requests_beyond_the_rate_are_refused_with_the_time_to_wait() {
    let keys = Keys::new();
    let other = keys.add("other", |_| {}).await;
    // Also for requests that pass through unchanged, and counted only once.
    for (repair, name) in [(true, "repaired"), (false, "unchanged")] {
        let slow = keys
            .add(name, |key| key.requests_per_minute = Some(2))
            .await;
        let rig = keys
            .rig(|options| options.overrides.repair = Some(repair))
            .await;
        assert_eq!(ask(&rig, &slow).await.status(), StatusCode::OK);
        assert_eq!(ask(&rig, &slow).await.status(), StatusCode::OK);
        let answer = ask(&rig, &slow).await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        let wait: u64 = answer.headers()[RETRY_AFTER]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=31).contains(&wait), "{wait}");
        assert!(error(answer).await.contains("2 requests per minute"));
        assert_eq!(ask(&rig, &other).await.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn gateways_with_one_store_have_one_limit() {
    let keys = Keys::new();
    let key = keys
        .add("shared", |key| key.requests_per_minute = Some(6))
        .await;
    let rigs = [keys.rig(|_| {}).await, keys.rig(|_| {}).await];
    let mut answered = 0;
    for number in 0..12 {
        let status = ask(&rigs[number % 2], &key).await.status();
        answered += i32::from(status == StatusCode::OK);
    }
    assert_eq!(answered, 6);
}

#[tokio::test]
async fn tokens_beyond_the_budget_of_a_day_are_refused_and_usage_is_kept() {
    let keys = Keys::new();
    let poor = keys.add("poor", |key| key.tokens_per_day = Some(100)).await;
    let rig = keys.rig(|_| {}).await;
    assert_eq!(ask(&rig, &poor).await.status(), StatusCode::OK);
    assert_eq!(ask(&rig, &poor).await.status(), StatusCode::OK);
    let answer = ask(&rig, &poor).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(error(answer).await.contains("100 tokens per day"));
    let mut tries = 0;
    let used = loop {
        let used = keys.store.list().await.unwrap()[0].used_today;
        if used.requests >= 2 || tries == 60 {
            break used;
        }
        tries += 1;
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!((used.requests, used.tokens()), (2, 120));
    // The next gateway knows it from the start.
    let later = keys.rig(|_| {}).await;
    assert_eq!(
        ask(&later, &poor).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test]
async fn the_operator_sees_the_usage_of_each_key_and_users_do_not() {
    let keys = Keys::new();
    let alice = keys.add("alice", |_| {}).await;
    let rig = keys
        .rig(|options| options.token = Some("operator".to_owned()))
        .await;
    ask(&rig, &alice).await;
    let metrics = async |key: &str| {
        let request = rig.client.get(format!("{}/metrics", rig.address));
        request.bearer_auth(key).send().await.unwrap()
    };
    assert_eq!(metrics(&alice).await.status(), StatusCode::FORBIDDEN);
    let page = metrics("operator").await.text().await.unwrap();
    assert!(
        page.contains("haft_key_requests_total{key=\"alice\"} 1"),
        "{page}"
    );
    assert!(
        page.contains("haft_key_tokens_total{key=\"alice\",direction=\"in\"} 50"),
        "{page}"
    );
    assert_eq!(ask(&rig, "operator").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_key_without_the_right_to_tools_is_not_offered_those_of_the_gateway() {
    let keys = Keys::new();
    let plain = keys.add("plain", |key| key.server_tools = false).await;
    let full = keys.add("full", |_| {}).await;
    let rig = keys
        .rig(|options| {
            let clock = SpyTool::new("clock", |_| Ok("noon".into()));
            options.tools.add(Arc::new(clock) as Arc<dyn Tool>).unwrap();
        })
        .await;
    for (key, count) in [(&plain, 1), (&full, 2)] {
        ask(&rig, key).await;
        let asked = rig.asked();
        let tools = asked.last().unwrap()["tools"].as_array().unwrap();
        assert_eq!(tools.len(), count);
    }
}
