use std::sync::Arc;
use std::thread;

use super::*;

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
#[cfg(unix)]
fn a_new_file_is_private_and_an_old_one_never_becomes_more_open() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    replace(&path, b"one", Readers::AsBefore).unwrap();
    assert_eq!(mode(&path), 0o600);
    for (before, readers, after) in [
        (0o644, Readers::AsBefore, 0o644),
        (0o644, Readers::User, 0o600),
        (0o400, Readers::AsBefore, 0o400),
    ] {
        fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
        replace(&path, b"two", readers).unwrap();
        assert_eq!(mode(&path), after, "from {before:o}");
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_replaced_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), "").unwrap();
    replace(&path, b"one", Readers::AsBefore).unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn changes_under_a_lock_are_serialized_and_the_lock_file_is_removed() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let path = folder.path().join("count");
    fs::write(&path, "0").unwrap();
    let count = |path: &Path| -> u32 { fs::read_to_string(path).unwrap().parse().unwrap() };
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            thread::spawn(move || {
                for _ in 0..25 {
                    let _lock = Lock::of(&path).unwrap();
                    let next = count(&path) + 1;
                    replace(&path, next.to_string().as_bytes(), Readers::AsBefore).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(count(&path), 200);
    #[cfg(unix)]
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn links_are_resolved_even_to_a_missing_file() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("second", at("first")).unwrap();
    symlink(at("missing"), at("second")).unwrap();
    assert_eq!(behind_links(&at("first")), at("missing"));
    assert_eq!(behind_links(&at("plain")), at("plain"));
    symlink("circle", at("circle")).unwrap();
    behind_links(&at("circle"));
}
