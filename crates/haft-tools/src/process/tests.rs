//! All descendants of a child are found and killed, even outside its process group.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use super::ProcessTree;
use super::below::Process;

/// A shell, and processes that it started.
struct Family {
    shell: Child,
    members: Vec<Process>,
    /// A shell that writes after this was dropped is killed, and its children get another parent.
    _output: Lines<BufReader<ChildStdout>>,
}

/// A shell that runs `script`, and the processes whose numbers it prints, one per line.
async fn family(script: &str, members: usize) -> Family {
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .process_group(0)
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    let mut shell = command.spawn().unwrap();
    let mut output = BufReader::new(shell.stdout.take().unwrap()).lines();
    let mut named = Vec::new();
    for _ in 0..members {
        let line = output.next_line().await.unwrap().unwrap();
        named.push(Process::of(line.trim().parse().unwrap()).unwrap());
    }
    Family {
        shell,
        members: named,
        _output: output,
    }
}

fn is_running(process: &Process) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.pid)).unwrap_or_default();
    process.is_there() && !stat.contains(") Z ")
}

async fn gone(processes: &[Process]) {
    for _ in 0..2000 {
        if !processes.iter().any(is_running) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("they are still there: {processes:?}");
}

#[tokio::test]
async fn processes_that_left_the_group_are_killed() {
    let script = "setsid sh -c 'echo $$; sleep 600 & echo $!; wait' & wait";
    let family = family(script, 2).await;
    assert!(family.members.iter().all(is_running));
    ProcessTree::of(&family.shell).kill();
    gone(&family.members).await;
}

#[tokio::test]
async fn noted_orphans_are_killed() {
    // The shell in between ends with its input; then the sleep has no parent in the tree.
    let script = "setsid sh -c 'echo $$; sleep 600 & echo $!; wait' & read line";
    let mut command = Command::new("sh");
    command.args(["-c", script]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut members = Vec::new();
    for _ in 0..2 {
        let line = lines.next_line().await.unwrap().unwrap();
        members.push(Process::of(line.parse().unwrap()).unwrap());
    }
    let tree = ProcessTree::of(&child);
    tree.note();
    drop(child.stdin.take());
    child.wait().await.unwrap();
    assert!(members.iter().all(is_running));
    tree.kill();
    gone(&members).await;
}

/// The running processes whose arguments contain `argument`.
fn running_with(argument: &str) -> Vec<Process> {
    let is_asked = |process: &Process| {
        let arguments = std::fs::read(format!("/proc/{}/cmdline", process.pid)).unwrap_or_default();
        let mut arguments = arguments.split(|&byte| byte == 0);
        arguments.any(|one| one == argument.as_bytes()) && is_running(process)
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(Process::of).filter(is_asked).collect()
}

#[tokio::test]
async fn a_process_that_keeps_starting_others_is_killed_with_all_of_them() {
    // The length of the sleep marks the processes of this test, also those started after the
    // thirty that are read.
    let seconds = format!("{}", 1_000_000 + std::process::id());
    let script = format!("while :; do setsid sleep {seconds} & echo $!; done");
    let family = family(&script, 30).await;
    ProcessTree::of(&family.shell).kill();
    gone(&family.members).await;
    gone(&running_with(&seconds)).await;
    assert_eq!(running_with(&seconds), []);
}
