//! Finds the recorded corpora for tests that can use them.

use std::path::PathBuf;

/// The folder that `HAFT_DATA` names, or `None` if it does not exist. In that case a line on the
/// terminal says that `test` is skipped; the test should then pass.
pub fn data_dir(test: &str) -> Option<PathBuf> {
    let found = std::env::var_os("HAFT_DATA")
        .map(PathBuf::from)
        .filter(|path| path.is_dir());
    if found.is_none() {
        // Written to the terminal directly, because libtest hides the output of a passing test.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!("{test}: skipped, HAFT_DATA does not name a folder\n").as_bytes(),
        );
    }
    found
}
