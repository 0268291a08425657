//! A terminal of our own, from util-linux, and the real binary in it.
#![allow(clippy::print_stderr, reason = "a test says what it skips")]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::Machine;

/// `haft` in a terminal.
pub(crate) struct Terminal {
    child: Child,
    shown: Receiver<Vec<u8>>,
    text: String,
}

impl Terminal {
    /// None where there is no `script`.
    pub(crate) fn start(machine: &Machine, arguments: &[&str]) -> Option<Self> {
        let found = Command::new("script").arg("--version").output();
        if !found.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: there is no `script` to make a terminal with");
            return None;
        }
        let quoted = arguments.iter().map(|argument| format!("'{argument}'"));
        let words: Vec<_> = quoted.collect();
        let haft = machine.command(&[]);
        let line = format!("'{}' {}", haft.get_program().display(), words.join(" "));
        let mut script = Command::new("script");
        script
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(haft.get_current_dir().unwrap())
            .env_clear()
            .envs(
                haft.get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = script.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                let _ = sender.send(buffer[..length].to_vec());
            }
        });
        let text = String::new();
        Some(Self { child, shown, text })
    }

    /// Waits until this text appears, and returns all output since the last call.
    pub(crate) fn until(&mut self, part: &str) -> String {
        let started = Instant::now();
        while !self.text.contains(part) {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "never came: {part:?} in {:?}",
                self.text
            );
            if let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(100)) {
                self.text += &String::from_utf8_lossy(&bytes);
            }
        }
        std::mem::take(&mut self.text)
    }

    pub(crate) fn types(&mut self, text: &str) {
        let mut stdin = self.child.stdin.as_ref().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}
