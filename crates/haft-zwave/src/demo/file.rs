//! The file of a demo home, which is always read and written as a whole.
//!
//! A write creates a temporary file next to it and renames that over the old one. Each
//! read-modify-write holds a lock on another file, `<name>.lock`, so that no change is lost if
//! several homes or processes share the file; the file itself cannot carry the lock because it is
//! replaced.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::state::{DemoState, Fault};
use crate::error::{ZwaveError, ZwaveErrorKind};

/// The size limit. A home with the maximum number of devices takes about 60 KB.
const MAX_BYTES: u64 = 256 * 1024;
/// How long to wait for the lock, which another process needs for a few milliseconds only.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// How long to wait before another attempt to take the lock.
const LOCK_RETRY: Duration = Duration::from_millis(5);

/// The file in which a demo home is kept.
#[derive(Clone, Debug)]
pub(crate) struct HomeFile {
    path: PathBuf,
}

impl HomeFile {
    /// Opens the file at `path`; a missing file is created with the result of `default`.
    pub(crate) fn open(
        path: PathBuf,
        default: impl FnOnce() -> DemoState,
    ) -> Result<Self, ZwaveError> {
        // Symbolic links are resolved, so that the target is replaced and not the link.
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

    /// Reads the home from the file.
    pub(crate) async fn load(&self) -> Result<DemoState, ZwaveError> {
        self.blocking(|file| file.parse(file.read())).await
    }

    /// Changes the home and writes it back.
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
                // Some network file systems do not support locks; a single user of the file needs
                // none.
                Err(TryLockError::Error(error)) => {
                    tracing::warn!(%error, path = %self.path.display(), "no lock on the demo home");
                    return Ok(None);
                }
            }
        }
    }

    /// Reads at most one byte more than the limit, which shows that the file is too long.
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
            // The temporary file is removed because the disk may be full; the first error is the
            // one to report.
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

/// The text of the error without its position: the line is reported separately, the column is of no
/// use.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(position) => text.get(..position).unwrap_or_default().to_owned(),
        None => text,
    }
}

/// The line with the name of the faulty device, where a user looks first.
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
