//! Replies in the background of the Responses API, which workers make in durable runs.

use std::time::Duration;

use haft_core::{AiMessage, Message, Usage};
use haft_durable::DurableStore;
use haft_testing::ScriptedModel;
use reqwest::Response;
use serde_json::{Value, json};

use crate::conversation::{Rig, said};
use crate::runs::{House, read_until};

const PATH: &str = "/v1/responses";

impl House {
    /// Begins a reply in the background, and returns it.
    async fn respond(&self, fields: Value) -> Value {
        let response = self.try_respond(fields).await;
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    async fn try_respond(&self, fields: Value) -> Response {
        let mut request = json!({"model": "scripted", "input": "Hello", "background": true});
        let all = request.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        let request = self.post(&self.alice, PATH, &request);
        request.send().await.unwrap()
    }

    /// The reply once it has this status.
    async fn reply(&self, id: &Value, status: &str) -> Value {
        let path = format!("{PATH}/{}", id.as_str().unwrap());
        for _ in 0..300 {
            let reply = self.get(&self.alice, &path).send().await.unwrap();
            assert_eq!(reply.status(), 200);
            let reply: Value = reply.json().await.unwrap();
            if reply["status"] == status {
                return reply;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the reply does not get the status {status}");
    }
}

fn answering(text: &str) -> ScriptedModel {
    let usage = Usage {
        input_tokens: 7,
        output_tokens: 2,
        ..Usage::default()
    };
    let reply = AiMessage::new(text);
    ScriptedModel::saying([AiMessage {
        usage: Some(usage),
        ..reply
    }])
}

fn texts(messages: &[Message]) -> Vec<String> {
    let text = |message: &Message| message.content().text();
    messages.iter().map(text).collect()
}

/// The types of the events, and that they are numbered from `first` on.
fn kinds(text: &str, first: u64) -> Vec<String> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = data
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    for (event, number) in events.iter().zip(first..) {
        assert_eq!(event["sequence_number"], number);
    }
    let kind = |event: &Value| event["type"].as_str().unwrap().to_owned();
    events.iter().map(kind).collect()
}

#[tokio::test]
async fn a_reply_in_the_background_is_asked_for_by_its_id() {
    let house = House::new().await;
    let input = json!([
        {"role": "user", "content": "I am Ada."},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "Who am I?"},
    ]);
    let wanted = json!({"input": input, "instructions": "Be brief.", "metadata": {"a": "b"}});
    let begun = house.respond(wanted).await;
    assert_eq!(begun["status"], "queued");
    assert_eq!(begun["background"], true);
    let model = answering("Ada");
    house.work_with(model.clone());
    let id = &begun["id"];
    let reply = house.reply(id, "completed").await;
    assert_eq!(reply["output"][0]["content"][0]["text"], "Ada");
    assert_eq!(reply["usage"]["total_tokens"], 9);
    assert_eq!(reply["metadata"], json!({"a": "b"}));
    assert_eq!(reply["instructions"], "Be brief.");
    let asked = &model.requests()[0].messages;
    let before = ["Be brief.", "I am Ada.", "Hello.", "Who am I?"];
    assert_eq!(texts(asked), before);
    let path = format!("{PATH}/{}", id.as_str().unwrap());
    let items = house.get(&house.alice, &format!("{path}/input_items?order=asc"));
    let items: Value = items.send().await.unwrap().json().await.unwrap();
    assert_eq!(items["data"][2]["content"], "Who am I?");
    // Another key does not see it.
    let foreign = house.get(&house.bob, &path).send().await.unwrap();
    assert_eq!(foreign.status(), 404);
    let deleted = house
        .rig
        .client
        .delete(format!("{}{path}", house.rig.address));
    let deleted = deleted.bearer_auth(&house.alice).send().await.unwrap();
    assert_eq!(deleted.status(), 200);
    let gone = house.get(&house.alice, &path).send().await.unwrap();
    assert_eq!(gone.status(), 404);
}

#[tokio::test]
async fn the_events_of_a_reply_go_on_where_the_client_was_cut_off() {
    let house = House::new().await;
    let mut stream = house.try_respond(json!({"stream": true})).await;
    let seen = read_until(&mut stream, "response.queued").await;
    assert_eq!(kinds(&seen, 0), ["response.created", "response.queued"]);
    let data = seen.lines().find_map(|line| line.strip_prefix("data: "));
    let first: Value = serde_json::from_str(data.unwrap()).unwrap();
    let id = first["response"]["id"].as_str().unwrap();
    drop(stream);
    house.work_with(answering("Hello!"));
    let path = format!("{PATH}/{id}?stream=true&starting_after=1");
    let mut rest = house.get(&house.alice, &path).send().await.unwrap();
    let rest = read_until(&mut rest, "response.completed").await;
    let after = [
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(kinds(&rest, 2), after);
    // The whole stream of a reply that is complete.
    let path = format!("{PATH}/{id}?stream=true");
    let again = house.get(&house.alice, &path).send().await.unwrap();
    let again = again.text().await.unwrap();
    assert_eq!(kinds(&again, 0).len(), 10);
    assert!(again.ends_with(&rest), "{again}");
}

#[tokio::test]
async fn a_reply_in_the_background_is_continued() {
    let house = House::new().await;
    let begun = house.respond(json!({"input": "I am Ada."})).await;
    // Not before it is complete.
    let next = json!({"input": "Who am I?", "previous_response_id": begun["id"]});
    let early = house.try_respond(next.clone()).await;
    assert_eq!(early.status(), 400);
    let model = ScriptedModel::saying([AiMessage::new("Hello."), AiMessage::new("Ada")]);
    house.work_with(model.clone());
    house.reply(&begun["id"], "completed").await;
    let second = house.respond(next).await;
    house.reply(&second["id"], "completed").await;
    let asked = &model.requests()[1].messages;
    assert_eq!(texts(asked), ["I am Ada.", "Hello.", "Who am I?"]);
}

#[tokio::test]
async fn a_reply_in_the_background_is_cancelled_or_fails() {
    let house = House::new().await;
    let begun = house.respond(json!({})).await;
    let path = format!("{PATH}/{}/cancel", begun["id"].as_str().unwrap());
    for _ in 0..2 {
        let cancelled = house.post(&house.alice, &path, &json!({})).send().await;
        let cancelled: Value = cancelled.unwrap().json().await.unwrap();
        assert_eq!(cancelled["status"], "cancelled");
    }
    let begun = house.respond(json!({"model": "large"})).await;
    house.work_with(answering("Hello"));
    let failed = house.reply(&begun["id"], "failed").await;
    let message = failed["error"]["message"].as_str().unwrap();
    assert!(message.contains("\"large\""), "{message}");
    let unknown = format!("{PATH}/resp_1/cancel");
    let unknown = house.post(&house.alice, &unknown, &json!({})).send().await;
    assert_eq!(unknown.unwrap().status(), 404);
}

#[tokio::test]
async fn what_a_worker_cannot_do_is_refused_or_named() {
    let house = House::new().await;
    let tool = json!({"type": "function", "name": "get", "parameters": {"type": "object"}});
    let picture = json!({"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="});
    for fields in [
        json!({"tools": [tool]}),
        json!({"store": false}),
        json!({"text": {"format": {"type": "json_object"}}}),
        json!({"input": [{"role": "user", "content": [picture]}]}),
        json!({"input": [{"role": "assistant", "content": "Hello."}]}),
        json!({"input": " "}),
    ] {
        let refused = house.try_respond(fields.clone()).await;
        assert_eq!(refused.status(), 400, "{fields}");
    }
    let long = json!({"input": "x".repeat(2 * 1024 * 1024)});
    assert_eq!(house.try_respond(long).await.status(), 413);
    let named = json!({"temperature": 0.5, "tools": [{"type": "web_search"}]});
    let named = house.try_respond(named).await;
    let dropped = named.headers()["x-haft-dropped"].to_str().unwrap();
    assert_eq!(dropped, "tools.web_search, temperature");
}

#[tokio::test]
async fn a_stored_reply_is_known_to_every_gateway_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("runs.db").display());
    let store = DurableStore::open(&address).await.unwrap();
    let gateway = async |text: &str| {
        let runs = store.clone();
        Rig::with(vec![said(text, &[])], |options| options.runs = Some(runs)).await
    };
    let first = gateway("Hello, Ada.").await;
    let second = gateway("You are Ada.").await;
    let stored = json!({"model": "tiny", "input": "I am Ada.", "store": true});
    let stored = first.post(PATH, &stored).send().await.unwrap();
    let stored: Value = stored.json().await.unwrap();
    let id = stored["id"].as_str().unwrap();
    let next = json!({"model": "tiny", "input": "Who am I?", "previous_response_id": id});
    let next = second.post(PATH, &next).send().await.unwrap();
    assert_eq!(next.status(), 200);
    let path = |rig: &Rig| format!("{}{PATH}/{id}", rig.address);
    let seen = second.client.get(path(&second)).send().await.unwrap();
    let seen: Value = seen.json().await.unwrap();
    assert_eq!(seen, stored);
    let items = format!("{}/input_items", path(&second));
    let items = second.client.get(items).send().await.unwrap();
    let items: Value = items.json().await.unwrap();
    assert_eq!(items["data"][0]["content"], "I am Ada.");
    let erased = second.client.delete(path(&second)).send().await.unwrap();
    assert_eq!(erased.status(), 200);
    assert_eq!(store.reply(id).await.unwrap(), None);
    let gone = second.client.get(path(&second)).send().await.unwrap();
    assert_eq!(gone.status(), 404);
}

#[tokio::test]
async fn without_a_store_nothing_runs_in_the_background() {
    let rig = Rig::new(vec![]).await;
    let request = json!({"model": "tiny", "input": "Hello", "background": true});
    let refused = rig.post(PATH, &request).send().await.unwrap();
    assert_eq!(refused.status(), 400);
    assert!(refused.text().await.unwrap().contains("haft serve --store"));
}
