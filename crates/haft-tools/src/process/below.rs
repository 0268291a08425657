//! The process table of the system, as far as it shows which process started which. Linux has it in
//! `/proc`; on other systems nothing is found.

#[cfg(target_os = "linux")]
use std::{
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// The maximum number of rounds. Each one finds processes that the previous ones started before
/// they were stopped.
const MOST_ROUNDS: usize = 100;

/// How long to wait for killed processes. They exit within microseconds unless they wait for a
/// disk.
#[cfg(target_os = "linux")]
const KILL_LIMIT: Duration = Duration::from_millis(500);

#[cfg(target_os = "linux")]
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// The processes that were below this one before it started any.
#[cfg(target_os = "linux")]
static SPARED: OnceLock<Vec<Process>> = OnceLock::new();

/// A process, distinguished from a later process with the same number by its start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    /// The start time in ticks since the system started.
    started: u64,
}

impl Process {
    /// The process that has this number now.
    pub(super) fn of(pid: i32) -> Option<Self> {
        Some(Entry::of(pid)?.process)
    }

    /// Whether the process still exists.
    pub(super) fn is_there(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }

    pub(super) fn signal(self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // An error means that the process is gone or belongs to another user.
            let _ = kill_process(pid, signal);
        }
    }
}

struct Entry {
    process: Process,
    parent: i32,
    /// The process has exited, and its parent has not waited for it yet.
    is_over: bool,
}

impl Entry {
    /// Parses `/proc/PID/stat`: the number, a name in parentheses that may contain any character,
    /// the state, the parent, and the start time as the twentieth field after the name.
    fn of(pid: i32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let started = fields.nth(17)?.parse().ok()?;
        Some(Self {
            process: Process { pid, started },
            parent,
            is_over: matches!(state, "Z" | "X"),
        })
    }
}

fn table() -> Vec<Entry> {
    let folder = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folder
        .filter_map(|entry| Entry::of(entry.file_name().to_str()?.parse().ok()?))
        .collect()
}

/// The children of this process that have exited and have not been waited for.
#[cfg(target_os = "linux")]
pub(super) fn ended_children() -> Vec<Process> {
    let own = own();
    let ended = |entry: &Entry| entry.parent == own && entry.is_over;
    let table = table().into_iter().filter(ended);
    table.map(|entry| entry.process).collect()
}

/// All running descendants of `root`.
pub(super) fn below(root: i32) -> Vec<Process> {
    below_but(root, &[])
}

/// All running descendants of `root`, except for those in `spared` and their descendants.
fn below_but(root: i32, spared: &[Process]) -> Vec<Process> {
    let table = table();
    let mut parents = vec![root];
    let mut found = Vec::new();
    while let Some(parent) = parents.pop() {
        let children = table.iter().filter(|entry| entry.parent == parent);
        let children = children.filter(|child| !spared.contains(&child.process));
        for child in children.filter(|child| child.process.pid != root) {
            parents.push(child.process.pid);
            if !child.is_over {
                found.push(child.process);
            }
        }
    }
    found
}

/// Kills all descendants of `root`. They are stopped first: a stopped process starts no others, and
/// remains the parent through which its children are found.
pub(super) fn kill_below(root: i32) {
    kill_below_but(root, &[]);
}

fn kill_below_but(root: i32, spared: &[Process]) {
    let mut stopped: Vec<Process> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mut found = below_but(root, spared);
        found.retain(|process| !stopped.contains(process));
        if found.is_empty() {
            break;
        }
        for process in &found {
            process.signal(Signal::STOP);
        }
        stopped.extend(found);
    }
    for process in stopped {
        process.signal(Signal::KILL);
    }
}

/// Records the current descendants of this process, so that [`kill_own`] spares them.
#[cfg(target_os = "linux")]
pub(super) fn spare_those_here() {
    SPARED.get_or_init(|| below(own()));
}

/// Kills all descendants of this process except for the spared ones, and waits until they are gone.
#[cfg(target_os = "linux")]
pub(super) fn kill_own() {
    let spared = SPARED.get().map(Vec::as_slice).unwrap_or_default();
    let end = Instant::now() + KILL_LIMIT;
    while !below_but(own(), spared).is_empty() && Instant::now() < end {
        kill_below_but(own(), spared);
        sleep(LOOK_AGAIN);
    }
}

#[cfg(target_os = "linux")]
fn own() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}
