//! Agents over scripted models, and a store in a folder of its own.

use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use haft_agent::{Agent, SessionId};
use haft_core::{AiMessage, ToolAnnotations, ToolCall};
use haft_durable::{DurableStore, RunOptions, RunState, Worker, WorkerOptions};
use haft_testing::{ScriptedModel, SpyTool};
use haft_tools::{ToolExecutor, ToolManager};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// A store in a new folder, which lives as long as this value.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("sqlite:{}", self.file().display())
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("runs.db")
    }

    /// Changes or makes the file with other means than those of haft, and returns the connection.
    pub(crate) async fn change(&self, sql: &'static str) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.file());
        let options = options.create_if_missing(true).foreign_keys(false);
        let mut connection = options.connect().await.unwrap();
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        connection
    }

    /// Whether one of the files holds a text as it is, or within JSON in base64.
    pub(crate) fn holds(&self, text: &str) -> bool {
        // Each group of three bytes is four letters, so the text looks different in three places.
        // What surrounds it changes the outer groups.
        let forms = ["", "x", "xx"].map(|before| {
            let encoded = BASE64.encode(format!("{before}{text}"));
            encoded.get(4..encoded.len() - 4).unwrap().to_owned()
        });
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        files.into_iter().any(|file| {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let read = String::from_utf8_lossy(&bytes);
            read.contains(text) || forms.iter().any(|form| read.contains(form))
        })
    }

    pub(crate) async fn open(&self) -> DurableStore {
        DurableStore::open(&self.address()).await.unwrap()
    }
}

/// A process of its own: everything in it ends when it is dropped.
pub(crate) fn process() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// What a tool says of itself whose calls need approval.
pub(crate) fn destructive() -> ToolAnnotations {
    ToolAnnotations {
        destructive: true,
        ..ToolAnnotations::default()
    }
}

pub(crate) fn in_session(id: &SessionId) -> RunOptions {
    let mut options = RunOptions::default();
    options.session = Some(id.clone());
    options
}

/// A tool that counts as changing something.
pub(crate) fn spy(annotations: ToolAnnotations) -> Arc<SpyTool> {
    let tool = SpyTool::new("pay", |_| Ok("paid".into()));
    Arc::new(tool.with_annotations(annotations))
}

pub(crate) fn pay_call() -> ToolCall {
    ToolCall::new("pay", json!({"amount": 5}), "call_1")
}

/// A model that calls `pay` once and then answers.
pub(crate) fn paying_model() -> ScriptedModel {
    ScriptedModel::saying([
        AiMessage::new("").with_tool_calls([pay_call()]),
        AiMessage::new("It is paid."),
    ])
}

pub(crate) fn agent(model: ScriptedModel, tool: Arc<SpyTool>) -> Agent {
    let mut tools = ToolManager::new();
    tools.add(tool as Arc<dyn haft_core::Tool>).unwrap();
    let executor = ToolExecutor::new(tools);
    Agent::new(
        Arc::new(model),
        executor,
        haft_agent::AgentOptions::default(),
    )
    .unwrap()
}

pub(crate) fn work(agent: Agent, store: &DurableStore, slots: usize) -> JoinHandle<()> {
    let mut options = WorkerOptions::default();
    options.slots = slots;
    let worker = Worker::new(agent, store.clone(), options).unwrap();
    tokio::spawn(worker.work(std::future::pending()))
}

/// The state of a run once it waits or has ended.
pub(crate) async fn settled(store: &DurableStore, run: &str) -> RunState {
    for _ in 0..600 {
        match store.show(run).await.unwrap().state {
            RunState::Queued | RunState::Working => {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            state => return state,
        }
    }
    panic!("the run {run} does not settle");
}

pub(crate) fn answered(text: &str) -> RunState {
    RunState::Answered {
        text: text.to_owned(),
    }
}
