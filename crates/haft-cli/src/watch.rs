//! `haft __watch COMMAND`: the process between haft and an MCP server. It starts the server and
//! leaves nothing of it behind, also where haft itself is killed and cannot.
//!
//! The server has haft's pipes; no byte passes through the watcher. Of the pipes it keeps only the
//! one for errors, to see when it is no longer read: then haft is gone. A process of the server that
//! loses its parent becomes a child of the watcher, so that none gets away. Nothing else of haft
//! is started here: no configuration, no log, no runtime.

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

/// The first argument that makes a watcher of haft.
const ARGUMENT: &str = "__watch";

/// As in a shell: the command could not be started.
const NOT_STARTED: u8 = 126;

/// For a server to end by itself, because its input is closed: as long as haft would wait.
const GRACE: Duration = Duration::from_secs(3);

/// This very program, also where its file has been replaced meanwhile.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// From now on servers are started through a watcher.
pub(crate) fn start_servers_watched() {
    // Without /proc nothing below a watcher could be found.
    if Path::new(OWN_PROGRAM).exists() {
        watch_children(OWN_PROGRAM);
    }
}

/// Watches, where that is what this process was started for.
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
    // In a group of its own the server may end its group without ending its watcher.
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

/// The server alone holds its input and output: haft has to notice where it closes them.
fn let_go_of_pipes() {
    if let Ok(null) = OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

/// Waits until stderr is no longer read. haft reads it for as long as it runs.
fn wait_for_end_of_haft() {
    let stderr = io::stderr();
    loop {
        // That the other end is closed is reported without asking for it.
        let mut watched = [PollFd::new(&stderr, PollFlags::empty())];
        match poll(&mut watched, None) {
            Err(Errno::INTR | Errno::AGAIN) | Ok(0) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Waits for the server, and reaps the adopted processes that end before it.
fn wait_for(server: Option<Pid>) -> u8 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if Some(pid) == server => return code(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return NOT_STARTED,
        }
    }
}

/// As in a shell: 128 and the number of the signal, where one ended it.
fn code(status: WaitStatus) -> u8 {
    let signal = status.terminating_signal().map(|signal| 128 + signal);
    let code = status.exit_status().or(signal).unwrap_or_default();
    u8::try_from(code).unwrap_or(u8::MAX)
}

/// haft shows what a server writes to stderr.
fn complain(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}
