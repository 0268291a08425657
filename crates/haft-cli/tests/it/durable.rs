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

#[test]
fn a_run_is_watched_copied_saved_and_erased() {
    let machine = Machine::new();
    let _worker = Worker::start(&machine);
    let said = machine.haft(&["run", "--detach", "What time is it in Lima?"]);
    let run = said.answer();
    let watched = machine.haft(&["runs", "watch", run]);
    assert!(watched.answer().contains("in Lima"), "{}", watched.stdout);
    assert!(watched.stderr.contains("get_current_datetime begun"));
    let steps = machine.haft(&["runs", "show", "--steps", "--json", run]);
    let steps = steps.json().as_array().unwrap().len();
    let keep = (steps - 1).to_string();
    let copied = machine.haft(&["runs", "fork", "--keep", &keep, run]);
    let copy = settled(&machine, copied.answer());
    assert_eq!(copy["state"], "answered");
    machine
        .haft(&["runs", "retry", run])
        .fails(1, &["neither failed nor was cancelled"]);

    let checked = machine.haft(&["store", "check", "--json"]).json();
    assert_eq!(checked["runs"]["answered"], 2);
    assert_eq!(checked["problems"], serde_json::json!([]));
    machine.haft(&["store", "migrate"]).answer();
    machine.haft(&["store", "backup", "saved.db"]).answer();
    let saved = ["runs", "show", "--store", "sqlite:saved.db", run];
    assert!(machine.haft(&saved).answer().contains("in Lima"));
    machine.haft(&["store", "erase", run]).answer();
    let shown = machine.haft(&["runs", "show", run]);
    shown.fails(1, &["There is no run"]);
}

#[test]
fn runs_of_another_queue_and_of_later_times_are_listed() {
    let machine = Machine::new();
    let _worker = Worker::start(&machine);
    let later = ["run", "--at", "2999-01-31 18:00", "Water the garden"];
    let later = machine.haft(&later);
    let every = ["run", "--every", "0 7 * * 1-5", "--queue", "night", "Hello"];
    let every = machine.haft(&every);
    let other = ["run", "--detach", "--queue", "night", "Hello"];
    let other = machine.haft(&other);
    let listed = machine.haft(&["runs", "list"]);
    let line = |id: &str| {
        let mut lines = listed.answer().lines();
        lines.find(|line| line.starts_with(id)).unwrap().to_owned()
    };
    assert!(line(later.answer()).contains("delayed"));
    assert!(line(later.answer()).contains("at 2999-01-31T"));
    assert!(line(every.answer()).contains("repeating  night"));
    assert!(line(every.answer()).contains("0 7 * * 1-5"));
    assert!(line(other.answer()).contains("queued     night"));
    machine.haft(&["runs", "cancel", every.answer()]).answer();
    let shown = machine.haft(&["runs", "show", every.answer()]);
    shown.fails(1, &["There is no run"]);
    let passed = machine.haft(&["run", "--at", "2000-01-31 18:00", "Hello"]);
    passed.fails(2, &["that time has passed"]);
}

#[cfg(unix)]
#[test]
fn a_worker_ends_well() {
    let machine = Machine::new();
    let mut worker = Worker::start(&machine);
    let said = machine.haft(&["run", "What time is it in Lima?"]);
    assert!(said.answer().contains("in Lima"), "{}", said.stdout);
    let id = rustix::process::Pid::from_child(&worker.0);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert_eq!(worker.0.wait().unwrap().code(), Some(0));
}

#[test]
fn a_conversation_in_a_store_goes_on_on_another_machine() {
    let (desk, attic) = (Machine::new(), Machine::new());
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("shared.db").display());
    let at =
        |machine: &Machine, words: &[&str]| machine.haft(&[words, &["--store", &store]].concat());
    let ask = ["ask", "--model", "builtin"];
    let asked = at(&desk, &[&ask[..], &["What time is it in Lima?"]].concat());
    assert!(asked.answer().contains("in Lima"), "{}", asked.stdout);
    let listed = at(&attic, &["sessions", "list", "--json"]).json();
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!(listed[0]["title"], "What time is it in Lima?");
    let asked = at(
        &attic,
        &[&ask[..], &["--continue", "And in Oslo?"]].concat(),
    );
    assert!(
        asked.stderr.contains(&format!("session {id}")),
        "{}",
        asked.stderr
    );
    // The file of the user has none of it.
    assert_eq!(attic.haft(&["sessions", "list"]).answer(), "no sessions");

    let run = at(
        &desk,
        &[
            "run",
            "--detach",
            "--session",
            id,
            "What time is it in Rome?",
        ],
    );
    let run = run.answer();
    let busy = at(
        &attic,
        &[&ask[..], &["--continue", "And in Bern?"]].concat(),
    );
    busy.fails(
        1,
        &[&format!("The run {run} is being answered"), "cancel it"],
    );
    let mut command = attic.command(&["work", "--model", "builtin", "--store", &store]);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let _worker = Worker(quiet.spawn().unwrap());
    let watched = at(&desk, &["runs", "watch", run]);
    assert!(watched.answer().contains("in Rome"), "{}", watched.stdout);
    let shown = at(&desk, &["sessions", "show", id]);
    assert!(
        shown.answer().contains("> What time is it in Rome?"),
        "{}",
        shown.stdout
    );

    at(&desk, &["store", "erase", "--session", id]).answer();
    at(&attic, &["sessions", "show", id]).fails(1, &["There is no session"]);
    at(&attic, &["runs", "show", run]).fails(1, &["There is no run"]);
}
