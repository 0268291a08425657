//! The engine of one model file: llama.cpp on a thread of its own, which answers one request after
//! another.
//!
//! The file is loaded for the first request. Requests wait in a short queue. A reply goes out piece
//! by piece; when nobody reads it any more, the engine stops at the next token, or at the next piece
//! of the prompt. `session.rs` computes, `sampler.rs` chooses tokens.

mod sampler;
mod session;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use haft_core::{ModelError, ModelErrorKind, StopReason, Usage};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LogOptions, send_logs_to_tracing};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tracing::debug;

pub(super) use self::sampler::Sampling;
use self::session::Session;
use super::file::ModelFile;

/// How many requests may wait for the one that is answered.
const QUEUE: usize = 16;

/// How many pieces of a reply may wait for their reader.
const PIECES: usize = 64;

/// One request: a rendered prompt, and how its reply is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    pub(super) prompt: String,
    /// What the template wrote for the first token of a text, which the engine adds itself.
    pub(super) bos: String,
    pub(super) sampling: Sampling,
    /// JSON Schema that the reply must follow.
    pub(super) schema: Option<Arc<Value>>,
    pub(super) stop: Vec<String>,
    pub(super) max_tokens: Option<u32>,
    /// Whether special tokens are written out, such as those around a call.
    pub(super) writes_special: bool,
}

/// A piece of a reply.
#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    /// The reply is complete.
    End {
        usage: Usage,
        reason: StopReason,
    },
    Failed(ModelError),
}

/// A request and its reader.
#[derive(Debug)]
struct Job {
    request: Request,
    pieces: mpsc::Sender<Piece>,
}

/// A running engine. Dropping it ends its thread and frees the model.
#[derive(Debug)]
pub(super) struct Engine {
    jobs: Option<mpsc::Sender<Job>>,
    /// Whether the engine is to end.
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    /// Starts the engine of a file, which is loaded later.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Unsupported`] on a processor that the engine is not built for,
    /// [`ModelErrorKind::Server`] if the system grants no thread.
    pub(super) fn start(file: ModelFile) -> Result<Self, ModelError> {
        check_processor()?;
        let (sender, jobs) = mpsc::channel(QUEUE);
        let ends = Arc::new(AtomicBool::new(false));
        let (is_to_end, name) = (Arc::clone(&ends), "haft-local".to_owned());
        let thread = thread::Builder::new()
            .name(name)
            .spawn(move || work(&file, &is_to_end, jobs))
            .map_err(|error| {
                let message = format!("The engine of the local model does not start: {error}");
                ModelError::new(ModelErrorKind::Server, message)
            })?;
        Ok(Self {
            jobs: Some(sender),
            ends,
            thread: Some(thread),
        })
    }

    /// Hands in a request and returns the pieces of its reply.
    ///
    /// # Errors
    ///
    /// [`ModelErrorKind::Overloaded`] if the queue is full.
    pub(super) fn ask(&self, request: Request) -> Result<mpsc::Receiver<Piece>, ModelError> {
        let (pieces, reply) = mpsc::channel(PIECES);
        let jobs = self.jobs.as_ref().ok_or_else(ended)?;
        match jobs.try_send(Job { request, pieces }) {
            Ok(()) => Ok(reply),
            Err(TrySendError::Closed(_)) => Err(ended()),
            Err(TrySendError::Full(_)) => Err(ModelError::new(
                ModelErrorKind::Overloaded,
                format!("{QUEUE} requests already wait for the local model"),
            )
            .with_hint("try again later")),
        }
    }
}

impl Drop for Engine {
    /// Waits for the thread, at most for one piece of a prompt: the process must not end while
    /// llama.cpp computes.
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            debug!("the engine of the local model had failed");
        }
    }
}

/// The error of an engine that runs no more.
pub(super) fn ended() -> ModelError {
    ModelError::new(
        ModelErrorKind::Server,
        "The engine of the local model has failed",
    )
    .with_hint("start haft again; -v shows what llama.cpp says")
}

/// The thread: loads the file at the first request, and answers until nobody can ask any more.
fn work(file: &ModelFile, ends: &Arc<AtomicBool>, mut jobs: mpsc::Receiver<Job>) {
    while let Some(job) = jobs.blocking_recv() {
        let model = match load(file, ends) {
            Ok(model) => model,
            Err(error) => {
                fail(&job, error);
                continue;
            }
        };
        match Session::new(&model, file) {
            Ok(session) => return answer_all(session, job, ends, jobs),
            Err(error) => fail(&job, error),
        }
    }
}

fn answer_all(
    mut session: Session<'_>,
    first: Job,
    ends: &AtomicBool,
    mut jobs: mpsc::Receiver<Job>,
) {
    let mut next = Some(first);
    while let Some(job) = next {
        let is_wanted = || !job.pieces.is_closed() && !ends.load(Ordering::Relaxed);
        let tell = |text| job.pieces.blocking_send(Piece::Text(text)).is_ok();
        match session.answer(&job.request, &is_wanted, &tell) {
            Ok(Some(end)) => {
                // Nobody may be reading any more.
                let _ = job.pieces.blocking_send(end);
            }
            Ok(None) => debug!("the reply of the local model is no longer wanted"),
            Err(error) => fail(&job, error),
        }
        next = jobs.blocking_recv();
    }
}

fn fail(job: &Job, error: ModelError) {
    // Nobody may be reading any more.
    let _ = job.pieces.blocking_send(Piece::Failed(error));
}

/// Maps the file into memory.
fn load(file: &ModelFile, ends: &Arc<AtomicBool>) -> Result<LlamaModel, ModelError> {
    let ends = Arc::clone(ends);
    let parameters =
        LlamaModelParams::default().with_progress_callback(move |_| !ends.load(Ordering::Relaxed));
    LlamaModel::load_from_file(backend()?, &file.path, &parameters).map_err(|error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("llama.cpp cannot load {}", file.path.display()),
        )
        .with_hint("the file may be broken, or newer than this haft; -v shows what llama.cpp says")
        .with_detail(error.to_string())
    })
}

/// llama.cpp itself, which is started once per process; its log goes to `tracing`.
fn backend() -> Result<&'static LlamaBackend, ModelError> {
    static BACKEND: OnceLock<Option<LlamaBackend>> = OnceLock::new();
    let started = BACKEND.get_or_init(|| {
        send_logs_to_tracing(LogOptions::default());
        LlamaBackend::init().ok()
    });
    started.as_ref().ok_or_else(|| {
        let message = "Another part of this program has started llama.cpp already";
        ModelError::new(ModelErrorKind::Configuration, message)
    })
}

/// llama.cpp is built for processors since 2013 (`ggml/CMakeLists.txt`: `GGML_AVX2`, `GGML_FMA`,
/// `GGML_BMI2`, `GGML_F16C`); on older ones it would end the process.
#[cfg(target_arch = "x86_64")]
fn check_processor() -> Result<(), ModelError> {
    let is_new_enough = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c");
    if is_new_enough {
        return Ok(());
    }
    Err(ModelError::new(
        ModelErrorKind::Unsupported,
        "Local models need a processor with AVX2, which this one lacks",
    )
    .with_hint("serve the file with a llama-server that was built for this machine"))
}

#[cfg(not(target_arch = "x86_64"))]
fn check_processor() -> Result<(), ModelError> {
    Ok(())
}
