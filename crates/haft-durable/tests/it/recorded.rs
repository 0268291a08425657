//! Stores that released versions of haft wrote: their runs go on, or say why not.
//!
//! A store is recorded with the example `record_store`, and kept as the SQL that makes it.

use haft_core::AiMessage;
use haft_durable::{Decision, PendingReason, RunState};
use haft_testing::ScriptedModel;

use crate::support::{Place, agent, answered, destructive, settled, spy, work};

const FIRST: &str = include_str!("../stores/haft-1.sql");

#[tokio::test]
async fn a_store_of_the_first_version_goes_on() {
    let place = Place::new();
    place.change(FIRST).await;
    // A run waits 30 days for a person.
    let now = "UPDATE workflow_status SET completed_at = unixepoch() * 1000";
    place.change(now).await;
    let store = place.open().await;
    let report = store.check().await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    let runs = store.list().await.unwrap();
    let run = |question: &str| {
        let mut runs = runs.iter();
        runs.find(|run| run.question == question)
            .unwrap()
            .id
            .clone()
    };
    let repeated = &runs[0];
    assert!(matches!(&repeated.state, RunState::Repeating { every, .. } if every == "0 3 * * 7"));
    store.cancel(&repeated.id).await.unwrap();

    let tool = spy(destructive());
    let replies = (0..3).map(|_| AiMessage::new("It goes on."));
    work(
        agent(ScriptedModel::saying(replies), tool.clone()),
        &store,
        1,
    );
    assert_eq!(
        settled(&store, &run("An answered run")).await,
        answered("It is paid.")
    );
    assert_eq!(
        settled(&store, &run("A queued run")).await,
        answered("It goes on.")
    );

    let waiting = run("A waiting run");
    let RunState::Waiting(pending) = settled(&store, &waiting).await else {
        panic!("the run does not wait");
    };
    assert_eq!(pending.reason, PendingReason::Approval);
    store.decide(&waiting, Decision::Allow).await.unwrap();
    assert_eq!(
        store.finished(&waiting).await.unwrap(),
        answered("It goes on.")
    );
    assert_eq!(tool.seen().len(), 1);

    let cut_off = run("A run that was cut off");
    let RunState::Waiting(pending) = settled(&store, &cut_off).await else {
        panic!("the run does not wait");
    };
    assert_eq!(pending.reason, PendingReason::Uncertain);
    store.decide(&cut_off, Decision::Did).await.unwrap();
    assert_eq!(
        store.finished(&cut_off).await.unwrap(),
        answered("It goes on.")
    );
    assert_eq!(tool.seen().len(), 1);
}
