//! What durable runs cost: the time of a step beside the engine alone, and the memory of runs that
//! wait for a person. `HAFT_STORE=postgres://... cargo bench -p haft-durable` measures Postgres,
//! otherwise it is a new SQLite file.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use durare::{DurableContext, DurableEngine, WorkflowOptions};
use futures_util::{StreamExt, stream};
use haft_agent::{Agent, AgentOptions};
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatModel, ChatStream, Message, ModelError, Tool,
    ToolAnnotations, ToolCall, ToolError, ToolInput, ToolOutput,
};
use haft_durable::{DurableStore, RunState, Worker, WorkerOptions};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::{Value, json};

/// The calls of a run, and the steps of the engine alone.
const CALLS: usize = 15;

/// The runs that are measured.
const RUNS: usize = 20;

/// The steps of a call: the reply, whether it needs approval, that it begins and how it ends.
const STEPS_OF_A_CALL: u32 = 4;

const WAITING: usize = 500;

/// A model that makes the next call, and answers after the last one.
#[derive(Debug)]
struct Caller;

impl ChatModel for Caller {
    fn id(&self) -> &'static str {
        "caller"
    }

    fn bind_tools(&self, _: &[Arc<dyn Tool>]) -> Result<Arc<dyn ChatModel>, ModelError> {
        Ok(Arc::new(Self))
    }

    fn stream(&self, messages: &[Message], _: &CallOptions) -> ChatStream {
        let is_result = |message: &&Message| matches!(message, Message::Tool(_));
        let done = messages.iter().filter(is_result).count();
        let call = ToolCall::new("note", json!({ "number": done }), format!("call_{done}"));
        let reply = match done < CALLS {
            true => AiMessage::new("").with_tool_calls([call]),
            false => AiMessage::new("All is done."),
        };
        stream::iter([Ok(ChatChunk::Done(reply))]).boxed()
    }
}

/// When something was done.
type Times = Arc<Mutex<Vec<Instant>>>;

fn note(times: &Times) {
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
    times.push(Instant::now());
}

/// A tool that notes when it is called.
#[derive(Debug, Default)]
struct Note {
    annotations: ToolAnnotations,
    times: Times,
}

#[async_trait::async_trait]
impl Tool for Note {
    fn name(&self) -> &'static str {
        "note"
    }
    fn description(&self) -> &'static str {
        "Note a number"
    }
    fn schema(&self) -> &Value {
        &Value::Null
    }
    fn annotations(&self) -> ToolAnnotations {
        self.annotations
    }
    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        note(&self.times);
        Ok("noted".into())
    }
}

/// The median of the time between two of these. The few times between two runs do not matter.
fn median(times: &Times) -> Duration {
    let times = times.lock().unwrap_or_else(PoisonError::into_inner);
    let pairs = times.iter().zip(times.iter().skip(1));
    let mut between: Vec<_> = pairs.map(|(first, second)| *second - *first).collect();
    between.sort();
    between.get(between.len() / 2).copied().unwrap_or_default()
}

/// The steps of the engine alone.
async fn engine_alone(address: &str) -> Result<Duration, Box<dyn Error>> {
    let times = Times::default();
    let noted = times.clone();
    let mut engine = DurableEngine::connect(address).await?;
    engine.register("alone", move |context: DurableContext, (): ()| {
        let noted = noted.clone();
        async move {
            for _ in 0..CALLS * 4 {
                let step = async || {
                    note(&noted);
                    Ok(())
                };
                context.step("step", step).await?;
            }
            Ok(())
        }
    });
    let engine = engine.build().await?;
    for _ in 0..RUNS {
        let options = WorkflowOptions::default();
        engine.start::<_, ()>("alone", (), options).await?.await?;
    }
    Ok(median(&times))
}

fn worker(store: &DurableStore, tool: Note) -> Result<Worker, Box<dyn Error>> {
    let mut tools = ToolManager::new();
    tools.add(Arc::new(tool) as Arc<dyn Tool>)?;
    let mut options = AgentOptions::default();
    options.max_rounds = u32::try_from(CALLS)? + 2;
    let agent = Agent::new(Arc::new(Caller), ToolExecutor::new(tools), options)?;
    Ok(Worker::new(agent, store.clone(), WorkerOptions::default())?)
}

/// The steps of durable runs.
async fn of_runs(store: &DurableStore) -> Result<Duration, Box<dyn Error>> {
    let tool = Note::default();
    let times = tool.times.clone();
    let working = tokio::spawn(worker(store, tool)?.work(std::future::pending()));
    for _ in 0..RUNS {
        let run = store.submit("Note some numbers").await?;
        let RunState::Answered { .. } = store.finished(&run).await? else {
            return Err("a run failed".into());
        };
    }
    working.abort();
    Ok(median(&times) / STEPS_OF_A_CALL)
}

/// The memory of this process in bytes, on Linux.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse::<usize>().ok())
        .unwrap_or_default()
        * 1024
}

/// How much the memory of a worker grows when runs wait for a person.
async fn of_waiting(store: &DurableStore) -> Result<usize, Box<dyn Error>> {
    let destructive = Note {
        annotations: ToolAnnotations {
            destructive: true,
            ..ToolAnnotations::default()
        },
        ..Note::default()
    };
    tokio::spawn(worker(store, destructive)?.work(std::future::pending()));
    // The first ones fill the caches of the process.
    let mut before = 0;
    for runs in [20, WAITING] {
        before = memory();
        let mut waiting = Vec::new();
        for _ in 0..runs {
            waiting.push(store.submit("Note some numbers").await?);
        }
        // One after the other, because a list of all needs memory by itself.
        for run in waiting {
            while !matches!(store.show(&run).await?.state, RunState::Waiting(_)) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    Ok(memory().saturating_sub(before))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let (alone, ours) = match std::env::var("HAFT_STORE") {
        Ok(address) => (address.clone(), address),
        Err(_) => (file("alone.db"), file("runs.db")),
    };
    println!(
        "a step of the engine alone: {:.2?}",
        engine_alone(&alone).await?
    );
    let store = DurableStore::open(&ours).await?;
    println!("a step of a run: {:.2?}", of_runs(&store).await?);
    let memory = of_waiting(&store).await? / 1024;
    println!("{WAITING} waiting runs: {memory} KiB");
    Ok(())
}
