//! Stores that are checked, saved and erased.

use std::time::{Duration, SystemTime};

use haft_core::{AiMessage, ToolAnnotations};
use haft_durable::{DurableErrorKind, DurableStore, RunState};
use haft_testing::ScriptedModel;

use crate::support::{Place, agent, answered, destructive, paying_model, settled, spy, work};

async fn answered_run(store: &DurableStore) -> String {
    let model = ScriptedModel::saying([AiMessage::new("A secret answer")]);
    let worker = work(agent(model, spy(ToolAnnotations::default())), store, 1);
    let run = store.submit("A secret question").await.unwrap();
    assert_eq!(settled(store, &run).await, answered("A secret answer"));
    worker.abort();
    run
}

#[tokio::test]
async fn a_saved_store_has_the_same_runs() {
    let place = Place::new();
    let store = place.open().await;
    let run = answered_run(&store).await;
    let saved = Place::new();
    let file = saved.file();
    store.backup(&file).await.unwrap();
    let error = store.backup(&file).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Database);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let copy = saved.open().await;
    assert_eq!(copy.list().await.unwrap(), store.list().await.unwrap());
    assert_eq!(copy.steps(&run).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_check_counts_runs_and_finds_what_cannot_be_read() {
    let place = Place::new();
    let store = place.open().await;
    answered_run(&store).await;
    let run = store.submit("Hello").await.unwrap();
    let report = store.check().await.unwrap();
    assert_eq!(report.runs, [("answered", 1), ("queued", 1)].into());
    assert_eq!(report.problems, Vec::<String>::new());
    place
        .change(
            "UPDATE workflow_status SET inputs = NULL, application_version = 'old'
        WHERE status = 'ENQUEUED'",
        )
        .await;
    let report = store.check().await.unwrap();
    let unread = format!("The run {run} cannot be read");
    let old = format!("The run {run} is of another version of haft");
    assert_eq!(report.problems, [unread, old]);
}

#[tokio::test]
async fn an_erased_run_is_in_no_file_any_more() {
    let place = Place::new();
    let store = place.open().await;
    let run = answered_run(&store).await;
    assert!(place.holds("A secret answer"));
    store.erase(&run).await.unwrap();
    assert!(!place.holds("A secret answer"));
    let error = store.show(&run).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::UnknownRun);
}

#[tokio::test]
async fn what_has_not_ended_is_kept() {
    let place = Place::new();
    let store = place.open().await;
    work(agent(paying_model(), spy(destructive())), &store, 1);
    let waiting = store.submit("Pay the bill").await.unwrap();
    assert!(matches!(
        settled(&store, &waiting).await,
        RunState::Waiting(_)
    ));
    let cancelled = store.submit("Pay the bill").await.unwrap();
    store.cancel(&cancelled).await.unwrap();
    let error = store.erase(&waiting).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::State);
    let now = SystemTime::now();
    let early = now - Duration::from_secs(60);
    assert_eq!(store.erase_before(early).await.unwrap(), 0);
    let late = now + Duration::from_secs(60);
    assert_eq!(store.erase_before(late).await.unwrap(), 1);
    let left = store.list().await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].id, waiting);
}
