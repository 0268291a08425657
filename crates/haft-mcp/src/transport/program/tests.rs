//! Programs are found in the same way as by the system.

use std::ffi::OsString;
use std::fs::{Permissions, create_dir, set_permissions, write};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;

use super::check;

fn kind(command: &str, path: Option<&str>, folder: &std::path::Path) -> Option<ErrorKind> {
    let checked = check(command, path.map(OsString::from), folder);
    checked.err().map(|error| error.kind())
}

#[test]
fn a_program_is_looked_for_like_the_system_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    create_dir(folder.join("bin")).unwrap();
    write(folder.join("bin/run"), "#!/bin/sh\n").unwrap();
    set_permissions(folder.join("bin/run"), Permissions::from_mode(0o755)).unwrap();
    write(folder.join("bin/text"), "no program").unwrap();
    set_permissions(folder.join("bin/text"), Permissions::from_mode(0o644)).unwrap();
    let bin = folder.join("bin").display().to_string();
    let both = format!("/nowhere:{bin}");

    assert_eq!(kind("run", Some(&both), folder), None);
    // A folder in the path may be relative, and so may a command with a slash.
    assert_eq!(kind("run", Some("bin"), folder), None);
    assert_eq!(kind("./bin/run", None, folder), None);
    assert_eq!(kind(&format!("{bin}/run"), None, folder), None);
    // Without a path, the system searches its default folders.
    assert_eq!(kind("sh", None, folder), None);

    assert_eq!(
        kind("run", Some("/nowhere"), folder),
        Some(ErrorKind::NotFound)
    );
    assert_eq!(kind("run", None, folder), Some(ErrorKind::NotFound));
    assert_eq!(
        kind("./run", Some(&both), folder),
        Some(ErrorKind::NotFound)
    );
    let denied = Some(ErrorKind::PermissionDenied);
    assert_eq!(kind("text", Some(&both), folder), denied);
    assert_eq!(kind("./bin", Some(&both), folder), denied);
}
