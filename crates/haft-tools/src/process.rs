//! Child processes with all their descendants, which are ended together.
//!
//! MCP servers are often a shell or `npx` around the program that does the work, so signals are
//! sent to the child's whole process group. Descendants that left the group (browsers do) are found
//! through their parents in the system's process table, which `below` reads. [`adopt_orphans`] and
//! [`kill_descendants`] are for a program that is about to exit and must leave nothing behind.

#[cfg(unix)]
mod below;
#[cfg(target_os = "linux")]
mod orphans;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

#[cfg(unix)]
use self::below::Process;
#[cfg(target_os = "linux")]
pub use self::orphans::reap_adopted;

/// A child process and all its descendants.
#[derive(Clone, Debug)]
pub struct ProcessTree {
    #[cfg(unix)]
    leader: Option<Leader>,
    /// The descendants at the time of [`note`](Self::note): their parents may exit later.
    #[cfg(unix)]
    noted: Arc<Mutex<Vec<Process>>>,
    /// Set after the kill. The system reuses process numbers, so a second kill could hit another
    /// process.
    is_killed: Arc<AtomicBool>,
}

#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
struct Leader {
    pid: Pid,
    /// The child's entry in the process table, on systems that have one.
    process: Option<Process>,
    role: Role,
}

/// What the direct child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The program itself.
    Child,
    /// A wrapper between this process and the program, which exits after it. Requests to exit are
    /// not sent to the wrapper.
    Watcher,
}

impl ProcessTree {
    /// The tree of a child that leads a process group of its own.
    pub fn of(child: &tokio::process::Child) -> Self {
        Self::led_by(child, Role::Child)
    }

    /// The tree of a child that was started through a watcher process. `child` is the watcher.
    #[must_use]
    pub fn watched(child: &tokio::process::Child) -> Self {
        Self::led_by(child, Role::Watcher)
    }

    fn led_by(child: &tokio::process::Child, role: Role) -> Self {
        #[cfg(not(unix))]
        let _ = (child, role);
        #[cfg(unix)]
        let leader = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .map(|pid| Leader {
                pid,
                process: Process::of(pid.as_raw_nonzero().get()),
                role,
            });
        #[cfg(target_os = "linux")]
        if let Some(process) = leader.and_then(|leader| leader.process) {
            orphans::is_own(process);
        }
        Self {
            #[cfg(unix)]
            leader,
            #[cfg(unix)]
            noted: Arc::default(),
            is_killed: Arc::default(),
        }
    }

    /// Records the current descendants for a later [`kill`](Self::kill), because a process whose
    /// parent has exited could no longer be found.
    pub fn note(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            *noted = leader.below();
        }
    }

    /// Asks all processes to exit. Does nothing on systems without signals.
    pub fn ask_to_end(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            // Looked up first: once a parent exits, its children can no longer be found.
            let below = leader.below();
            if leader.role == Role::Child {
                leader.signal_group(Signal::TERM);
            }
            for process in below {
                process.signal(Signal::TERM);
            }
        }
    }

    /// Kills all processes at once; does nothing the second time.
    pub fn kill(&self) {
        if self.is_killed.swap(true, Ordering::Relaxed) {
            return;
        }
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            leader.signal_group(Signal::STOP);
            if let Some(process) = leader.process.filter(Process::is_there) {
                below::kill_below(process.pid);
                process.signal(Signal::KILL);
            }
            let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            for process in noted.iter().filter(|process| process.is_there()) {
                below::kill_below(process.pid);
                process.signal(Signal::KILL);
            }
            leader.signal_group(Signal::KILL);
        }
    }
}

#[cfg(unix)]
impl Leader {
    /// The current descendants.
    fn below(&self) -> Vec<Process> {
        let process = self.process.filter(Process::is_there);
        process.map_or_else(Vec::new, |process| below::below(process.pid))
    }

    /// Signals the whole process group while its number can only mean this group. A group exists
    /// longer than its leader.
    fn signal_group(&self, signal: Signal) {
        let raw = self.pid.as_raw_nonzero().get();
        let is_another = self
            .process
            .is_some_and(|own| Process::of(raw).is_some_and(|now| now != own));
        if !is_another {
            // An error means that no process is left.
            let _ = kill_process_group(self.pid, signal);
        }
    }
}

/// Makes this process the new parent of every descendant whose parent exits, so that
/// [`kill_descendants`] finds it. Linux only; does nothing elsewhere.
///
/// A program should call this once, before it starts any process: processes that are already below
/// it (a shell that ran `exec` leaves its children) are not its own and are never killed.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        below::spare_those_here();
        if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
            tracing::debug!(%error, "orphans cannot be adopted");
        }
    }
}

/// Kills every process that this one has started, directly or indirectly, and waits at most half a
/// second until they are gone.
///
/// For a program that is about to exit. After [`adopt_orphans`], this includes on Linux the
/// processes that left their group or session; on other systems none is found.
pub fn kill_descendants() {
    #[cfg(target_os = "linux")]
    below::kill_own();
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
