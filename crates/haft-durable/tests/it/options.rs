//! What a run is begun with: a conversation, a model, a note, and a key whose tokens are counted.

use haft_core::{AiMessage, Message, ToolAnnotations, Usage};
use haft_durable::{RecordedStep, RunOptions, RunOwner, RunState};
use haft_testing::ScriptedModel;
use serde_json::json;

use crate::support::{Place, agent, answered, pay_call, spy, work};

fn using(tokens: u64, message: AiMessage) -> AiMessage {
    let usage = Usage {
        input_tokens: tokens,
        output_tokens: 1,
        ..Usage::default()
    };
    AiMessage {
        usage: Some(usage),
        ..message
    }
}

#[tokio::test]
async fn a_run_goes_on_with_a_conversation_of_its_own() {
    let place = Place::new();
    let store = place.open().await;
    let model = ScriptedModel::saying([AiMessage::new("Ada")]);
    work(
        agent(model.clone(), spy(ToolAnnotations::default())),
        &store,
        1,
    );
    let before = vec![
        Message::system("Be brief."),
        Message::user("I am Ada."),
        Message::ai("Hello."),
    ];
    let mut options = RunOptions::default();
    options.messages.clone_from(&before);
    options.note = Some(json!({"mine": 1}));
    options.model = Some("scripted".to_owned());
    let run = store.submit_with("Who am I?", options).await.unwrap();
    assert_eq!(store.finished(&run).await.unwrap(), answered("Ada"));
    let asked = &model.requests()[0].messages;
    assert!(asked.ends_with(&[before, vec![Message::user("Who am I?")]].concat()));
    assert_eq!(store.note(&run).await.unwrap(), Some(json!({"mine": 1})));
    assert_eq!(store.sessions().list().await.unwrap(), []);
    // A copy asks in the same conversation.
    let copy = store.fork(&run, 0).await.unwrap();
    assert_eq!(store.note(&copy).await.unwrap(), Some(json!({"mine": 1})));
}

#[tokio::test]
async fn a_run_that_asks_for_another_model_fails() {
    let place = Place::new();
    let store = place.open().await;
    let model = ScriptedModel::saying([AiMessage::new("Hello")]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let mut options = RunOptions::default();
    options.model = Some("large".to_owned());
    let run = store.submit_with("Hello", options).await.unwrap();
    let RunState::Failed { error } = store.finished(&run).await.unwrap() else {
        panic!("the run did not fail");
    };
    assert!(
        error.contains("\"large\"") && error.contains("\"scripted\""),
        "{error}"
    );
}

#[tokio::test]
async fn the_tokens_of_a_key_are_counted_once() {
    let place = Place::new();
    let store = place.open().await;
    let model = ScriptedModel::saying([
        using(10, AiMessage::new("").with_tool_calls([pay_call()])),
        using(20, AiMessage::new("It is paid.")),
        using(30, AiMessage::new("Nobody pays for this.")),
    ]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let mut options = RunOptions::default();
    options.owner = Some(RunOwner::new("alice"));
    let run = store.submit_with("Pay", options).await.unwrap();
    assert_eq!(store.finished(&run).await.unwrap(), answered("It is paid."));
    let steps = store.steps(&run).await.unwrap();
    let counted: Vec<_> = steps.iter().filter_map(RecordedStep::usage).collect();
    assert_eq!(counted.len(), 2);
    let run = store.submit("Hello").await.unwrap();
    store.finished(&run).await.unwrap();
    let other = place.open().await;
    let taken = other.take_usage().await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].owner, "alice");
    assert_eq!(
        (taken[0].usage.input_tokens, taken[0].usage.output_tokens),
        (30, 2)
    );
    assert_eq!(store.take_usage().await.unwrap(), []);
}
