//! Runs a user's program for speech-to-text or text-to-speech: starts it, writes its input, reads
//! its output, and ends it with all its children.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::process::Stdio;
use std::str::FromStr;

use haft_tools::ProcessTree;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

use crate::error::{VoiceError, VoiceErrorKind};

/// The maximum size of the output in bytes. A transcript of two minutes is under 4 kB, and time
/// stamps make it only a few times larger.
const MOST_OUTPUT: u64 = 256 * 1024;

/// The number of bytes of stderr that are kept, enough for the last lines of an error message.
const STDERR_TAIL_BYTES: usize = 1024;

/// Parts of the names of environment variables with secrets, which are not passed on to programs.
const SECRETS: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// A program with its arguments, such as `whisper-cli -nt -m "my model.bin" {file}`.
///
/// The command line is written as in a shell, with quotes and backslashes; no shell runs it.
///
/// ```
/// use haft_voice::Program;
///
/// let program: Program = r#"whisper-cli -m "my model.bin" -nt {file}"#.parse()?;
/// assert_eq!(program.arguments(), ["-m", "my model.bin", "-nt", "{file}"]);
/// assert!("".parse::<Program>().is_err());
/// assert!("espeak-ng \"".parse::<Program>().is_err());
/// # Ok::<_, haft_voice::VoiceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    name: String,
    arguments: Vec<String>,
}

impl Program {
    /// A program by its name or path.
    pub fn new(
        name: impl Into<String>,
        arguments: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
        }
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Runs the program with `arguments` instead of its own, writes `input` to it, and returns its
    /// output. Dropping the future kills the program and its children.
    pub(crate) async fn run<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        input: Vec<u8>,
        kind: VoiceErrorKind,
    ) -> Result<String, VoiceError> {
        let mut running = self
            .spawn(arguments, Stdio::piped)
            .map_err(|error| self.not_started(kind, &error))?;
        let stdin = running.child.stdin.take();
        let stdout = running.child.stdout.take();
        let stderr = running.child.stderr.take();
        // All three at once: a program blocks while its output is not read.
        let ((), said, complaint) = tokio::join!(feed(stdin, input), read(stdout), tail(stderr));
        let status = running.child.wait().await;
        running.is_over = true;
        match status {
            Ok(status) if status.success() => Ok(said),
            Ok(status) => {
                let detail = format!("{self}: {status}: {}", complaint.trim());
                Err(
                    VoiceError::new(kind, format!("The program {} failed", self.name))
                        .with_hint("try the command by itself; its complaint is in the log")
                        .with_detail(detail),
                )
            }
            Err(error) => Err(self.not_started(kind, &error)),
        }
    }

    /// Starts the program with a pipe as its stdin; its stdout goes to `output`.
    pub(crate) fn spawn<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        output: fn() -> Stdio,
    ) -> io::Result<Running> {
        let mut command = Command::new(&self.name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(output())
            .stderr(output())
            .kill_on_drop(true);
        for (name, _) in std::env::vars_os() {
            let upper = name.to_string_lossy().to_uppercase();
            if SECRETS.iter().any(|secret| upper.contains(secret)) {
                command.env_remove(name);
            }
        }
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn()?;
        let tree = ProcessTree::of(&child);
        Ok(Running {
            child,
            tree,
            is_over: false,
        })
    }

    pub(crate) fn not_started(&self, kind: VoiceErrorKind, error: &io::Error) -> VoiceError {
        let name = &self.name;
        let message = match error.kind() {
            io::ErrorKind::NotFound => format!("The program {name} was not found"),
            _ => format!("The program {name} did not start"),
        };
        VoiceError::new(kind, message)
            .with_hint(format!("install {name}, or give its full path"))
            .with_detail(format!("{self}: {error}"))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(formatter, " {argument}"))
    }
}

impl FromStr for Program {
    type Err = VoiceError;

    fn from_str(text: &str) -> Result<Self, VoiceError> {
        let wrong = |message: &str| {
            VoiceError::new(VoiceErrorKind::Configuration, message).with_hint(
                "write it as in a shell, for example whisper-cli -nt -m model.bin {file}",
            )
        };
        let mut words = words(text)
            .ok_or_else(|| wrong(&format!("A quote is not closed in the command {text:?}")))?
            .into_iter();
        let name = words.next().filter(|name| !name.is_empty());
        Ok(Self {
            name: name.ok_or_else(|| wrong("The command is empty"))?,
            arguments: words.collect(),
        })
    }
}

/// The words of a command line; `None` if a quote or a backslash is not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            (end, Some(open)) if end == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().push(characters.next()?),
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            (character, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A child process that is killed when dropped.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) child: Child,
    tree: ProcessTree,
    /// The process has exited, so its number may belong to another process.
    pub(crate) is_over: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            self.tree.kill();
        }
    }
}

async fn feed(stdin: Option<ChildStdin>, input: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        // If a program does not read its input, its exit status shows whether that is a failure.
        let _ = stdin.write_all(&input).await;
    }
}

async fn read(stdout: Option<impl AsyncRead + Unpin>) -> String {
    let mut said = Vec::new();
    if let Some(stdout) = stdout {
        // Output before a read error is kept.
        let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut said).await;
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The end of the output. The rest is read and discarded.
async fn tail(stderr: Option<impl AsyncRead + Unpin>) -> String {
    let mut tail = Vec::new();
    if let Some(mut stderr) = stderr {
        let mut buffer = [0; 1024];
        while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
            tail.extend(buffer.iter().take(length));
            let surplus = tail.len().saturating_sub(STDERR_TAIL_BYTES);
            tail.drain(..surplus);
        }
    }
    String::from_utf8_lossy(&tail).into_owned()
}
