//! Adopted processes are reaped, children are not. A file of its own, so that no other test has
//! children meanwhile.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

use std::process::Stdio;
use std::time::{Duration, Instant};

use haft_tools::{ProcessTree, adopt_orphans, reap_adopted};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// The state and the parent of a process, as the system reports them.
fn stat(pid: &str) -> Option<(String, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}

/// Waits without leaving this thread: the runtime must not reap any process meanwhile.
fn wait_for_zombie(pid: &str) {
    let started = Instant::now();
    while stat(pid) != Some(("Z".to_owned(), std::process::id())) {
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(60), "{pid}: {:?}", stat(pid));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
async fn adopted_processes_are_reaped_and_children_keep_their_exit_status() {
    adopt_orphans();
    // The process in between exits at once and leaves an orphan, which exits when its input ends.
    let mut parent = Command::new("sh");
    parent
        .args(["-c", "exec 3<&0; (setsid sh -c 'echo $$; read line' <&3 &)"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut parent = parent.spawn().unwrap();
    let _tree = ProcessTree::of(&parent);
    let input = parent.stdin.take().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    let orphan = lines.next_line().await.unwrap().unwrap();
    assert!(parent.wait().await.unwrap().success());

    let mut own = Command::new("sh").args(["-c", "exit 4"]).spawn().unwrap();
    let _tree = ProcessTree::of(&own);
    wait_for_zombie(&own.id().unwrap().to_string());
    drop(input);
    wait_for_zombie(&orphan);

    reap_adopted();
    assert_eq!(stat(&orphan), None);
    assert_eq!(own.wait().await.unwrap().code(), Some(4));
}
