use std::time::Duration;

use bytes::Bytes;
use haft_core::{AiMessage, Usage};
use serde_json::{Value, json};

use super::*;
use crate::dialects::of_path;
use crate::interventions::Interventions;

fn asked() -> Asked {
    Asked {
        dialect: of_path("/v1/chat/completions"),
        id: "req_1".to_owned(),
        key: None,
        raw: haft_core::RawReply::default(),
    }
}

fn end(activity: &Activity, exchange: &Exchange, outcome: Outcome) {
    let finished = Finished {
        outcome,
        status: 200,
        took: Duration::from_millis(5),
        usage: Usage::default(),
        calls: 0,
        interventions: &Interventions::default(),
    };
    activity.finish(exchange, &finished);
}

/// The numbers of the requests that changed after a change.
fn changed(activity: &Activity, after: u64) -> Vec<Value> {
    let changes = activity.after(after).into_iter();
    changes
        .map(|change| json!(change.request)["number"].clone())
        .collect()
}

#[test]
fn the_oldest_requests_leave_the_list() {
    let activity = Activity::default();
    let first = activity.open(asked(), ContentPolicy::Kept);
    for _ in 0..MOST_REQUESTS {
        activity.open(asked(), ContentPolicy::Kept);
    }
    assert_eq!(activity.after(0).len(), MOST_REQUESTS);
    assert!(activity.find(1).is_none());
    // It still runs, but keeps nothing any more.
    activity.keep(&first, &Bytes::from_static(b"{}"));
    first.give(|| Given::of(&AiMessage::new("a secret")));
    first.pass(b"a secret");
    let contents = first.contents();
    assert!(matches!(contents.request, KeptRequest::Nothing));
    assert!(contents.given.is_none());
    assert_eq!(contents.passed.as_deref(), Some(""));
}

#[test]
fn large_bodies_make_room_by_dropping_older_requests() {
    let activity = Activity::default();
    let body = Bytes::from(vec![b' '; content::REQUEST_BYTES]);
    let fitting = MOST_BYTES / body.len();
    for _ in 0..=fitting {
        let exchange = activity.open(asked(), ContentPolicy::Kept);
        activity.keep(&exchange, &body);
    }
    assert_eq!(activity.after(0).len(), fitting);
    let larger = Bytes::from(vec![b' '; content::REQUEST_BYTES + 1]);
    let exchange = activity.open(asked(), ContentPolicy::Kept);
    activity.keep(&exchange, &larger);
    assert!(matches!(exchange.contents().request, KeptRequest::TooLarge));
}

#[test]
fn a_request_whose_content_is_left_keeps_no_text() {
    let activity = Activity::default();
    let exchange = activity.open(asked(), ContentPolicy::Left);
    activity.keep(&exchange, &Bytes::from_static(b"{\"model\": \"tiny\"}"));
    exchange.raw.asks("desk");
    exchange.raw.text("a secret");
    exchange.pass(b"a secret");
    exchange.give(|| Given::of(&AiMessage::new("a secret")));
    let shown = format!("{:?} {:?}", exchange.contents(), exchange.raw.attempts());
    assert!(!shown.contains("secret") && !shown.contains("tiny"));
    assert_eq!(json!(exchange.summary())["upstream"], "desk");
}

#[test]
fn what_the_client_received_is_cut_at_its_limit() {
    let exchange = Activity::default().open(asked(), ContentPolicy::Kept);
    let long = "\u{e9}".repeat(content::REPLY_BYTES);
    exchange.give(|| Given::of(&AiMessage::new(long.as_str())));
    exchange.pass(long.as_bytes());
    let contents = exchange.contents();
    let given = json!(contents.given);
    assert_eq!(given["is_cut"], true);
    assert_eq!(given["text"].as_str().unwrap().len(), content::REPLY_BYTES);
    assert_eq!(contents.passed.unwrap().len(), content::REPLY_BYTES);
}

#[test]
fn a_reader_gets_what_changed_since_its_last_change() {
    let activity = Activity::default();
    let first = activity.open(asked(), ContentPolicy::Kept);
    activity.open(asked(), ContentPolicy::Kept);
    let seen = activity.changed().borrow().change;
    assert_eq!(changed(&activity, 0), [1, 2]);
    assert!(changed(&activity, seen).is_empty());
    end(&activity, &first, Outcome::Answered);
    assert_eq!(changed(&activity, seen), [1]);
    // In the order of the changes.
    assert_eq!(changed(&activity, 0), [2, 1]);
}

#[test]
fn made_up_model_names_are_counted_together() {
    let activity = Activity::default();
    for number in 0..100 {
        let exchange = activity.open(asked(), ContentPolicy::Left);
        exchange.name(&format!("model-{number}{}", "x".repeat(2000)), false);
        end(&activity, &exchange, Outcome::Failed);
    }
    let totals = json!(activity.totals());
    let models = totals["models"].as_object().unwrap();
    assert_eq!(models.len(), 65);
    assert_eq!(models["(others)"]["failed"], 36);
    assert!(models.keys().all(|name| name.len() <= 512));
}
