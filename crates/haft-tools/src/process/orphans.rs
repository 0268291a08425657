//! Adopted processes that have ended: the system keeps each until its parent has asked how.

use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, WaitOptions, waitpid};

use super::below::{self, Process};

/// The children that were started here. Whoever started one waits for it, and nobody else.
static OWN: Mutex<Vec<Process>> = Mutex::new(Vec::new());

/// `child` was started here.
pub(super) fn is_own(child: Process) {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.retain(Process::is_there);
    own.push(child);
}

/// Lets go of the adopted processes that have ended, to be called at every `SIGCHLD`. Without it a
/// program that runs for long and adopts orphans (see [`adopt_orphans`](super::adopt_orphans))
/// collects them.
///
/// A child is taken for adopted unless there is a [`ProcessTree`](super::ProcessTree) of it. So in
/// a program that calls this, every child that is started in another way needs one at once, or its
/// exit status may be lost.
pub fn reap_adopted() {
    let ended = below::ended_children();
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let adopted = ended.iter().filter(|process| !own.contains(process));
    for pid in adopted.filter_map(|process| Pid::from_raw(process.pid)) {
        // An error says that it is gone already.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}
