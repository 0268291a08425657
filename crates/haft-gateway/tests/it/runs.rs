//! Durable runs over HTTP: who may see which, their events, and decisions.

use std::sync::Arc;
use std::time::Duration;

use haft_agent::Agent;
use haft_core::{AiMessage, ToolAnnotations, ToolCall, Usage};
use haft_durable::{DurableStore, Worker, WorkerOptions};
use haft_gateway::{GatewayOptions, KeyLimits, KeyStore};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::conversation::Rig;

/// A gateway with a store and the keys of two users.
pub(crate) struct House {
    pub(crate) rig: Rig,
    pub(crate) store: DurableStore,
    pub(crate) alice: String,
    pub(crate) bob: String,
    pub(crate) carol: String,
    _folder: tempfile::TempDir,
}

impl House {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}", folder.path().join("runs.db").display());
        let store = DurableStore::open(&address).await.unwrap();
        let keys = KeyStore::open(folder.path().join("keys.db"));
        let alice = keys.add("alice", &KeyLimits::default()).await.unwrap();
        let mut limits = KeyLimits::default();
        limits.server_tools = false;
        limits.models = vec!["other".to_owned()];
        let bob = keys.add("bob", &limits).await.unwrap();
        let mut limits = KeyLimits::default();
        limits.tokens_per_day = Some(1000);
        let carol = keys.add("carol", &limits).await.unwrap();
        let runs = store.clone();
        let set = |options: &mut GatewayOptions| {
            options.token = Some("operator".to_owned());
            options.keys = Some(keys);
            options.runs = Some(runs);
        };
        Self {
            rig: Rig::with(vec![], set).await,
            store,
            alice,
            bob,
            carol,
            _folder: folder,
        }
    }

    pub(crate) fn get(&self, key: &str, path: &str) -> RequestBuilder {
        let request = self.rig.client.get(format!("{}{path}", self.rig.address));
        request.bearer_auth(key)
    }

    pub(crate) fn post(&self, key: &str, path: &str, body: &Value) -> RequestBuilder {
        self.rig.post(path, body).bearer_auth(key)
    }

    /// Begins a run and returns its id.
    async fn begin(&self, key: &str, body: &Value) -> String {
        let begun = self.post(key, "/v1/runs", body).send().await.unwrap();
        assert_eq!(begun.status(), 202);
        let place = begun.headers()["location"].to_str().unwrap().to_owned();
        let run: Value = begun.json().await.unwrap();
        let id = run["id"].as_str().unwrap();
        assert_eq!(place, format!("/v1/runs/{id}"));
        id.to_owned()
    }

    /// Works with a model that calls a destructive tool and then answers.
    pub(crate) fn work(&self) -> Arc<SpyTool> {
        let call = ToolCall::new("pay", json!({"amount": 5}), "call_1");
        self.work_with(ScriptedModel::saying([
            AiMessage::new("").with_tool_calls([call]),
            AiMessage::new("It is paid."),
        ]))
    }

    /// Works with this model and a destructive tool.
    pub(crate) fn work_with(&self, model: ScriptedModel) -> Arc<SpyTool> {
        let tool = SpyTool::new("pay", |_| Ok("paid".into()));
        let tool = Arc::new(tool.with_annotations(ToolAnnotations {
            destructive: true,
            ..ToolAnnotations::default()
        }));
        let mut tools = ToolManager::new();
        tools.add(tool.clone() as Arc<dyn haft_core::Tool>).unwrap();
        let executor = ToolExecutor::new(tools);
        let agent = Agent::new(Arc::new(model), executor, Default::default()).unwrap();
        let worker = Worker::new(agent, self.store.clone(), WorkerOptions::default()).unwrap();
        tokio::spawn(worker.work(std::future::pending()));
        tool
    }
}

/// Reads a stream of events until one has these words, or to its end.
pub(crate) async fn read_until(stream: &mut Response, words: &str) -> String {
    let mut text = String::new();
    let reading = async {
        while !text.contains(words) || !text.ends_with("\n\n") {
            match stream.chunk().await.unwrap() {
                Some(piece) => text.push_str(&String::from_utf8_lossy(&piece)),
                None => break,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading)
        .await
        .unwrap();
    text
}

/// The events of a stream, each as its name and id.
fn events(text: &str) -> Vec<String> {
    let frames = text
        .split("\n\n")
        .filter(|frame| frame.starts_with("event:"));
    let line = |frame: &str, field: &str| {
        let mut lines = frame.lines();
        let line = lines.find_map(|line| line.strip_prefix(field).map(str::to_owned));
        line.unwrap()
    };
    frames
        .map(|frame| format!("{} {}", line(frame, "event: "), line(frame, "id: ")))
        .collect()
}

#[tokio::test]
async fn a_run_is_begun_watched_allowed_and_resumed() {
    let house = House::new().await;
    let run = house
        .begin(&house.alice, &json!({"question": "Pay the bill"}))
        .await;
    let path = format!("/v1/runs/{run}/events");
    let mut first = house.get(&house.alice, &path).send().await.unwrap();
    assert_eq!(first.headers()["content-type"], "text/event-stream");
    let tool = house.work();
    let seen = read_until(&mut first, "event: waiting").await;
    assert!(seen.contains("\"tool\":\"pay\""), "{seen}");
    drop(first);

    let decide = format!("/v1/runs/{run}/approvals");
    let late = json!({"decision": "allow", "number": 1});
    let late = house
        .post(&house.alice, &decide, &late)
        .send()
        .await
        .unwrap();
    assert_eq!(late.status(), 409);
    let wrong = json!({"decision": "did"});
    let wrong = house
        .post(&house.alice, &decide, &wrong)
        .send()
        .await
        .unwrap();
    assert_eq!(wrong.status(), 409);
    let allow = json!({"decision": "allow", "number": 0});
    let allowed = house
        .post(&house.alice, &decide, &allow)
        .send()
        .await
        .unwrap();
    assert_eq!(allowed.status(), 200);

    let before = events(&seen);
    let last = before.last().unwrap().split_once(' ').unwrap().1;
    let resumed = house.get(&house.alice, &path).header("last-event-id", last);
    let rest = read_until(&mut resumed.send().await.unwrap(), "event: ended").await;
    let after = events(&rest);
    assert!(
        after.iter().all(|event| !before.contains(event)),
        "{before:?} {after:?}"
    );
    let steps = |events: &[String]| {
        events
            .iter()
            .filter(|event| event.starts_with("step "))
            .count()
    };
    let recorded = house.store.steps(&run).await.unwrap().len();
    assert_eq!(steps(&before) + steps(&after), recorded);
    assert!(rest.contains("It is paid."), "{rest}");
    assert_eq!(tool.seen().len(), 1);

    let end = after.last().unwrap().split_once(' ').unwrap().1;
    let over = house.get(&house.alice, &path).header("last-event-id", end);
    assert_eq!(over.send().await.unwrap().status(), 204);
    let nonsense = house.get(&house.alice, &path).header("last-event-id", "x");
    assert_eq!(nonsense.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn a_key_sees_and_changes_only_its_own_runs() {
    let house = House::new().await;
    let run = house
        .begin(&house.alice, &json!({"question": "Pay the bill"}))
        .await;
    for path in ["", "/events"] {
        let path = format!("/v1/runs/{run}{path}");
        let seen = house.get(&house.bob, &path).send().await.unwrap();
        assert_eq!(seen.status(), 404, "{path}");
        let seen: Value = seen.json().await.unwrap();
        let message = format!("There is no run \"{run}\"");
        assert_eq!(seen["error"]["message"], message);
    }
    let allow = json!({"decision": "allow"});
    for (path, body) in [("cancel", &json!({})), ("approvals", &allow)] {
        let path = format!("/v1/runs/{run}/{path}");
        let changed = house.post(&house.bob, &path, body).send().await.unwrap();
        assert_eq!(changed.status(), 404, "{path}");
    }
    let listed = async |key: &str| {
        let runs = house.get(key, "/v1/runs").send().await.unwrap();
        let runs: Value = runs.json().await.unwrap();
        runs["runs"].as_array().unwrap().clone()
    };
    assert_eq!(listed(&house.bob).await, Vec::<Value>::new());
    assert_eq!(listed(&house.alice).await[0]["id"], json!(run));
    assert_eq!(listed("operator").await[0]["owner"], "alice");
    let nobody = house.get("wrong", "/v1/runs").send().await.unwrap();
    assert_eq!(nobody.status(), 401);

    let cancel = format!("/v1/runs/{run}/cancel");
    let cancelled = house
        .post(&house.alice, &cancel, &json!({}))
        .send()
        .await
        .unwrap();
    let cancelled: Value = cancelled.json().await.unwrap();
    assert_eq!(cancelled["state"]["state"], "cancelled");
    let again = house
        .post("operator", &cancel, &json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), 409);
}

#[tokio::test]
async fn what_a_key_allows_holds_for_its_runs() {
    let house = House::new().await;
    house.work();
    let run = house
        .begin(&house.bob, &json!({"question": "Pay the bill"}))
        .await;
    let path = format!("/v1/runs/{run}/events");
    let mut stream = house.get(&house.bob, &path).send().await.unwrap();
    let seen = read_until(&mut stream, "event: ended").await;
    assert!(seen.contains("may not use the model"), "{seen}");
    for body in [
        json!({}),
        json!({"question": " "}),
        json!({"question": "Hello", "tools": []}),
        json!({"question": "Hello", "queue": "a b"}),
        json!({"question": "Hello", "at": "tomorrow"}),
    ] {
        let refused = house
            .post("operator", "/v1/runs", &body)
            .send()
            .await
            .unwrap();
        assert_eq!(refused.status(), 400, "{body}");
    }
    let long = json!({"question": "x".repeat(2 * 1024 * 1024)});
    let refused = house
        .post("operator", "/v1/runs", &long)
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), 413);
}

#[tokio::test]
async fn a_run_goes_on_with_a_session_of_its_key() {
    let house = House::new().await;
    let new = json!({"question": "Hello", "session": "new"});
    let run = house.begin(&house.alice, &new).await;
    let shown = house
        .get(&house.alice, &format!("/v1/runs/{run}"))
        .send()
        .await
        .unwrap();
    let shown: Value = shown.json().await.unwrap();
    let next = json!({"question": "And?", "session": shown["session"]});
    // The first run has not ended.
    let busy = house
        .post(&house.alice, "/v1/runs", &next)
        .send()
        .await
        .unwrap();
    assert_eq!(busy.status(), 409);
    let cancel = format!("/v1/runs/{run}/cancel");
    house
        .post(&house.alice, &cancel, &json!({}))
        .send()
        .await
        .unwrap();
    let foreign = house
        .post(&house.bob, "/v1/runs", &next)
        .send()
        .await
        .unwrap();
    assert_eq!(foreign.status(), 404);
    house.begin(&house.alice, &next).await;
}

#[tokio::test]
async fn tokens_of_runs_count_for_the_key() {
    let house = House::new().await;
    let usage = Usage {
        input_tokens: 1000,
        output_tokens: 5,
        ..Usage::default()
    };
    let reply = AiMessage {
        usage: Some(usage),
        ..AiMessage::new("Hello")
    };
    house.work_with(ScriptedModel::saying([reply]));
    let hello = json!({"question": "Hello"});
    let run = house.begin(&house.carol, &hello).await;
    house.store.finished(&run).await.unwrap();
    for _ in 0..100 {
        let next = house.post(&house.carol, "/v1/runs", &hello).send().await;
        let next = next.unwrap();
        if next.status() == 429 {
            let refused = next.text().await.unwrap();
            assert!(refused.contains("1000 tokens per day"), "{refused}");
            return;
        }
        assert_eq!(next.status(), 202);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the tokens are not counted");
}

#[tokio::test]
async fn a_gateway_without_a_store_says_so() {
    let rig = Rig::new(vec![]).await;
    let listed = rig.client.get(format!("{}/v1/runs", rig.address));
    let listed = listed.send().await.unwrap();
    assert_eq!(listed.status(), 404);
    assert!(listed.text().await.unwrap().contains("haft serve --store"));
}
