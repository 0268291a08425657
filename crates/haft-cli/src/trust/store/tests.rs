use super::*;

fn place(path: &Path) -> Place {
    Place::of(path).unwrap()
}

fn store(folder: &Path) -> Store {
    Store {
        file: folder.join("state/haft/trusted.json"),
    }
}

#[test]
fn a_content_is_trusted_at_its_path_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let here = place(&folder.path().join(".mcp.json"));
    fs::create_dir(folder.path().join("other")).unwrap();
    let there = place(&folder.path().join("other/.mcp.json"));
    assert!(!store.trusts(&here, "a"));
    store.remember(&here, "a");
    assert!(store.trusts(&here, "a"));
    assert!(!store.trusts(&here, "b") && !store.trusts(&there, "a"));
    assert!(!store.trusts(&place(&folder.path().join("haft.toml")), "a"));
    // The new content replaces the old one.
    store.remember(&here, "b");
    store.remember(&there, "c");
    assert!(store.trusts(&here, "b") && store.trusts(&there, "c") && !store.trusts(&here, "a"));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_trusted_folder_is_trusted_a_link_to_its_file_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for name in ["mine", "theirs"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let mine = folder.path().join("mine/.mcp.json");
    fs::write(&mine, "a").unwrap();
    store.remember(&place(&mine), "a");
    let link = folder.path().join("theirs/.mcp.json");
    std::os::unix::fs::symlink(&mine, &link).unwrap();
    assert!(!store.trusts(&place(&link), "a"));
    std::os::unix::fs::symlink(folder.path().join("mine"), folder.path().join("way")).unwrap();
    assert!(store.trusts(&place(&folder.path().join("way/.mcp.json")), "a"));
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_or_write_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    store.remember(&place(&folder.path().join("a")), "a");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.file), 0o600);
    assert_eq!(mode(store.file.parent().unwrap()), 0o700);
    let left: Vec<_> = fs::read_dir(store.file.parent().unwrap())
        .unwrap()
        .collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_broken_store_trusts_nothing_and_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let here = place(&folder.path().join("a"));
    store.remember(&here, "a");
    let good = fs::read_to_string(&store.file).unwrap();
    for end in 0..good.len() {
        fs::write(&store.file, good.get(..end).unwrap()).unwrap();
        assert!(!store.trusts(&here, "a"), "{end}");
    }
    let newer = good.replace("\"version\": 1", "\"version\": 2");
    fs::write(&store.file, newer).unwrap();
    assert!(!store.trusts(&here, "a"));
    store.remember(&here, "a");
    assert!(store.trusts(&here, "a"));
}

#[test]
fn the_hash_is_sha_256() {
    // The example of FIPS 180-2, appendix B.1.
    assert_eq!(
        hash("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}
