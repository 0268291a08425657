//! Processes that die: a runtime that is dropped with all its tasks stands for each.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use haft_agent::Agent;
use haft_core::{AiMessage, Tool, ToolAnnotations, ToolCall, ToolError, ToolInput, ToolOutput};
use haft_durable::{Decision, PendingReason, RunState};
use haft_testing::ScriptedModel;
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

use crate::support::{Place, answered, destructive, paying_model, process, settled, work};

/// A tool that tells its key, and does not return when its process is to die.
#[derive(Debug)]
struct Pay {
    annotations: ToolAnnotations,
    keys: mpsc::Sender<String>,
    hangs: bool,
}

#[async_trait::async_trait]
impl Tool for Pay {
    fn name(&self) -> &str {
        "pay"
    }
    fn description(&self) -> &str {
        "Pay the bill"
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }
    async fn invoke(&self, input: ToolInput) -> Result<ToolOutput, ToolError> {
        let _ = self.keys.send(input.idempotency_key.unwrap());
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok("paid".into())
    }
}

/// What several processes have in common.
struct World {
    place: Place,
    model: ScriptedModel,
    annotations: ToolAnnotations,
    keys: mpsc::Sender<String>,
    seen: mpsc::Receiver<String>,
}

impl World {
    fn new(annotations: ToolAnnotations) -> Self {
        let (keys, seen) = mpsc::channel();
        let call = ToolCall::new("pay", json!({}), "call_1");
        let model = ScriptedModel::saying([
            AiMessage::new("").with_tool_calls([call]),
            AiMessage::new("It is paid."),
        ]);
        Self {
            place: Place::new(),
            model,
            annotations,
            keys,
            seen,
        }
    }

    fn agent(&self, hangs: bool) -> Agent {
        let mut tools = ToolManager::new();
        let pay = Pay {
            annotations: self.annotations,
            keys: self.keys.clone(),
            hangs,
        };
        tools.add(Arc::new(pay) as Arc<dyn Tool>).unwrap();
        let model = Arc::new(self.model.clone());
        Agent::new(model, ToolExecutor::new(tools), Default::default()).unwrap()
    }

    /// A process that dies while the tool runs. Returns the run and the key of the call.
    fn die_in_the_call(&self) -> Call {
        let process = process();
        let run = process.block_on(async {
            let store = self.place.open().await;
            work(self.agent(true), &store, 1);
            store.submit("Pay the bill").await.unwrap()
        });
        let key = self.seen.recv_timeout(Duration::from_secs(60)).unwrap();
        process.shutdown_background();
        Call { run, key }
    }
}

/// A call of a run.
struct Call {
    run: String,
    key: String,
}

#[test]
fn an_idempotent_call_is_repeated_with_its_key() {
    let world = World::new(ToolAnnotations {
        idempotent: true,
        ..ToolAnnotations::default()
    });
    let call = world.die_in_the_call();
    let process = process();
    process.block_on(async {
        let store = world.place.open().await;
        work(world.agent(false), &store, 1);
        assert_eq!(settled(&store, &call.run).await, answered("It is paid."));
    });
    let keys: Vec<_> = world.seen.try_iter().collect();
    assert_eq!(keys, [call.key]);
    assert_eq!(world.model.requests().len(), 2);
}

#[test]
fn any_other_call_waits_for_a_person() {
    for decision in [Decision::Did, Decision::DidNot, Decision::Repeat] {
        let world = World::new(ToolAnnotations::default());
        let call = world.die_in_the_call();
        let process = process();
        process.block_on(async {
            let store = world.place.open().await;
            work(world.agent(false), &store, 1);
            let RunState::Waiting(pending) = settled(&store, &call.run).await else {
                panic!("the run does not wait");
            };
            assert_eq!(pending.reason, PendingReason::Uncertain);
            assert_eq!(world.seen.try_iter().count(), 0);
            store.decide(&call.run, decision).await.unwrap();
            store.finished(&call.run).await.unwrap();
        });
        let keys: Vec<_> = world.seen.try_iter().collect();
        let repeated = match decision {
            Decision::Repeat => vec![call.key],
            _ => Vec::new(),
        };
        assert_eq!(keys, repeated, "{decision:?}");
    }
}

#[test]
fn an_approval_comes_after_a_restart_of_everything() {
    let place = Place::new();
    let model = paying_model();
    let tool = crate::support::spy(destructive());
    let agent = || crate::support::agent(model.clone(), tool.clone());
    let first = process();
    let run = first.block_on(async {
        let store = place.open().await;
        work(agent(), &store, 1);
        let run = store.submit("Pay the bill").await.unwrap();
        settled(&store, &run).await;
        run
    });
    first.shutdown_background();
    process().block_on(async {
        let store = place.open().await;
        store.decide(&run, Decision::Allow).await.unwrap();
        work(agent(), &store, 1);
        let ended = store.finished(&run).await.unwrap();
        assert_eq!(ended, answered("It is paid."));
    });
    assert_eq!(tool.seen().len(), 1);
}
