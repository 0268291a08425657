use super::*;

/// What comes out of `parts`; `None` stands for something that is taken out.
fn joined(parts: &[Option<&str>]) -> String {
    let mut seam = Seam::default();
    let mut out = String::new();
    for part in parts {
        match part {
            Some(text) => seam.add(text, &mut |text| out.push_str(text)),
            None => seam.note_removal(),
        }
    }
    seam.finish(&mut |text| out.push_str(text));
    out
}

#[test]
fn text_from_which_nothing_is_taken_is_unchanged() {
    assert_eq!(
        joined(&[Some("\n a "), Some(" "), Some("b\n\n")]),
        "\n a  b\n\n"
    );
}

#[test]
fn white_space_around_what_is_taken_out_goes_with_it() {
    assert_eq!(joined(&[Some("\n"), None, Some("\n")]), "");
    assert_eq!(joined(&[Some("a\n\n"), None]), "a");
    assert_eq!(joined(&[None, Some("\n\na")]), "a");
    assert_eq!(joined(&[Some("a\n"), None, Some("  b")]), "a\nb");
    assert_eq!(
        joined(&[Some("a"), None, Some("\n"), Some("\nb")]),
        "a\n\nb"
    );
    assert_eq!(
        joined(&[Some("a"), None, Some(" "), None, Some("b")]),
        "a b"
    );
}

#[test]
fn long_white_space_is_not_lost() {
    let long = " ".repeat(1000);
    let text = format!("a{long}b");
    assert_eq!(joined(&[Some(&text)]), text);
    let single: Vec<String> = text.chars().map(String::from).collect();
    let parts: Vec<Option<&str>> = single.iter().map(|part| Some(part.as_str())).collect();
    assert_eq!(joined(&parts), text);
}
