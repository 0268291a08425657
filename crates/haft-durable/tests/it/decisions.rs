//! Runs that wait for a person.

use haft_core::AiMessage;
use haft_durable::{Decision, DurableErrorKind, DurableStore, PendingReason, RunState};
use haft_testing::ScriptedModel;
use serde_json::json;

use crate::support::{Place, agent, answered, destructive, paying_model, settled, spy, work};

async fn waits_for_approval(store: &DurableStore, run: &str) {
    let RunState::Waiting(pending) = settled(store, run).await else {
        panic!("the run does not wait");
    };
    assert_eq!(pending.reason, PendingReason::Approval);
    assert_eq!(pending.tool, "pay");
    assert_eq!(json!(pending.arguments), json!({"amount": 5}));
}

#[tokio::test]
async fn an_allowed_call_runs_once() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(destructive());
    work(agent(paying_model(), tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    waits_for_approval(&store, &run).await;
    assert_eq!(tool.seen().len(), 0);
    store.decide(&run, Decision::Allow).await.unwrap();
    let ended = store.finished(&run).await.unwrap();
    assert_eq!(ended, answered("It is paid."));
    assert_eq!(tool.seen().len(), 1);
}

#[tokio::test]
async fn a_denied_call_does_not_run() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(destructive());
    let model = paying_model();
    work(agent(model.clone(), tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    waits_for_approval(&store, &run).await;
    store.decide(&run, Decision::Deny).await.unwrap();
    store.finished(&run).await.unwrap();
    assert_eq!(tool.seen().len(), 0);
    let read = format!("{:?}", model.requests()[1].messages);
    assert!(read.contains("A person denied this call"), "{read}");
}

#[tokio::test]
async fn a_run_that_waits_takes_no_slot() {
    let place = Place::new();
    let store = place.open().await;
    let worker = work(agent(paying_model(), spy(destructive())), &store, 1);
    let waiting = store.submit("Pay the bill").await.unwrap();
    waits_for_approval(&store, &waiting).await;
    let other = store.submit("Is it paid?").await.unwrap();
    assert_eq!(settled(&store, &other).await, answered("It is paid."));
    worker.abort();
}

#[tokio::test]
async fn a_decision_must_fit_what_the_run_waits_for() {
    let place = Place::new();
    let store = place.open().await;
    let model = ScriptedModel::saying([AiMessage::new("Hello!")]);
    let run = store.submit("Hello").await.unwrap();
    let error = store.decide(&run, Decision::Allow).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::NotWaiting);
    work(agent(model, spy(destructive())), &store, 1);
    store.finished(&run).await.unwrap();
    let error = store.decide(&run, Decision::Allow).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::NotWaiting);
}
