use super::*;

#[test]
fn files_after_an_at_sign_are_attached() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("notes.txt"), "Buy milk").unwrap();
    std::fs::write(path("my plan.md"), "Sleep").unwrap();
    let line = format!(
        "Compare @{}, and @\"{}\"?",
        path("notes.txt"),
        path("my plan.md")
    );
    let content = question(&line).unwrap().unwrap();
    let attached = content.blocks().iter().filter_map(|block| match block {
        ContentBlock::Attachment { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(attached.collect::<Vec<_>>(), ["Buy milk", "Sleep"]);
    assert_eq!(content.text(), line);
}

#[test]
fn other_at_signs_are_text() {
    for (line, text) in [
        ("mail me@example.org", "mail me@example.org"),
        ("meet @ five", "meet @ five"),
        ("ask @@alice", "ask @alice"),
        ("  hello ", "hello"),
    ] {
        let content = question(line).unwrap().unwrap();
        assert_eq!(
            (content.text().as_str(), content.blocks().len()),
            (text, 0),
            "{line}"
        );
    }
    assert!(question("  ").unwrap().is_none());
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let failure = question("read @missing.txt").unwrap_err();
    assert_eq!(failure.message, "There is no file missing.txt");
    assert_eq!(failure.hint.as_deref(), Some("type @@ for a plain @"));
    let failure = question("read @https://example.org/a").unwrap_err();
    assert!(failure.message.contains("is an address"));
}
