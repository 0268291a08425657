//! Whether the system would find the program of a server.
//!
//! This is asked before a watcher is started: with a watcher in between, a command that is missing
//! would look like a server that ends at once.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Where the system looks without a `PATH`.
const USUAL_PATH: &str = "/bin:/usr/bin";

/// The error that starting `command` in `folder` with this `PATH` would give, where the program is
/// not there or cannot be run.
pub(crate) fn check(command: &str, path: Option<OsString>, folder: &Path) -> io::Result<()> {
    if command.contains('/') {
        return runnable(&folder.join(command));
    }
    let path = path.unwrap_or_else(|| OsStr::new(USUAL_PATH).to_owned());
    let mut error = io::ErrorKind::NotFound.into();
    for directory in std::env::split_paths(&path) {
        match runnable(&folder.join(directory).join(command)) {
            Ok(()) => return Ok(()),
            // One that is there says more than those that are not.
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
