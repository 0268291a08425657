//! Workers that are asked to stop.

use std::sync::Arc;
use std::time::Duration;

use haft_agent::{Agent, AgentOptions};
use haft_core::{
    AiMessage, CallOptions, ChatModel, ChatStream, Message, ModelError, Tool, ToolAnnotations,
    ToolError, ToolInput, ToolOutput,
};
use haft_durable::{DurableStore, PendingReason, RunState, Worker, WorkerOptions};
use haft_testing::ScriptedModel;
use haft_tools::{ExecutorOptions, ToolExecutor, ToolManager};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::support::{Place, agent, answered, paying_model, settled, spy, work};

/// A tool that says when it begins, and ends when it is told to.
#[derive(Debug, Default)]
struct Slow {
    begun: Notify,
    end: Notify,
}

#[async_trait::async_trait]
impl Tool for Slow {
    fn name(&self) -> &str {
        "pay"
    }
    fn description(&self) -> &str {
        "Pay the bill"
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        self.begun.notify_one();
        self.end.notified().await;
        Ok("paid".into())
    }
}

/// A model that says when it is asked, and never answers.
#[derive(Debug)]
struct Silent(Arc<Notify>);

impl ChatModel for Silent {
    fn id(&self) -> &str {
        "silent"
    }
    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self(self.0.clone())))
    }
    fn stream(&self, _: &[Message], _: &CallOptions) -> ChatStream {
        self.0.notify_one();
        Box::pin(futures_util::stream::pending())
    }
}

fn slow_agent(model: Arc<dyn ChatModel>, tool: Arc<Slow>, options: ExecutorOptions) -> Agent {
    let mut tools = ToolManager::new();
    tools.add(tool as Arc<dyn Tool>).unwrap();
    let executor = ToolExecutor::with_options(tools, options, None);
    Agent::new(model, executor, AgentOptions::default()).unwrap()
}

/// A worker that stops when the sender is dropped.
fn stoppable(
    agent: Agent,
    store: &DurableStore,
    options: WorkerOptions,
) -> (oneshot::Sender<()>, JoinHandle<()>) {
    let (stop, stopped) = oneshot::channel();
    let worker = Worker::new(agent, store.clone(), options).unwrap();
    let worker = tokio::spawn(worker.work(async {
        let _ = stopped.await;
    }));
    (stop, worker)
}

async fn ends(worker: JoinHandle<()>) {
    timeout(Duration::from_secs(20), worker)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_call_under_way_is_waited_for_and_the_next_worker_goes_on_at_once() {
    let place = Place::new();
    let store = place.open().await;
    let tool = Arc::new(Slow::default());
    let model = paying_model();
    let agent_1 = slow_agent(
        Arc::new(model.clone()),
        tool.clone(),
        ExecutorOptions::default(),
    );
    let (stop, worker) = stoppable(agent_1, &store, WorkerOptions::default());
    let run = store.submit("Pay the bill").await.unwrap();
    tool.begun.notified().await;
    drop(stop);
    sleep(Duration::from_millis(300)).await;
    assert!(!worker.is_finished());
    tool.end.notify_one();
    ends(worker).await;
    // It is in the queue again, so no lease must end before another worker takes it.
    assert_eq!(store.show(&run).await.unwrap().state, RunState::Queued);
    let spy = spy(ToolAnnotations::default());
    work(agent(model, spy.clone()), &store, 1);
    assert_eq!(settled(&store, &run).await, answered("It is paid."));
    assert_eq!(spy.seen().len(), 0);
}

#[tokio::test]
async fn a_call_that_does_not_end_is_left_after_the_time_of_grace() {
    let place = Place::new();
    let store = place.open().await;
    let tool = Arc::new(Slow::default());
    let model = paying_model();
    let agent_1 = slow_agent(
        Arc::new(model.clone()),
        tool.clone(),
        ExecutorOptions::default(),
    );
    let mut options = WorkerOptions::default();
    options.grace = Duration::from_millis(200);
    let (stop, worker) = stoppable(agent_1, &store, options);
    let run = store.submit("Pay the bill").await.unwrap();
    tool.begun.notified().await;
    drop(stop);
    ends(worker).await;
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    let RunState::Waiting(pending) = settled(&store, &run).await else {
        panic!("the run does not wait");
    };
    assert_eq!(pending.reason, PendingReason::Uncertain);
}

#[tokio::test]
async fn a_request_under_way_is_not_waited_for() {
    let place = Place::new();
    let store = place.open().await;
    let asked = Arc::new(Notify::new());
    let silent = Arc::new(Silent(asked.clone()));
    let agent_1 = slow_agent(silent, Arc::default(), ExecutorOptions::default());
    let (stop, worker) = stoppable(agent_1, &store, WorkerOptions::default());
    let run = store.submit("Hello").await.unwrap();
    asked.notified().await;
    drop(stop);
    ends(worker).await;
    let model = ScriptedModel::saying([AiMessage::new("Hello!")]);
    work(agent(model, spy(ToolAnnotations::default())), &store, 1);
    assert_eq!(settled(&store, &run).await, answered("Hello!"));
}

#[tokio::test]
async fn a_worker_that_is_dropped_begins_nothing_more() {
    let place = Place::new();
    let store = place.open().await;
    let model = ScriptedModel::saying([AiMessage::new("Hello!"), AiMessage::new("Hello!")]);
    let agent = agent(model, spy(ToolAnnotations::default()));
    let worker = work(agent, &store, 1);
    let run = store.submit("Hello").await.unwrap();
    assert_eq!(settled(&store, &run).await, answered("Hello!"));
    worker.abort();
    let _ = worker.await;
    let run = store.submit("Hello").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(store.show(&run).await.unwrap().state, RunState::Queued);
}

#[tokio::test]
async fn calls_have_the_limits_of_the_agent() {
    let place = Place::new();
    let store = place.open().await;
    let model = paying_model();
    let mut options = ExecutorOptions::default();
    options.timeout = Duration::from_millis(50);
    let shared = Arc::new(model.clone());
    let agent = slow_agent(shared, Arc::default(), options);
    work(agent, &store, 1);
    let run = store.submit("Pay the bill").await.unwrap();
    assert_eq!(settled(&store, &run).await, answered("It is paid."));
    let read = format!("{:?}", model.requests()[1].messages);
    assert!(read.contains("took longer than 0.05 seconds"), "{read}");
}
