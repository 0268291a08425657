//! The system's table of processes, as far as it says who started whom. Linux has it in `/proc`;
//! elsewhere nothing is found.

#[cfg(target_os = "linux")]
use std::{
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// Each round finds what those found before it started until they stood still.
const MOST_ROUNDS: usize = 100;

/// A process that was killed is gone within microseconds, unless a disk holds it up.
#[cfg(target_os = "linux")]
const KILL_LIMIT: Duration = Duration::from_millis(500);

#[cfg(target_os = "linux")]
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// What was below this process before it started anything.
#[cfg(target_os = "linux")]
static SPARED: OnceLock<Vec<Process>> = OnceLock::new();

/// A process, told apart from a later one of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    /// In ticks since the system started.
    started: u64,
}

impl Process {
    /// The process that has this number now.
    pub(super) fn of(pid: i32) -> Option<Self> {
        Some(Entry::of(pid)?.process)
    }

    /// Whether it is there still.
    pub(super) fn is_there(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }

    pub(super) fn signal(self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // An error says that it is gone, or somebody else's.
            let _ = kill_process(pid, signal);
        }
    }
}

/// A line of the table.
struct Entry {
    process: Process,
    parent: i32,
    /// It has ended, and its parent has not noticed.
    is_over: bool,
}

impl Entry {
    /// `/proc/PID/stat`: the number, a name in parentheses that may hold anything, the state, the
    /// parent, and the start as the twentieth field behind the name.
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

/// The children of this process that have ended and are waited for.
#[cfg(target_os = "linux")]
pub(super) fn ended_children() -> Vec<Process> {
    let own = own();
    let ended = |entry: &Entry| entry.parent == own && entry.is_over;
    let table = table().into_iter().filter(ended);
    table.map(|entry| entry.process).collect()
}

/// All processes below `root` that have not ended.
pub(super) fn below(root: i32) -> Vec<Process> {
    below_but(root, &[])
}

/// All processes below `root`, without `spared` and the processes below those.
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

/// Kills all processes below `root`. They are stopped before: what stands still starts nothing,
/// and stays the parent by which the next ones are found.
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

/// Keeps in mind what is below this process now, so that [`kill_own`] leaves it alone.
#[cfg(target_os = "linux")]
pub(super) fn spare_those_here() {
    SPARED.get_or_init(|| below(own()));
}

/// Kills all processes below this one but those that are spared, and waits for their end.
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
