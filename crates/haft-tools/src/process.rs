//! A child with everything it started: ended as one.
//!
//! Servers are often a shell or `npx` around the program that does the work, so a signal goes to
//! the child's whole process group. What left the group (a browser does) is found by its
//! parents, as long as they live.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// A child process and all below it.
#[derive(Clone, Debug)]
pub struct ProcessTree {
    #[cfg(unix)]
    leader: Option<Pid>,
    /// A number is given to another process once its owner is gone: nobody is killed twice.
    is_killed: Arc<AtomicBool>,
}

impl ProcessTree {
    /// The tree of a child that leads a process group of its own.
    pub fn of(child: &tokio::process::Child) -> Self {
        #[cfg(not(unix))]
        let _ = child;
        Self {
            #[cfg(unix)]
            leader: child
                .id()
                .and_then(|id| i32::try_from(id).ok())
                .and_then(Pid::from_raw),
            is_killed: Arc::default(),
        }
    }

    /// Asks all processes to end. Where there are no signals, nothing happens.
    pub fn ask_to_end(&self) {
        #[cfg(unix)]
        self.signal(Signal::TERM);
    }

    /// Ends all processes at once; does nothing the second time.
    pub fn kill(&self) {
        if self.is_killed.swap(true, Ordering::Relaxed) {
            return;
        }
        #[cfg(unix)]
        self.signal(Signal::KILL);
    }

    #[cfg(unix)]
    fn signal(&self, signal: Signal) {
        let Some(leader) = self.leader else { return };
        // Looked up before anybody is gone: an orphan has lost its parents.
        let strays = descendants(leader.as_raw_nonzero().get());
        // An error says that nobody is left.
        let _ = kill_process_group(leader, signal);
        for stray in strays.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(stray, signal);
        }
    }
}

/// All processes below `root`, as far as the system tells.
#[cfg(unix)]
fn descendants(root: i32) -> Vec<i32> {
    let Ok(folder) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let parents: Vec<(i32, i32)> = folder
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|process| Some((process, parent(process)?)))
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(process) = found.get(next).copied() {
        next += 1;
        let children = parents.iter().filter(|(_, parent)| *parent == process);
        let children: Vec<i32> = children.map(|(child, _)| *child).collect();
        found.extend(children.into_iter().filter(|child| *child != root));
    }
    found.split_off(1)
}

/// The fourth field of `/proc/PID/stat`, behind a name in parentheses that may hold anything.
#[cfg(unix)]
fn parent(process: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1)?.parse().ok()
}
