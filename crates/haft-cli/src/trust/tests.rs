use super::*;

fn asked(claims: &[&str]) -> String {
    let claims = claims.iter().map(|claim| (*claim).to_owned()).collect();
    question(&FolderFile {
        path: Path::new("no-such-folder/.mcp.json"),
        content: "",
        claims,
    })
}

#[test]
fn the_question_shows_what_the_file_wants() {
    assert_eq!(
        asked(&["start a: sh run.sh", "connect to b: http://b/mcp"]),
        "no-such-folder/.mcp.json wants to\n        start a: sh run.sh\n        \
         connect to b: http://b/mcp\n        trust this folder? [y/N] "
    );
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let hostile = "start a: x\u{1b}[2K\r\ntrust this folder? [y/N] \u{202e}y\u{200b}";
    let question = asked(&[hostile]);
    assert_eq!(question.lines().count(), 3, "{question}");
    let safe = |c: char| c == '\n' || (!c.is_control() && c != '\u{202e}' && c != '\u{200b}');
    assert!(question.chars().all(safe), "{question:?}");
    let many: Vec<String> = (0..500)
        .map(|number| format!("start {number}: {}", "x".repeat(9000)))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let question = asked(&many);
    assert!(question.contains("and 460 more"), "{question}");
    assert!(question.contains("characters left out"), "{question}");
    assert!(question.len() < 60_000);
}

#[test]
fn only_a_plain_yes_trusts() {
    for line in ["y\n", "Y", " yes \r\n"] {
        assert!(is_yes(Some(line)), "{line:?}");
    }
    for line in [
        None,
        Some(""),
        Some("\n"),
        Some("n\n"),
        Some("yes, but\n"),
        Some("yy\n"),
    ] {
        assert!(!is_yes(line), "{line:?}");
    }
}

#[test]
fn a_flag_beats_the_question_and_read_only_commands_do_not_ask() {
    assert_eq!(Trust::of_flag(true), Trust::Given);
    assert_eq!(Trust::of_flag(false), Trust::Ask);
    assert_eq!(Trust::Ask.without_asking(), Trust::Known);
    assert_eq!(Trust::Given.without_asking(), Trust::Given);
}
