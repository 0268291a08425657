//! Records a store for `tests/it/recorded.rs`: `cargo run -p haft-durable --example record_store
//! FILE`. It holds a run that is answered, one that waits for a person, one whose worker died in a
//! call, one in the queue and a schedule.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use haft_agent::Agent;
use haft_core::{AiMessage, Tool, ToolAnnotations, ToolCall, ToolError, ToolInput, ToolOutput};
use haft_durable::{DurableStore, Repetition, RunState, Worker, WorkerOptions};
use haft_testing::ScriptedModel;
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};
use tokio::time::sleep;

/// A tool that hangs at the amount 3.
#[derive(Debug, Default)]
struct Pay {
    annotations: ToolAnnotations,
    hangs: Notify,
}

#[async_trait::async_trait]
impl Tool for Pay {
    fn name(&self) -> &'static str {
        "pay"
    }
    fn description(&self) -> &'static str {
        "Pay an amount"
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        if input.input.get("amount") == Some(&json!(3)) {
            self.hangs.notify_one();
            std::future::pending::<()>().await;
        }
        Ok("paid".into())
    }
}

/// A worker whose model pays an amount and then answers. It stops when the sender is dropped.
fn work(store: &DurableStore, tool: &Arc<Pay>, amount: u32) -> Result<Working, Box<dyn Error>> {
    let call = ToolCall::new("pay", json!({ "amount": amount }), "call_1");
    let model = ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([call]),
        AiMessage::new("It is paid."),
    ]);
    let mut tools = ToolManager::new();
    tools.add(tool.clone() as Arc<dyn Tool>)?;
    let executor = ToolExecutor::new(tools);
    let agent = Agent::new(
        Arc::new(model),
        executor,
        haft_agent::AgentOptions::default(),
    )?;
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = Worker::new(agent, store.clone(), WorkerOptions::default())?;
    let task = tokio::spawn(worker.work(async {
        let _ = stopped.await;
    }));
    Ok(Working { stop, task })
}

struct Working {
    stop: oneshot::Sender<()>,
    task: tokio::task::JoinHandle<()>,
}

impl Working {
    async fn ends(self) -> Result<(), Box<dyn Error>> {
        drop(self.stop);
        Ok(self.task.await?)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a new file")?;
    let store = DurableStore::open(&format!("sqlite:{file}")).await?;
    let plain = Arc::new(Pay::default());
    let worker = work(&store, &plain, 1)?;
    let answered = store.submit("An answered run").await?;
    store.finished(&answered).await?;
    worker.ends().await?;

    let destructive = Arc::new(Pay {
        annotations: ToolAnnotations {
            destructive: true,
            ..ToolAnnotations::default()
        },
        ..Pay::default()
    });
    let worker = work(&store, &destructive, 2)?;
    let waiting = store.submit("A waiting run").await?;
    while !matches!(store.show(&waiting).await?.state, RunState::Waiting(_)) {
        sleep(Duration::from_millis(50)).await;
    }
    worker.ends().await?;

    let worker = work(&store, &plain, 3)?;
    store.submit("A run that was cut off").await?;
    plain.hangs.notified().await;
    worker.task.abort();
    store.submit("A queued run").await?;
    let repetition = Repetition {
        queue: "default".to_owned(),
        every: "0 3 * * 7".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
    };
    store.repeat("A repeated question", repetition).await?;
    Ok(())
}
