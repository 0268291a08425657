//! Starts a server as a child process: which variables it inherits, and which part of its error
//! output is kept.
//!
//! The child gets a cleared environment with only a short list of variables and those in the
//! configuration, so that a key in the user's shell does not reach a program that does not need it.
//! It runs in a process group of its own: Ctrl-C goes to the user's program, which then ends the
//! child. If a watcher is used, the watcher is started, and starts the child.

#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use haft_core::Secrets;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::task::JoinHandle;

use crate::config::endpoint::StdioEndpoint;
use crate::config::secrets;
use crate::failure::Problem;
use crate::transport::pipe::Pipe;
#[cfg(target_os = "linux")]
use crate::transport::program;
#[cfg(target_os = "linux")]
use crate::transport::watcher::watcher;
use haft_tools::ProcessTree;

/// Variables for a program's files, language and time zone; none of them is secret.
const INHERITED: &[&str] = &[
    "PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "SHELL", "TERM", "TZ",
];

/// Variables without which Windows programs do not start.
#[cfg(windows)]
const INHERITED_ON_WINDOWS: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The number of bytes of stderr that are kept, enough for the last lines of a stack trace.
const STDERR_TAIL_BYTES: usize = 1024;

/// How long to wait for the last output of a dead child.
const STDERR_LIMIT: Duration = Duration::from_millis(500);

/// The first argument that makes the command `haft` a watcher.
#[cfg(target_os = "linux")]
const WATCH: &str = "__watch";

/// Starts the child. It is killed when the pipe is dropped, or with the runtime.
pub(crate) fn spawn(endpoint: &StdioEndpoint) -> Result<(Pipe, Stderr), Problem> {
    let Start { mut command, tree } = start(endpoint)?;
    command
        .args(&endpoint.args)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_inherited)))
        .envs(endpoint.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    if let Some(cwd) = &endpoint.cwd {
        command.current_dir(cwd);
    }
    let not_started = |error: io::Error| not_started(&endpoint.command, &error);
    let mut child = command.spawn().map_err(not_started)?;
    let secrets = secrets::of_whole_environment(endpoint);
    let stderr = Stderr::capture(child.stderr.take(), secrets.clone());
    let tree = tree(&child);
    let pipe = Pipe::new(child, tree, secrets).map_err(not_started)?;
    Ok((pipe, stderr))
}

/// How to start an endpoint, without the arguments of its command.
struct Start {
    command: Command,
    /// How to find all processes to end.
    tree: fn(&Child) -> ProcessTree,
}

fn start(endpoint: &StdioEndpoint) -> Result<Start, Problem> {
    if let Some(cwd) = &endpoint.cwd
        && !Path::new(cwd).is_dir()
    {
        return Err(Problem::new(format!("its \"cwd\" {cwd:?} is not a folder")));
    }
    #[cfg(target_os = "linux")]
    if let Some(watcher) = watcher() {
        return watched(endpoint, watcher);
    }
    Ok(Start {
        command: Command::new(&endpoint.command),
        tree: ProcessTree::of,
    })
}

#[cfg(target_os = "linux")]
fn watched(endpoint: &StdioEndpoint, watcher: &Path) -> Result<Start, Problem> {
    let mut configured = endpoint.env.iter().rev();
    let path = match configured.find(|(name, _)| name == "PATH") {
        Some((_, path)) => Some(OsString::from(path)),
        None => std::env::var_os("PATH"),
    };
    let folder = Path::new(endpoint.cwd.as_deref().unwrap_or("."));
    program::check(&endpoint.command, path, folder)
        .map_err(|error| not_started(&endpoint.command, &error))?;
    let mut command = Command::new(watcher);
    // The name in process lists, independent of the path.
    command.arg0("haft").arg(WATCH).arg(&endpoint.command);
    Ok(Start {
        command,
        tree: ProcessTree::watched,
    })
}

fn not_started(command: &str, error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::NotFound {
        Problem::new(format!("its command {command:?} was not found")).with_hint(format!(
            "install {command:?}, or give its full path as \"command\""
        ))
    } else {
        Problem::new(format!("its command {command:?} did not start: {error}"))
    }
}

fn is_inherited(name: &str) -> bool {
    #[cfg(windows)]
    if INHERITED_ON_WINDOWS
        .iter()
        .any(|inherited| inherited.eq_ignore_ascii_case(name))
    {
        return true;
    }
    INHERITED.contains(&name) || name.starts_with("LC_")
}

/// The end of a child's error output. The rest is read and discarded, because a full pipe would
/// block the child.
#[derive(Debug)]
pub(crate) struct Stderr {
    tail: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    secrets: Secrets,
}

impl Stderr {
    fn capture(stderr: Option<ChildStderr>, secrets: Secrets) -> Self {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let reader = stderr.map(|stderr| tokio::spawn(read_tail(stderr, Arc::clone(&tail))));
        Self {
            tail,
            reader,
            secrets,
        }
    }

    /// The last lines, once the child is gone or after a short wait. Values of the configured
    /// environment and other secrets are masked, because programs often print them.
    pub(crate) async fn last_words(&mut self) -> Option<String> {
        if let Some(reader) = &mut self.reader {
            // Whatever has arrived by then is shown.
            let _ = tokio::time::timeout(STDERR_LIMIT, reader).await;
        }
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = self.secrets.mask(&String::from_utf8_lossy(&tail));
        if tail.len() == STDERR_TAIL_BYTES {
            // The first line is incomplete, and so may be a secret in it.
            text = text
                .split_once('\n')
                .map(|(_, whole)| whole.to_owned())
                .unwrap_or_default();
        }
        // Escape sequences for colours are meant for a terminal.
        text.retain(|character| character == '\n' || !character.is_control());
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// `text` with the values of the configured environment masked.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        self.secrets.mask(text)
    }
}

async fn read_tail(mut stderr: ChildStderr, tail: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(buffer.iter().take(length));
        let surplus = tail.len().saturating_sub(STDERR_TAIL_BYTES);
        tail.drain(..surplus);
    }
}
