//! Where the recorded corpora are, for tests that can use them.

use std::path::PathBuf;

/// The folder that `HAFT_DATA` names, if it is there. A test that needs it and does not find
/// it says so in one line and passes.
pub fn data_dir(test: &str) -> Option<PathBuf> {
    let found = std::env::var_os("HAFT_DATA")
        .map(PathBuf::from)
        .filter(|path| path.is_dir());
    if found.is_none() {
        // Straight to the terminal: libtest hides what a passing test prints.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!("{test}: skipped, HAFT_DATA does not name a folder\n").as_bytes(),
        );
    }
    found
}
