//! Runs that are retried and copied, queues, and runs that begin later.

use std::time::{Duration, SystemTime};

use haft_core::{AiMessage, ModelError, ModelErrorKind, ToolAnnotations};
use haft_durable::{Decision, DurableErrorKind, RunOptions, RunState, Worker, WorkerOptions};
use haft_testing::ScriptedModel;

use crate::support::{
    Place, agent, answered, destructive, pay_call, paying_model, settled, spy, work,
};

#[tokio::test]
async fn a_failed_run_goes_on_from_its_last_step_that_succeeded() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(ToolAnnotations::default());
    let error = ModelError::new(ModelErrorKind::Unauthorized, "The key is wrong");
    let model = ScriptedModel::new([
        Ok(AiMessage::new("").with_tool_calls([pay_call()])),
        Err(error),
        Ok(AiMessage::new("It is paid.")),
    ]);
    work(agent(model, tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    let error = "The key is wrong".to_owned();
    assert_eq!(settled(&store, &run).await, RunState::Failed { error });
    store.retry(&run).await.unwrap();
    assert_eq!(settled(&store, &run).await, answered("It is paid."));
    assert_eq!(tool.seen().len(), 1);
    let error = store.retry(&run).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::State);
}

#[tokio::test]
async fn a_copy_keeps_the_first_steps_and_asks_for_the_later_decisions() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(destructive());
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([pay_call()]),
        AiMessage::new("It is paid."),
        AiMessage::new("It is paid again."),
        AiMessage::new("It was paid before."),
    ]);
    work(agent(model, tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    settled(&store, &run).await;
    store.decide(&run, Decision::Allow).await.unwrap();
    assert_eq!(store.finished(&run).await.unwrap(), answered("It is paid."));
    let steps = store.steps(&run).await.unwrap();
    let names: Vec<_> = steps.iter().map(|step| step.name.as_str()).collect();
    let all = ["reply", "effects", "pay begun", "pay ended", "reply"];
    assert_eq!(names, all);

    // Before the decision: it is asked for again, and the call is made again.
    let again = store.fork(&run, 2).await.unwrap();
    assert!(matches!(
        settled(&store, &again).await,
        RunState::Waiting(_)
    ));
    store.decide(&again, Decision::Allow).await.unwrap();
    assert_eq!(
        store.finished(&again).await.unwrap(),
        answered("It is paid again.")
    );
    assert_eq!(tool.seen().len(), 2);

    // After the call: its result is that of the first run, also when that is erased.
    let later = store.fork(&run, 4).await.unwrap();
    store.erase(&run).await.unwrap();
    assert_eq!(
        settled(&store, &later).await,
        answered("It was paid before.")
    );
    assert_eq!(tool.seen().len(), 2);
    let error = store.fork(&later, 99).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::State);
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_and_can_be_retried() {
    let place = Place::new();
    let store = place.open().await;
    let tool = spy(destructive());
    work(agent(paying_model(), tool.clone()), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    settled(&store, &run).await;
    store.cancel(&run).await.unwrap();
    assert_eq!(store.show(&run).await.unwrap().state, RunState::Cancelled);
    let error = store.decide(&run, Decision::Allow).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::NotWaiting);
    let error = store.cancel(&run).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::State);
    store.retry(&run).await.unwrap();
    assert!(matches!(settled(&store, &run).await, RunState::Waiting(_)));
    assert_eq!(tool.seen().len(), 0);
}

#[tokio::test]
async fn of_two_decisions_the_first_counts() {
    let place = Place::new();
    let store = place.open().await;
    let model = paying_model();
    let worker = work(agent(model, spy(destructive())), &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    settled(&store, &run).await;
    worker.abort();
    let decisions = [Decision::Allow, Decision::Deny];
    let decided = decisions.map(|decision| store.decide(&run, decision));
    let decided = futures_util::future::join_all(decided).await;
    assert_eq!(decided.iter().filter(|decided| decided.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_worker_works_on_the_runs_of_its_queue() {
    let place = Place::new();
    let store = place.open().await;
    let mut night = RunOptions::default();
    night.queue = "night".to_owned();
    let other = store.submit_with("Hello", night.clone()).await.unwrap();
    let model = ScriptedModel::saying([AiMessage::new("Good day!")]);
    work(agent(model, spy(destructive())), &store, 1);
    let run = store.submit("Hello").await.unwrap();
    assert_eq!(settled(&store, &run).await, answered("Good day!"));
    let shown = store.show(&other).await.unwrap();
    assert_eq!(
        (shown.state, shown.queue.as_str()),
        (RunState::Queued, "night")
    );

    let mut options = WorkerOptions::default();
    options.queue = "night".to_owned();
    let model = ScriptedModel::saying([AiMessage::new("Good night!")]);
    let worker = Worker::new(agent(model, spy(destructive())), store.clone(), options).unwrap();
    tokio::spawn(worker.work(std::future::pending()));
    assert_eq!(settled(&store, &other).await, answered("Good night!"));
    night.queue = "the night".to_owned();
    let error = store.submit_with("Hello", night).await.unwrap_err();
    assert_eq!(error.kind(), DurableErrorKind::Argument);
}

#[tokio::test]
async fn a_run_begins_later_also_after_a_restart() {
    let place = Place::new();
    let store = place.open().await;
    let mut later = RunOptions::default();
    let at = SystemTime::now() + Duration::from_secs(3);
    later.at = Some(at);
    let run = store.submit_with("Hello", later).await.unwrap();
    let model = ScriptedModel::saying([AiMessage::new("Hello!")]);
    let worker = work(agent(model.clone(), spy(destructive())), &store, 1);
    let shown = store.show(&run).await.unwrap();
    assert!(matches!(shown.state, RunState::Delayed { .. }));
    worker.abort();
    let store = place.open().await;
    work(agent(model.clone(), spy(destructive())), &store, 1);
    assert_eq!(store.finished(&run).await.unwrap(), answered("Hello!"));
    assert!(SystemTime::now() >= at);
}
