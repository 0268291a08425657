//! Reaps adopted processes that have exited: the system keeps each one until its parent waits for
//! it.

use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, WaitOptions, waitpid};

use super::below::{self, Process};

/// The children that were started by this program. The code that started a child also waits for it.
static OWN: Mutex<Vec<Process>> = Mutex::new(Vec::new());

/// Records that this program started `child`.
pub(super) fn is_own(child: Process) {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.retain(Process::is_there);
    own.push(child);
}

/// Reaps the adopted processes that have exited; to be called at every `SIGCHLD`. Without it,
/// zombies would accumulate in a long-running program that adopts orphans (see
/// [`adopt_orphans`](super::adopt_orphans)).
///
/// A child counts as adopted unless it has a [`ProcessTree`](super::ProcessTree). In a program that
/// calls this, every child that is started in another way needs one at once, or its exit status may
/// be lost.
pub fn reap_adopted() {
    let ended = below::ended_children();
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let adopted = ended.iter().filter(|process| !own.contains(process));
    for pid in adopted.filter_map(|process| Pid::from_raw(process.pid)) {
        // An error means that the process is gone already.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}
