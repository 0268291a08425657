//! `haft __watch COMMAND`: the process between haft and an MCP server. It starts the server and
//! ends all its processes, even if haft itself is killed.
//!
//! The server has haft's pipes; no data passes through the watcher, which keeps only stderr, to
//! detect when it is no longer read: then haft is gone. A process of the server whose parent exits
//! becomes a child of the watcher, so that none escapes. No other part of haft is started here: no
//! configuration, no log, no runtime.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, exit};
use std::thread::sleep;
use std::time::Duration;

use haft::tools::{kill_descendants, watch_children};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, getpid, set_child_subreaper, wait};

/// The first argument that makes haft a watcher.
const ARGUMENT: &str = "__watch";

/// The exit code if the command could not be started, as in a shell.
const NOT_STARTED: u8 = 126;

/// How long a server has to exit by itself after its input was closed, as in haft.
const GRACE: Duration = Duration::from_secs(3);

/// The running program, even if its file was replaced meanwhile.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// Starts servers through a watcher from now on.
pub(crate) fn start_servers_watched() {
    // Without /proc no process below a watcher could be found.
    if Path::new(OWN_PROGRAM).exists() {
        watch_children(OWN_PROGRAM);
    }
}

/// Runs the watcher if this process was started as one.
pub(crate) fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == ARGUMENT).then(|| watch(arguments))
}

fn watch(mut command: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = command.next() else {
        complain("haft __watch needs a command");
        return ExitCode::from(NOT_STARTED);
    };
    if let Err(error) = set_child_subreaper(Some(getpid())) {
        complain(format_args!("haft cannot adopt processes: {error}"));
    }
    // In its own process group, the server can signal its group without ending the watcher.
    let server = Command::new(&program)
        .args(command)
        .process_group(0)
        .spawn();
    let server = match server {
        Ok(server) => server,
        Err(error) => {
            complain(format_args!("{} did not start: {error}", program.display()));
            return ExitCode::from(NOT_STARTED);
        }
    };
    let_go_of_pipes();
    std::thread::spawn(|| {
        wait_for_end_of_haft();
        sleep(GRACE);
        kill_descendants();
        exit(i32::from(NOT_STARTED));
    });
    let pid = i32::try_from(server.id()).ok().and_then(Pid::from_raw);
    let code = wait_for(pid);
    kill_descendants();
    ExitCode::from(code)
}

/// Closes the server's pipes, so that haft notices when the server closes them.
fn let_go_of_pipes() {
    if let Ok(null) = OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

/// Waits until stderr is no longer read. haft reads it as long as it runs.
fn wait_for_end_of_haft() {
    let stderr = io::stderr();
    loop {
        // A closed reader is reported without being requested.
        let mut watched = [PollFd::new(&stderr, PollFlags::empty())];
        match poll(&mut watched, None) {
            Err(Errno::INTR | Errno::AGAIN) | Ok(0) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Waits for the server, and reaps adopted processes that exit before it.
fn wait_for(server: Option<Pid>) -> u8 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if Some(pid) == server => return code(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return NOT_STARTED,
        }
    }
}

/// The exit code as in a shell: 128 plus the number of the signal if one ended the process.
fn code(status: WaitStatus) -> u8 {
    let signal = status.terminating_signal().map(|signal| 128 + signal);
    let code = status.exit_status().or(signal).unwrap_or_default();
    u8::try_from(code).unwrap_or(u8::MAX)
}

/// Prints an error; haft shows the stderr of a server.
fn complain(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}
