//! The simulated home: devices that exist only in memory, or in a JSON file between runs.
//!
//! `state` defines the home and how its devices behave, `file` keeps it on disk, `rooms` has the
//! default rooms and devices.

mod file;
mod rooms;
mod state;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use self::file::HomeFile;
use self::state::DemoState;
use crate::device::{Command, Device};
use crate::error::ZwaveError;

/// A simulated home.
#[derive(Debug)]
pub(crate) enum DemoHome {
    /// Kept in memory, until this value is dropped.
    Memory(Mutex<DemoState>),
    /// Kept in a file that is read at every access, so that manual edits take effect at once.
    File(HomeFile),
}

impl DemoHome {
    /// The default home.
    pub(crate) fn in_memory() -> Self {
        Self::Memory(Mutex::new(rooms::default_home(Timestamp::now())))
    }

    /// The home in the file at `path`, which is created if it is missing.
    pub(crate) fn in_file(path: PathBuf) -> Result<Self, ZwaveError> {
        let file = HomeFile::open(path, || rooms::default_home(Timestamp::now()))?;
        Ok(Self::File(file))
    }

    /// All devices, in the order in which they are kept.
    pub(crate) async fn devices(&self) -> Result<Vec<Device>, ZwaveError> {
        let now = Timestamp::now();
        match self {
            Self::Memory(state) => Ok(state
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .report(now)),
            Self::File(file) => Ok(file.load().await?.report(now)),
        }
    }

    /// One device; names are unique in a demo home.
    pub(crate) async fn read(&self, name: &str) -> Result<Device, ZwaveError> {
        let devices = self.devices().await?;
        let found = devices.into_iter().find(|device| device.name == name);
        found.ok_or_else(|| ZwaveError::device_gone(name))
    }

    /// Executes a command and reads the device back.
    pub(crate) async fn set(&self, name: &str, command: Command) -> Result<Device, ZwaveError> {
        let now = Timestamp::now();
        let wanted = name.to_owned();
        let apply = move |state: &mut DemoState| state.apply(&wanted, command, now);
        let known = match self {
            Self::Memory(state) => apply(&mut state.lock().unwrap_or_else(PoisonError::into_inner)),
            Self::File(file) => file.update(apply).await?,
        };
        if !known {
            return Err(ZwaveError::device_gone(name));
        }
        self.read(name).await
    }
}

#[cfg(test)]
mod tests;
