//! Atomic writes of files that only their user may read.
//!
//! The content is written to a temporary file in the same folder, which is then renamed over the
//! old file. [`Lock`] prevents two programs from changing a file at the same time.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of links to follow, as in Linux; more are a cycle.
const MAX_LINKS: usize = 40;

/// A counter for the names of this program's temporary files.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Creates a folder and its parents, accessible only to the user. An existing folder is unchanged.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Who may read the new version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Its user only.
    User,
    /// The users who could read the old version.
    AsBefore,
}

/// Replaces the file at `path`, which must not be a link, by `text`. A new file is private; an old
/// one keeps its permissions, those of other users only with [`Readers::AsBefore`].
pub(crate) fn replace(path: &Path, text: &[u8], readers: Readers) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{number}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    // Left behind by a crashed program with the same process number.
    let _ = fs::remove_file(&temporary);
    let written = write_new(&temporary, text)
        .and_then(|()| keep_permissions(path, &temporary, readers))
        .and_then(|()| fs::rename(&temporary, path));
    // An error means that the file was never created.
    written.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

fn write_new(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
    file.write_all(text)?;
    file.sync_all()
}

/// Options for a file that is private from the moment of its creation.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(unix)]
fn keep_permissions(old: &Path, new: &Path, readers: Readers) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(old) = fs::metadata(old) else {
        return Ok(());
    };
    let kept = match readers {
        Readers::User => 0o700,
        Readers::AsBefore => 0o777,
    };
    let mode = old.permissions().mode() & kept;
    fs::set_permissions(new, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_permissions(old: &Path, new: &Path, _readers: Readers) -> io::Result<()> {
    match fs::metadata(old) {
        Ok(old) => fs::set_permissions(new, old.permissions()),
        Err(_) => Ok(()),
    }
}

/// The target of `path` after all links, even if it does not exist yet.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        // An absolute target replaces the whole path.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// The exclusive right to change a file, until this is dropped.
///
/// The lock is held on a separate file, because the file itself is replaced by every change. The
/// system releases the lock of a program that dies.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Waits for the lock of the file at `path`, which must not be a link.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let path = path.with_file_name(name);
        loop {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            let file = private(&mut options).open(&path)?;
            file.lock()?;
            // The previous holder may have removed the lock file while this one waited for it.
            if is_at(&file, &path)? {
                return Ok(Self { path, file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is locked, so that no other program holds a lock on it. If removing
        // fails, the file does no harm.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Whether `file` is still the file at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// On other systems the file is never removed.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests;
