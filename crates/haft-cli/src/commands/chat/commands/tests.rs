use super::*;

fn parsed(line: &str) -> Command {
    parse(line).unwrap().unwrap()
}

fn refused(line: &str) -> String {
    let failure = parse(line).unwrap().unwrap_err();
    format!("{}; {}", failure.message, failure.hint.unwrap_or_default())
}

#[test]
fn every_command_of_the_help_is_known() {
    for name in names().filter(|name| *name != "/save") {
        assert!(parse(name).unwrap().is_ok(), "{name}");
    }
    assert_eq!(parsed("/quit"), Command::Exit);
    assert_eq!(parsed("/"), Command::Help);
}

#[test]
fn arguments_are_read() {
    assert_eq!(parsed("/expand 3"), Command::Expand(Some(3)));
    assert_eq!(
        parsed("/approve always"),
        Command::Approve(Some(ApprovalMode::Always))
    );
    assert_eq!(
        parsed("/save my talk.md "),
        Command::Save(Some("my talk.md".to_owned()))
    );
    assert!(refused("/approve sometimes").contains("never, destructive"));
    assert!(refused("/expand 0").contains("not the number of a call"));
    assert!(refused("/tools all").contains("/tools takes nothing"));
}

#[test]
fn a_typing_mistake_gets_a_tip() {
    assert!(refused("/hlep").contains("did you mean /help?"));
    assert!(refused("/modle builtin").contains("did you mean /model?"));
    assert!(refused("/frobnicate").contains("/help shows the commands"));
}

#[test]
fn paths_and_sentences_are_questions() {
    for line in [
        "",
        "hello",
        " /help",
        "/etc/hosts is what?",
        "/2",
        "1/2",
        "//",
    ] {
        assert!(parse(line).is_none(), "{line}");
    }
}
