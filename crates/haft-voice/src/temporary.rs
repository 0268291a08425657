//! A temporary file for programs that cannot read a pipe; removed when dropped.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is removed when this is dropped: at the end, on cancellation, and in a panic.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    /// Creates a file in the folder for temporary files. Only this user can read it, because it
    /// contains what was said at home.
    pub(crate) fn with(content: &[u8], extension: &str) -> io::Result<Self> {
        let name = format!("haft-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let path = std::env::temp_dir().join(name).with_extension(extension);
        let mut file = create(&path)?;
        // Dropping it removes the file even if writing fails.
        let temporary = Self { path };
        file.write_all(content)?;
        Ok(temporary)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path.display(), %error, "a temporary file is left");
        }
    }
}

/// Fails if the name exists, even as a symbolic link of another user.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
