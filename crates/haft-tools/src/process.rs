//! A child with everything it started: ended as one.
//!
//! Servers are often a shell or `npx` around the program that does the work, so a signal goes to
//! the child's whole process group. What left the group (a browser does) is found by its parents;
//! `below` has the system's table of processes. [`adopt_orphans`] and [`kill_descendants`] are for
//! a program that is about to end and leaves nothing.

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

/// A child process and all below it.
#[derive(Clone, Debug)]
pub struct ProcessTree {
    #[cfg(unix)]
    leader: Option<Leader>,
    /// What was below it when it was asked to end: it may lose its parents meanwhile.
    #[cfg(unix)]
    noted: Arc<Mutex<Vec<Process>>>,
    /// A number is given to another process once its owner is gone: nobody is killed twice.
    is_killed: Arc<AtomicBool>,
}

#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
struct Leader {
    pid: Pid,
    /// The process, where the system has a table of them.
    process: Option<Process>,
    role: Role,
}

/// What the child is that leads a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The program that was to be started.
    Child,
    /// A program that stands between this process and the child proper, and ends after it: what
    /// asks the child to end is not for it.
    Watcher,
}

impl ProcessTree {
    /// The tree of a child that leads a process group of its own.
    pub fn of(child: &tokio::process::Child) -> Self {
        Self::led_by(child, Role::Child)
    }

    /// The tree of a child that was started through a watcher, which is what `child` is.
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

    /// Keeps in mind what is below the child now, for a later [`kill`](Self::kill): what loses
    /// its parents meanwhile could not be found any more.
    pub fn note(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            *noted = leader.below();
        }
    }

    /// Asks all processes to end. Where there are no signals, nothing happens.
    pub fn ask_to_end(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            // Looked up before anybody is gone: an orphan has lost its parents.
            let below = leader.below();
            if leader.role == Role::Child {
                leader.signal_group(Signal::TERM);
            }
            for process in below {
                process.signal(Signal::TERM);
            }
        }
    }

    /// Ends all processes at once; does nothing the second time.
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
    /// What is below it now.
    fn below(&self) -> Vec<Process> {
        let process = self.process.filter(Process::is_there);
        process.map_or_else(Vec::new, |process| below::below(process.pid))
    }

    /// To all of its group, as long as that can only be its own. The group outlives its leader.
    fn signal_group(&self, signal: Signal) {
        let raw = self.pid.as_raw_nonzero().get();
        let is_another = self
            .process
            .is_some_and(|own| Process::of(raw).is_some_and(|now| now != own));
        if !is_another {
            // An error says that nobody is left.
            let _ = kill_process_group(self.pid, signal);
        }
    }
}

/// From now on a process below this one that loses its parent becomes a child of this one, so
/// that [`kill_descendants`] finds it. Only Linux can do that.
///
/// To be called once, by a program, before it starts anything: the processes that are below it
/// already (a shell that ran `exec` leaves its children) are not its own and are never killed.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        below::spare_those_here();
        if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
            tracing::debug!(%error, "orphans cannot be adopted");
        }
    }
}

/// Kills every process that this one has started, directly or not, and waits until they are
/// gone, at most half a second.
///
/// For a program that is about to end. After [`adopt_orphans`], that is all of them on Linux,
/// also those that left their group or session; elsewhere nothing is found.
pub fn kill_descendants() {
    #[cfg(target_os = "linux")]
    below::kill_own();
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
