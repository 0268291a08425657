use super::*;

#[test]
fn only_text_files_are_attached() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let notes = file("notes.txt", "\u{feff}Buy milk\n".as_bytes());
    let ContentBlock::Attachment { title, text } = read(&notes).unwrap() else {
        panic!("no attachment");
    };
    assert_eq!((title, text.as_str()), (notes, "Buy milk\n"));
    let refused = |name: &str| {
        let failure = read(name).unwrap_err();
        format!("{}; {}", failure.message, failure.hint.unwrap_or_default())
    };
    assert!(refused(&file("a.png", b"\x89PNG\0\x01")).contains("--image"));
    assert!(refused(&file("latin", b"caf\xe9")).contains("not text in UTF-8"));
    assert!(refused(&file("empty", b" \n")).contains("is empty"));
    assert!(refused(&file("long", &vec![b'a'; 1024 * 1024 + 1])).contains("larger than 1 MiB"));
    assert!(refused("https://example.org/a.txt").contains("pipe it in"));
    assert!(refused(&folder.path().display().to_string()).contains("is a folder"));
    assert!(refused("missing.txt").contains("There is no file missing.txt"));
}
