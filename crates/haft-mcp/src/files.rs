//! Files of the user's that are written whole or not at all, and that nobody else may read.
//!
//! What is written goes into a temporary file in the same folder, which then takes the place of
//! the old one. [`Lock`] keeps two programs from changing the same file at once.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// More links than this are a circle; the limit of Linux.
const MAX_LINKS: usize = 40;

/// Of the temporary files of this program.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Makes a folder, and those above it, that only the user may enter. One that is there stays as
/// it is.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Who may read a file that takes the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Its user alone.
    User,
    /// Whoever could read the old file.
    AsBefore,
}

/// Writes `text` in place of the file at `path`, which is no link. A new file is for its user
/// alone; an old one keeps its permissions, those of other users only for
/// [`Readers::AsBefore`].
pub(crate) fn replace(path: &Path, text: &[u8], readers: Readers) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{number}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    // What a program of the same number left behind when it died.
    let _ = fs::remove_file(&temporary);
    let written = write_new(&temporary, text)
        .and_then(|()| keep_permissions(path, &temporary, readers))
        .and_then(|()| fs::rename(&temporary, path));
    // An error says that it was not even made.
    written.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

fn write_new(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(path)?;
    file.write_all(text)?;
    file.sync_all()
}

/// The options for a file that is private from its first moment on.
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

/// The file that `path` leads to, through links, also where it does not exist yet.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        // An absolute target replaces all of it.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// The right to change a file, held by one program at a time until this is dropped.
///
/// It is a lock on a file beside it, as the file itself is replaced with every change. The system
/// frees the lock of a program that dies.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Waits for the right to change the file at `path`, which is no link.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let path = path.with_file_name(name);
        loop {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            let file = private(&mut options).open(&path)?;
            file.lock()?;
            // Whoever had it before may have taken the file away while this one waited for it.
            if is_at(&file, &path)? {
                return Ok(Self { path, file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is locked, so that nobody else can have locked the same file by now. A file
        // that stays is in nobody's way.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// Whether `file` is what stands at `path`.
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

/// Elsewhere the file is never taken away.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests;
