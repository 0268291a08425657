//! One question at a time in a conversation, whichever process asks it.
//!
//! A file per conversation is locked while a question is answered. The system releases the lock
//! when the process ends, however it ends.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::id::SessionId;
use crate::error::{AgentError, AgentErrorKind};

/// The lock of one conversation, until it is dropped.
#[derive(Debug)]
pub(super) struct SessionLock {
    path: PathBuf,
    _file: File,
}

impl SessionLock {
    /// Takes the lock of `id` beside the store `store`.
    pub(super) fn take(store: &Path, id: &SessionId) -> Result<Self, AgentError> {
        let folder = store.with_extension("locks");
        let path = folder.join(id.as_str());
        let failed = |error: io::Error| {
            let message = format!("{} cannot be locked: {error}", path.display());
            AgentError::new(AgentErrorKind::Store, message)
                .with_hint("check the rights of the folder")
        };
        let file = open(&folder, &path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, _file: file }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
            Err(TryLockError::WouldBlock) => {
                let message = format!("A question is being answered in session {id}");
                Err(AgentError::new(AgentErrorKind::Store, message)
                    .with_hint("wait for that answer, or begin a new session"))
            }
        }
    }

    /// Removes the file of a conversation that was deleted.
    pub(super) fn remove(self) {
        // An empty file that stays does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Opens the file, which only the user can use.
fn open(folder: &Path, path: &Path) -> io::Result<File> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.create(folder)?;
    options.open(path)
}
