//! The file of a demo home: read whole, written whole, never half.
//!
//! A write goes to a neighbour file that then takes the place of the old one. Read-change-write
//! happens under the lock of a further neighbour, `<name>.lock`, so that homes and processes that
//! share the file lose none of each other's changes; the file itself cannot carry the lock
//! because it is replaced.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::state::{DemoState, Fault};
use crate::error::{ZwaveError, ZwaveErrorKind};

/// A home of the greatest allowed number of devices takes about 60 KB.
const MAX_BYTES: u64 = 256 * 1024;
/// How long another process may hold the lock. It needs a few milliseconds.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// How long to wait before the lock is tried again.
const LOCK_RETRY: Duration = Duration::from_millis(5);

/// Where a demo home is kept.
#[derive(Clone, Debug)]
pub(crate) struct HomeFile {
    path: PathBuf,
}

impl HomeFile {
    /// The file at `path`; if there is none, it is written with what `default` makes.
    pub(crate) fn open(
        path: PathBuf,
        default: impl FnOnce() -> DemoState,
    ) -> Result<Self, ZwaveError> {
        // A link stays a link: what gets replaced is the file it points to.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let file = Self { path };
        let _lock = file.lock(LOCK_WAIT)?;
        match file.read() {
            Err(error) if error.kind() == ErrorKind::NotFound => file.write(&default())?,
            read => {
                file.parse(read)?;
            }
        }
        Ok(file)
    }

    /// The home as the file has it now.
    pub(crate) async fn load(&self) -> Result<DemoState, ZwaveError> {
        self.blocking(|file| file.parse(file.read())).await
    }

    /// Changes the home and keeps the change.
    pub(crate) async fn update<T, F>(&self, change: F) -> Result<T, ZwaveError>
    where
        T: Send + 'static,
        F: FnOnce(&mut DemoState) -> T + Send + 'static,
    {
        self.blocking(|file| {
            let _lock = file.lock(LOCK_WAIT)?;
            let mut state = file.parse(file.read())?;
            let result = change(&mut state);
            file.write(&state)?;
            Ok(result)
        })
        .await
    }

    async fn blocking<T, F>(&self, work: F) -> Result<T, ZwaveError>
    where
        T: Send + 'static,
        F: FnOnce(&Self) -> Result<T, ZwaveError> + Send + 'static,
    {
        let file = self.clone();
        match tokio::task::spawn_blocking(move || work(&file)).await {
            Ok(result) => result,
            Err(error) => Err(self.failed("used", &io::Error::other(error))),
        }
    }

    fn lock(&self, wait: Duration) -> Result<Option<File>, ZwaveError> {
        let opened = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.neighbour(".lock"));
        let file = opened.map_err(|error| self.failed("opened", &error))?;
        let deadline = Instant::now() + wait;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    thread::sleep(LOCK_RETRY);
                }
                Err(TryLockError::WouldBlock) => return Err(self.busy()),
                // Some network file systems have no locks; alone on the file one needs none.
                Err(TryLockError::Error(error)) => {
                    tracing::warn!(%error, path = %self.path.display(), "no lock on the demo home");
                    return Ok(None);
                }
            }
        }
    }

    /// Bytes of the file, bounded; one byte more than allowed shows that it is too long.
    fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(&self.path)?
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&self, state: &DemoState) -> Result<(), ZwaveError> {
        let temporary = self.neighbour(".tmp");
        let written = serde_json::to_vec_pretty(state)
            .map_err(io::Error::from)
            .and_then(|text| {
                let mut file = File::create(&temporary)?;
                file.write_all(&text)?;
                file.write_all(b"\n")?;
                file.sync_all()?;
                fs::rename(&temporary, &self.path)
            });
        written.map_err(|error| {
            // A full disk must not be left fuller; the error to report is the first one.
            let _ = fs::remove_file(&temporary);
            self.failed("written", &error)
        })
    }

    fn parse(&self, read: io::Result<Vec<u8>>) -> Result<DemoState, ZwaveError> {
        let bytes = read.map_err(|error| self.failed("read", &error))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.invalid(None, &format!("it is larger than {} KB", MAX_BYTES / 1024)));
        }
        let state: DemoState = serde_json::from_slice(&bytes).map_err(|error| {
            let what = without_position(&error);
            self.invalid(Some(error.line()), &what)
        })?;
        let checked = state.check();
        checked.map_err(|fault| self.invalid(line_of(&bytes, &fault), &fault.what))?;
        Ok(state)
    }

    fn neighbour(&self, suffix: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(suffix);
        name.into()
    }

    fn shown(&self) -> impl std::fmt::Display {
        Path::display(&self.path)
    }

    fn invalid(&self, line: Option<usize>, what: &str) -> ZwaveError {
        let line = line
            .map(|line| format!(" line {line}:"))
            .unwrap_or_default();
        ZwaveError::new(
            ZwaveErrorKind::InvalidFile,
            format!(
                "The file {} does not describe a demo home:{line} {what}.",
                self.shown()
            ),
            "Correct it, or delete the file to start again with the default home.",
        )
    }

    fn failed(&self, what: &str, error: &io::Error) -> ZwaveError {
        ZwaveError::new(
            ZwaveErrorKind::Io,
            format!("The demo home's file {} cannot be {what}.", self.shown()),
            "Check that the folder exists and that you may write to it.",
        )
        .with_detail(error.to_string())
    }

    fn busy(&self) -> ZwaveError {
        ZwaveError::new(
            ZwaveErrorKind::Busy,
            format!(
                "The demo home's file {} is in use by another program.",
                self.shown()
            ),
            "Try again in a moment.",
        )
    }
}

/// The error's sentence; its line is told apart, its column helps nobody.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(position) => text.get(..position).unwrap_or_default().to_owned(),
        None => text,
    }
}

/// The line on which the faulty device's name stands, which is where a person looks first.
fn line_of(bytes: &[u8], fault: &Fault) -> Option<usize> {
    let quoted = serde_json::to_string(fault.device.as_ref()?).ok()?;
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("\"name\"") && line.contains(&quoted));
    lines.nth(fault.nth).map(|(index, _)| index + 1)
}

#[cfg(test)]
mod tests;
