//! Checks whether the system would find the program of a server.
//!
//! This is checked before a watcher is started: with a watcher in between, a missing command would
//! look like a server that exits at once.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The search path of the system if `PATH` is not set.
const USUAL_PATH: &str = "/bin:/usr/bin";

/// The error of starting `command` in `folder` with this `PATH`, if the program is missing or not
/// executable.
pub(crate) fn check(command: &str, path: Option<OsString>, folder: &Path) -> io::Result<()> {
    if command.contains('/') {
        return runnable(&folder.join(command));
    }
    let path = path.unwrap_or_else(|| OsStr::new(USUAL_PATH).to_owned());
    let mut error = io::ErrorKind::NotFound.into();
    for directory in std::env::split_paths(&path) {
        match runnable(&folder.join(directory).join(command)) {
            Ok(()) => return Ok(()),
            // A file that is not executable explains more than missing ones.
            Err(one) if one.kind() == io::ErrorKind::PermissionDenied => error = one,
            Err(_) => {}
        }
    }
    Err(error)
}

fn runnable(file: &Path) -> io::Result<()> {
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 {
        Ok(())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

#[cfg(test)]
mod tests;
