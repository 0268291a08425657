//! Workers that die before and after each write. A runtime that is dropped with all its tasks
//! stands for a process.

use std::future::pending;
use std::sync::Arc;
use std::thread;

use futures_util::{StreamExt, stream};
use haft_agent::Agent;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Role, Tool,
    ToolAnnotations, ToolCall,
};
use haft_testing::SpyTool;
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Duration, sleep, timeout};

use super::Faults;
use crate::{Decision, DurableStore, PendingReason, RunOptions, RunState, Worker, WorkerOptions};

/// The calls of a run, one after the other: the first is idempotent, the second needs approval.
const CALLS: [&str; 2] = ["note", "pay"];

/// More than the places of a run. The last ones are never reached.
const PLACES: usize = 36;

/// A model that makes the next call, until all have results.
#[derive(Debug)]
struct Caller;

impl ChatModel for Caller {
    fn id(&self) -> &str {
        "caller"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self))
    }

    fn stream(&self, messages: &[Message], _: &CallOptions) -> ChatStream {
        let results = messages
            .iter()
            .filter(|message| matches!(message, Message::Tool(_)));
        let reply = match CALLS.get(results.count()) {
            Some(tool) => {
                AiMessage::new("").with_tool_calls([ToolCall::new(*tool, json!({}), *tool)])
            }
            None => AiMessage::new("All is done."),
        };
        stream::iter([Ok(ChatChunk::Done(reply))]).boxed()
    }
}

/// A run with its tools, which all workers share.
struct World {
    folder: tempfile::TempDir,
    note: Arc<SpyTool>,
    pay: Arc<SpyTool>,
}

impl World {
    fn new() -> Self {
        let tool = |name: &str, annotations| {
            let tool = SpyTool::new(name, |_| Ok("done".into()));
            Arc::new(tool.with_annotations(annotations))
        };
        let note = ToolAnnotations {
            idempotent: true,
            ..ToolAnnotations::default()
        };
        let pay = ToolAnnotations {
            destructive: true,
            ..ToolAnnotations::default()
        };
        Self {
            folder: tempfile::tempdir().unwrap(),
            note: tool("note", note),
            pay: tool("pay", pay),
        }
    }

    async fn open(&self) -> DurableStore {
        let file = self.folder.path().join("runs.db");
        let address = format!("sqlite:{}", file.display());
        DurableStore::open(&address).await.unwrap()
    }

    fn work(&self, store: &DurableStore, faults: Faults) {
        let mut tools = ToolManager::new();
        tools.add(self.note.clone() as Arc<dyn Tool>).unwrap();
        tools.add(self.pay.clone() as Arc<dyn Tool>).unwrap();
        let executor = ToolExecutor::new(tools);
        let agent = Agent::new(Arc::new(Caller), executor, Default::default()).unwrap();
        let worker = Worker::new(agent, store.clone(), WorkerOptions::default()).unwrap();
        tokio::spawn(worker.with_faults(faults).work(pending()));
    }

    /// Decides what the run waits for, with the eyes of a person who sees the effects, until it
    /// has ended.
    async fn decide_until_the_end(&self, store: &DurableStore, run: &str) -> RunState {
        loop {
            let state = store.show(run).await.unwrap().state;
            if state.has_ended() {
                return state;
            }
            if let RunState::Waiting(pending) = state {
                let decision = match pending.reason {
                    PendingReason::Approval => Decision::Allow,
                    PendingReason::Uncertain if self.pay.seen().is_empty() => Decision::Repeat,
                    PendingReason::Uncertain => Decision::Did,
                };
                store.decide(run, decision).await.unwrap();
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn assert_effects(&self, place: usize) {
        assert_eq!(self.pay.seen().len(), 1, "payments with a death at {place}");
        let notes = self.note.seen();
        let keys = notes.iter().map(|input| input.idempotency_key.clone());
        let mut keys: Vec<_> = keys.collect();
        keys.dedup();
        assert_eq!(keys.len(), 1, "keys of a note with a death at {place}");
    }
}

/// The question, two calls with their results, and the answer are in the session once, which is free
/// again.
async fn assert_conversation(store: &DurableStore, run: &str) {
    let session = store.show(run).await.unwrap().session.unwrap();
    let turn = store
        .sessions()
        .begin(Some(&session.parse().unwrap()))
        .await;
    let turn = turn.unwrap();
    let roles: Vec<_> = turn.messages().iter().map(Message::role).collect();
    let (user, model, tool) = (Role::User, Role::Assistant, Role::Tool);
    assert_eq!(roles, [user, model, tool, model, tool, model]);
}

fn process() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
}

/// Whether a worker died, or the run ended before that.
enum First {
    Died,
    Ended,
}

/// A run whose first worker dies at `place`, or reaches the end.
fn die(world: &World, place: usize) -> (String, First) {
    let process = process();
    let ended = process.block_on(async {
        let store = world.open().await;
        let faults = Faults::at(place);
        world.work(&store, faults.clone());
        let options = RunOptions {
            session: Some(store.sessions().create(None).await.unwrap()),
            ..RunOptions::default()
        };
        let run = store.submit_with("Note and pay", options).await.unwrap();
        tokio::select! {
            () = faults.died() => (run, First::Died),
            _ = world.decide_until_the_end(&store, &run) => (run.clone(), First::Ended),
        }
    });
    process.shutdown_background();
    ended
}

/// Tries each place on a thread of its own and returns how many were reached.
fn at_each_place(attempt: fn(usize) -> First) -> usize {
    let attempts: Vec<_> = (0..PLACES)
        .map(|place| thread::spawn(move || attempt(place)))
        .collect();
    let attempts = attempts.into_iter().map(|attempt| attempt.join().unwrap());
    attempts
        .filter(|first| matches!(first, First::Died))
        .count()
}

#[test]
fn a_run_survives_a_death_at_each_place() {
    let reached = at_each_place(|place| {
        let world = World::new();
        let (run, first) = die(&world, place);
        process().block_on(async {
            let store = world.open().await;
            world.work(&store, Faults::default());
            let end = world.decide_until_the_end(&store, &run);
            let end = timeout(Duration::from_secs(120), end).await.unwrap();
            let text = "All is done.".to_owned();
            assert_eq!(end, RunState::Answered { text }, "with a death at {place}");
            assert_conversation(&store, &run).await;
        });
        world.assert_effects(place);
        first
    });
    // Three replies, two calls with two steps each, and what their effects are: three places each;
    // the ends of two stretches; and before and after the conversation is written.
    assert!((20..PLACES).contains(&reached), "{reached} places");
}

#[test]
fn a_run_is_cancelled_and_retried_at_each_place() {
    let reached = at_each_place(|place| {
        let world = World::new();
        let (run, first) = die(&world, place);
        if let First::Ended = first {
            return first;
        }
        process().block_on(async {
            let store = world.open().await;
            store.cancel(&run).await.unwrap();
            let before = (world.note.seen().len(), world.pay.seen().len());
            world.work(&store, Faults::default());
            // Another run shows that the worker works.
            let other = store.submit("Another").await.unwrap();
            while store.show(&other).await.unwrap().state == RunState::Queued {
                sleep(Duration::from_millis(50)).await;
            }
            store.cancel(&other).await.unwrap();
            assert_eq!(store.show(&run).await.unwrap().state, RunState::Cancelled);
            let keys = |tool: &SpyTool| {
                let mine = |key: &Option<String>| key.iter().any(|key| key.starts_with(&run));
                let keys = tool.seen().into_iter().map(|input| input.idempotency_key);
                keys.filter(mine).count()
            };
            assert_eq!((keys(&world.note), keys(&world.pay)), before, "at {place}");
            store.retry(&run).await.unwrap();
            let end = world.decide_until_the_end(&store, &run);
            let end = timeout(Duration::from_secs(120), end).await.unwrap();
            let text = "All is done.".to_owned();
            assert_eq!(end, RunState::Answered { text }, "cancelled at {place}");
            assert_conversation(&store, &run).await;
            assert_eq!(keys(&world.pay), 1, "payments, cancelled at {place}");
        });
        first
    });
    assert!((20..PLACES).contains(&reached), "{reached} places");
}
