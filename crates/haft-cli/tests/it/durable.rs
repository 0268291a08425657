//! `haft run`, `runs`, `approvals` and `work`: a question is put into a store, answered by a worker,
//! and decided by a person.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::Machine;

/// A worker that is killed when the test ends.
struct Worker(Child);

impl Worker {
    fn start(machine: &Machine) -> Self {
        let mut command = machine.command(&["work", "--model", "builtin", "--home", "demo"]);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(quiet.spawn().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The state of a run once it waits or has ended.
fn settled(machine: &Machine, run: &str) -> Value {
    for _ in 0..300 {
        let shown = machine.haft(&["runs", "show", "--json", run]).json();
        let state = shown["state"].clone();
        if state["state"] != "queued" && state["state"] != "working" {
            return state;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("the run {run} does not settle");
}

#[test]
fn a_call_that_may_do_harm_runs_after_a_person_allows_it() {
    let machine = Machine::new();
    assert_eq!(machine.haft(&["runs", "list"]).answer(), "no runs");
    let said = machine.haft(&["run", "--detach", "Lock the front door"]);
    let run = said.answer();
    let listed = machine.haft(&["runs", "list"]);
    assert!(listed.answer().contains("queued"), "{}", listed.stdout);
    let _worker = Worker::start(&machine);
    assert_eq!(settled(&machine, run)["reason"], "approval");
    let shown = machine.haft(&["runs", "show", run]);
    assert!(
        shown.answer().contains("lock Front Door Lock"),
        "{}",
        shown.stdout
    );
    let resumed = machine.haft(&["runs", "resume", "--decide", "did", run]);
    resumed.fails(1, &["waits for another kind of decision", "show the run"]);
    let waiting = machine.haft(&["approvals", "list"]);
    assert!(waiting.answer().starts_with(run), "{}", waiting.stdout);
    machine.haft(&["approvals", "allow", run]).answer();
    // Allowed is not yet done.
    let ended = loop {
        let state = settled(&machine, run);
        if state["state"] != "waiting" {
            break state;
        }
    };
    assert_eq!(ended["text"], "Front Door Lock is now locked.");
}

#[test]
fn a_waiting_command_prints_the_answer() {
    let machine = Machine::new();
    let _worker = Worker::start(&machine);
    let said = machine.haft(&["run", "What time is it in Lima?"]);
    assert!(said.answer().contains("in Lima"), "{}", said.stdout);
}

#[test]
fn what_is_not_there_is_an_error() {
    let machine = Machine::new();
    let shown = machine.haft(&["runs", "show", "nothing"]);
    shown.fails(1, &["There is no run \"nothing\""]);
    let listed = machine.haft(&["runs", "list", "--store", "mysql://localhost"]);
    listed.fails(1, &["neither sqlite:FILE nor postgres://"]);
    let address = "postgres://haft:secret-word@127.0.0.1:1/runs";
    let listed = machine.haft(&["runs", "list", "--store", address]);
    listed.fails(1, &["cannot be used", "its address is right"]);
    assert!(!listed.stderr.contains("secret-word"), "{}", listed.stderr);
}
