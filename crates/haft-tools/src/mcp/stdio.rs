//! A server as a child process: what it inherits, and what of its error output is kept.
//!
//! The child sees a cleared environment but for a short list and what the configuration names,
//! so that a key in the user's shell does not reach a program that has no need of it. It runs in
//! a process group of its own: Ctrl-C is for the user's program, which then ends the child.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};
use tokio::task::JoinHandle;

use super::config::StdioEndpoint;
use super::failure::Problem;
use super::pipe::Pipe;

/// What a program needs to find its files, its language and its zone; nothing that is a secret.
const INHERITED: &[&str] = &[
    "PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "SHELL", "TERM", "TZ",
];

/// What Windows programs do not start without.
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

/// Enough for the last lines of a stack trace.
const STDERR_TAIL_BYTES: usize = 1024;

/// How long a dead child's last words may take to arrive.
const STDERR_LIMIT: Duration = Duration::from_millis(500);

/// Shorter values of the configured environment (ports, flags) are no secrets.
const SECRET_LENGTH: usize = 8;

/// Starts the child. It is killed when the pipe is dropped, with the runtime too.
pub(crate) fn spawn(endpoint: &StdioEndpoint) -> Result<(Pipe, Stderr), Problem> {
    let mut command = Command::new(&endpoint.command);
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
        if !Path::new(cwd).is_dir() {
            return Err(Problem::new(format!("its \"cwd\" {cwd:?} is no folder")));
        }
        command.current_dir(cwd);
    }
    let not_started = |error: io::Error| not_started(&endpoint.command, &error);
    let mut child = command.spawn().map_err(not_started)?;
    let stderr = Stderr::capture(child.stderr.take(), secrets(endpoint));
    let pipe = Pipe::new(child).map_err(not_started)?;
    Ok((pipe, stderr))
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

fn secrets(endpoint: &StdioEndpoint) -> Vec<String> {
    endpoint
        .env
        .iter()
        .map(|(_, value)| value.clone())
        .filter(|value| value.len() >= SECRET_LENGTH)
        .collect()
}

/// The end of what a child wrote to its error output. The rest is read and forgotten: a full
/// pipe would stop the child.
#[derive(Debug)]
pub(crate) struct Stderr {
    tail: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    secrets: Vec<String>,
}

impl Stderr {
    fn capture(stderr: Option<ChildStderr>, secrets: Vec<String>) -> Self {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let reader = stderr.map(|stderr| tokio::spawn(read_tail(stderr, Arc::clone(&tail))));
        Self {
            tail,
            reader,
            secrets,
        }
    }

    /// The last lines, once the child is gone or a short wait is over. Values of the configured
    /// environment are blanked: programs like to print what they were given.
    pub(crate) async fn last_words(&mut self) -> Option<String> {
        if let Some(reader) = &mut self.reader {
            // Whatever has arrived by then is what there is to show.
            let _ = tokio::time::timeout(STDERR_LIMIT, reader).await;
        }
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from_utf8_lossy(&tail).into_owned();
        for secret in &self.secrets {
            text = text.replace(secret, "***");
        }
        if tail.len() == STDERR_TAIL_BYTES {
            // The first line is cut, and a secret in it with it.
            text = text
                .split_once('\n')
                .map(|(_, whole)| whole.to_owned())
                .unwrap_or_default();
        }
        // Colours and the like are for a terminal that the child does not own.
        text.retain(|character| character == '\n' || !character.is_control());
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
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
