//! Runs that nothing disturbs.

use haft_core::{AiMessage, ModelError, ModelErrorKind, ToolAnnotations};
use haft_durable::{DurableErrorKind, DurableStore, RunState};
use haft_testing::ScriptedModel;

use crate::support::{Place, agent, answered, paying_model, settled, spy, work};

#[tokio::test]
async fn a_question_is_answered_with_a_tool_that_gets_a_key() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(ToolAnnotations::default());
    work(agent(paying_model(), tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    assert_eq!(settled(&store, &run).await, answered("It is paid."));
    let seen = tool.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].idempotency_key, Some(format!("{run}:0")));
}

#[tokio::test]
async fn the_error_of_a_model_ends_the_run() {
    let place = Place::new();
    let store = place.open().await;
    let error = ModelError::new(ModelErrorKind::Unauthorized, "The key is wrong");
    let model = ScriptedModel::new([Err(error)]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let run = store.submit("Hello").await.unwrap();
    let error = "The key is wrong".to_owned();
    assert_eq!(settled(&store, &run).await, RunState::Failed { error });
}

#[tokio::test]
async fn a_run_waits_in_the_queue_and_can_be_cancelled_there() {
    let place = Place::new();
    let store = place.open().await;
    let run = store.submit("Hello").await.unwrap();
    assert_eq!(store.show(&run).await.unwrap().state, RunState::Queued);
    store.cancel(&run).await.unwrap();
    let model = ScriptedModel::saying([AiMessage::new("Hello!")]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let other = store.submit("Hello again").await.unwrap();
    assert_eq!(settled(&store, &other).await, answered("Hello!"));
    let listed = store.list().await.unwrap();
    let states: Vec<_> = listed.into_iter().map(|run| run.state).collect();
    assert_eq!(states, [answered("Hello!"), RunState::Cancelled]);
}

#[tokio::test]
async fn what_is_not_there_is_an_error() {
    let error = DurableStore::open("mysql://localhost").await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Address);
    let place = Place::new();
    let store = place.open().await;
    let error = store.show("nothing").await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownRun);
}

#[tokio::test]
async fn a_new_store_that_another_process_makes_is_waited_for() {
    let place = Place::new();
    let other = place
        .change("PRAGMA user_version = 1; BEGIN EXCLUSIVE")
        .await;
    let address = place.address();
    let opening = tokio::spawn(async move { DurableStore::open(&address).await });
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    drop(other);
    opening.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_store_is_opened_by_many_at_once() {
    for _ in 0..5 {
        let place = Place::new();
        let address = place.address();
        let opening = (0..8).map(|_| {
            let address = address.clone();
            tokio::spawn(async move { DurableStore::open(&address).await.unwrap() })
        });
        let stores = futures_util::future::try_join_all(opening).await.unwrap();
        let run = stores[0].submit("Hello").await.unwrap();
        for store in stores {
            assert_eq!(store.show(&run).await.unwrap().state, RunState::Queued);
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_can_read_a_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.open().await;
    let address = place.address();
    let file = address.strip_prefix("sqlite:").unwrap();
    for beside in ["", "-wal", "-shm"] {
        let mode = std::fs::metadata(format!("{file}{beside}")).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    }
}
