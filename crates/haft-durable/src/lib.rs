//! Durable runs: questions whose answer survives the process that works on it.
//!
//! # Brief overview
//!
//! A [`DurableStore`] is one SQLite file or a Postgres database. [`DurableStore::submit`] puts a
//! question into it; a [`Worker`] with an [`Agent`](haft_agent::Agent) takes it out and answers it.
//! Every reply of the model and every result of a tool is recorded, so that another worker goes on
//! where a dead one stopped. A tool call is recorded before the tool acts. If the process dies in
//! between, the call is repeated only when its tool is read-only or idempotent; otherwise the run
//! waits for a person, as it does for an approval ([`DurableStore::decide`]).
//!
//! ```no_run
//! use haft_agent::Agent;
//! use haft_durable::{DurableStore, Worker, WorkerOptions};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let store = DurableStore::open("sqlite:runs.db").await?;
//! let agent = Agent::builder().model("builtin").build().await?;
//! let worker = Worker::new(agent, store.clone(), WorkerOptions::default())?;
//! tokio::spawn(worker.work(std::future::pending()));
//! let run = store.submit("What time is it in Tokyo?").await?;
//! println!("{:?}", store.finished(&run).await?);
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | to find | look in |
//! |---|---|
//! | opening a database; questions, decisions and states | `store.rs`, `store/`, `run.rs` |
//! | what is encrypted | `cipher.rs` |
//! | an agent as worker and as the one who asks | `durable_agent.rs` |
//! | what happens in a run, as it happens | `live.rs`, `chunks.rs`, `news.rs` |
//! | conversations | `store_sessions.rs`, `session_log.rs` |
//! | replies that gateways keep for clients | `replies.rs` |
//! | tokens that are counted for keys | `tokens.rs` |
//! | questions that are asked again and again | `schedule.rs` |
//! | how an agent is made to record what it does | `recorded_model.rs`, `recorded_tool.rs` |
//! | the recorded steps, and their replay | `steps.rs`, `recorded_reply.rs`, `recorded_call.rs` |
//! | what is stored | `format.rs` |
//! | a process that works on runs | `worker.rs`, `stretch_runner.rs` |
//! | who is alive, and for how long | `leases.rs`, `worker_state.rs` |
//! | where tests let a worker die | `faults.rs` |

mod chunks;
mod cipher;
mod database;
mod durable_agent;
mod error;
mod faults;
mod format;
mod leases;
mod live;
mod news;
mod recorded_call;
mod recorded_model;
mod recorded_reply;
mod recorded_tool;
mod replies;
mod run;
mod schedule;
mod session_log;
mod session_tables;
mod step_text;
mod steps;
mod store;
mod store_sessions;
mod stretch_runner;
mod tokens;
mod worker;
mod worker_state;

pub use cipher::StoreKey;
pub use durable_agent::{Durable, DurableAgent};
pub use error::{DurableError, DurableErrorKind};
pub use live::{RunEvent, RunEventId, RunEvents};
pub use run::{
    DEFAULT_QUEUE, Decision, Pending, PendingReason, RecordedStep, RunOptions, RunOwner, RunState,
    RunSummary,
};
pub use schedule::Repetition;
pub use store::{DurableStore, StoreReport};
pub use store_sessions::{StoreSessions, StoreTurn};
pub use tokens::RunUsage;
pub use worker::{Worker, WorkerOptions};
