use std::time::Duration;

use chrono::Timelike;
use haft_agent::Agent;
use haft_core::AiMessage;
use haft_testing::ScriptedModel;
use haft_tools::{ToolExecutor, ToolManager};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::*;
use crate::{Worker, WorkerOptions};

/// A store in a new folder.
async fn store() -> (tempfile::TempDir, DurableStore) {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("runs.db").display());
    let store = DurableStore::open(&address).await.unwrap();
    (folder, store)
}

/// Works until `enough` runs of a schedule are answered, and stops.
async fn work_until(store: &DurableStore, schedule: &str, enough: usize) -> Vec<RunSummary> {
    let replies = (0..100).map(|_| AiMessage::new("It is noon."));
    let executor = ToolExecutor::new(ToolManager::new());
    let model = std::sync::Arc::new(ScriptedModel::saying(replies));
    let agent = Agent::new(model, executor, Default::default()).unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = Worker::new(agent, store.clone(), WorkerOptions::default()).unwrap();
    let worker = tokio::spawn(worker.work(async {
        let _ = stopped.await;
    }));
    let runs = loop {
        let mut runs = store.list().await.unwrap();
        runs.retain(|run| run.schedule.as_deref() == Some(schedule) && run.state.has_ended());
        if runs.len() >= enough {
            break runs;
        }
        sleep(Duration::from_millis(50)).await;
    };
    drop(stop);
    worker.await.unwrap();
    runs
}

/// Puts a schedule into the engine that was made a while ago.
async fn make_before(store: &DurableStore, cron: &str, before: TimeDelta) -> String {
    let id = format!("{ID_PREFIX}{}", new_id());
    let repeated = Repeated {
        question: "What time is it?".to_owned(),
        sealed: false,
        queue: "default".to_owned(),
        every: cron.to_owned(),
        made: (Utc::now() - before).timestamp_millis(),
    };
    let options = ScheduleOptions::new()
        .context(&repeated)
        .cron_timezone("UTC")
        .queue_name(TICKS);
    let created = store.client.create_schedule(&id, TICK, cron, options);
    created.await.unwrap();
    id
}

#[tokio::test]
async fn a_schedule_goes_on_after_a_restart_and_ends_when_it_is_cancelled() {
    let (_folder, store) = store().await;
    let id = make_before(&store, "* * * * * *", TimeDelta::zero()).await;
    let first = work_until(&store, &id, 2).await;
    let second = work_until(&store, &id, first.len() + 2).await;
    let mut ids: Vec<_> = second.iter().map(|run| &run.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), second.len());
    store.cancel(&id).await.unwrap();
    assert!(store.schedules().await.unwrap().is_empty());
}

#[tokio::test]
async fn of_the_times_at_which_no_worker_was_there_the_last_is_made_up_for() {
    let (_folder, store) = store().await;
    // An hour of each day that is far away; three of them have passed.
    let hour = (Utc::now().hour() + 12) % 24;
    let cron = format!("0 0 {hour} * * *");
    let id = make_before(&store, &cron, TimeDelta::days(3)).await;
    assert_eq!(work_until(&store, &id, 1).await.len(), 1);
    sleep(Duration::from_millis(500)).await;
    assert_eq!(work_until(&store, &id, 1).await.len(), 1);
    let new = make_before(&store, "0 0 0 1 1 *", TimeDelta::zero()).await;
    assert_eq!(work_until(&store, &new, 0).await.len(), 0);
}

#[tokio::test]
async fn a_schedule_is_listed_with_its_times() {
    let (_folder, store) = store().await;
    let repetition = Repetition {
        queue: "night".to_owned(),
        every: "0 3 * * 7".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
    };
    let id = store.repeat("Hello", repetition.clone()).await.unwrap();
    let shown = store.show(&id).await.unwrap();
    assert_eq!(shown.queue, "night");
    let state = RunState::Repeating {
        every: "0 3 * * 7".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
    };
    assert_eq!(shown.state, state);
    let time_zone = "Berlin".to_owned();
    let wrong = Repetition {
        time_zone,
        ..repetition
    };
    let error = store.repeat("Hello", wrong).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Argument);
}

#[test]
fn days_of_the_week_are_those_of_cron() {
    for (field, days) in [
        ("*", "*"),
        ("1-5", "MON,TUE,WED,THU,FRI"),
        ("0,6", "SUN,SAT"),
        ("7", "SUN"),
        ("5-7", "FRI,SAT,SUN"),
        ("fri-sun", "FRI,SAT,SUN"),
        ("*/2", "SUN,TUE,THU,SAT"),
    ] {
        assert_eq!(days_of_week(field).as_deref(), Some(days), "{field}");
    }
    for field in ["8", "", "1-", "x", "1/0"] {
        assert_eq!(days_of_week(field), None, "{field}");
    }
}

#[test]
fn five_fields_are_read_and_nothing_else() {
    assert_eq!(engine_cron("30 8 * * 1-2").unwrap(), "0 30 8 * * MON,TUE");
    for every in ["", "* * * *", "0 30 8 * * MON", "61 8 * * *", "x 8 * * *"] {
        let error = engine_cron(every).unwrap_err();
        assert_eq!(error.kind(), DurableErrorKind::Argument, "{every}");
    }
}

#[test]
fn the_schedule_is_in_the_id_of_its_tick() {
    let tick = "sched-every-0123456789abcdef-2026-01-02T03:04:05+00:00";
    assert_eq!(schedule_of(tick), "every-0123456789abcdef");
}
