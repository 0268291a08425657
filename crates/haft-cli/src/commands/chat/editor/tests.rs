use super::*;

fn replacements(before: &str) -> (usize, Vec<String>) {
    let (begin, pairs) = completed(before);
    (
        begin,
        pairs.into_iter().map(|pair| pair.replacement).collect(),
    )
}

#[test]
fn commands_are_completed_at_the_beginning() {
    assert_eq!(replacements("/mo"), (0, vec!["/model ".to_owned()]));
    assert_eq!(replacements("/").1.len(), commands::HELP.len());
    assert_eq!(replacements("what is /mo"), (11, Vec::new()));
}

#[test]
fn files_are_completed_after_an_at_sign() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["notes.txt", "nothing here.md", ".netrc"] {
        std::fs::write(folder.path().join(name), "x").unwrap();
    }
    std::fs::create_dir(folder.path().join("new")).unwrap();
    let root = folder.path().display();
    let (begin, found) = replacements(&format!("read @{root}/n"));
    assert_eq!(begin, 5);
    let expected = [
        format!("@{root}/new/"),
        format!("@{root}/notes.txt"),
        format!("@\"{root}/nothing here.md\""),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        replacements(&format!("@{root}/.n")).1,
        [format!("@{root}/.netrc")]
    );
    assert!(replacements("@/no such folder/").1.is_empty());
}
