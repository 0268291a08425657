use haft::types::{ToolAnnotations, ToolCall};
use haft_testing::SpyTool;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;

fn shown(arguments: Value, annotations: ToolAnnotations) -> String {
    let tool = Arc::new(SpyTool::new("control", |_| Ok("ok".into())));
    let call = ToolCall::new("control", arguments, "id");
    question(&ApprovalRequest::new(call, tool, annotations))
}

#[test]
fn the_question_shows_what_will_run() {
    let destructive = ToolAnnotations {
        destructive: true,
        ..ToolAnnotations::default()
    };
    let arguments = json!({"deviceName": "front door", "action": "off"});
    assert_snapshot!(shown(arguments, destructive), @r#"
    approve A tool for tests: front door
            control {"deviceName":"front door","action":"off"}
            a tool of haft; may have serious effects
            run it? [y/N, or say why not]
    "#);
}

#[test]
fn arguments_cannot_fool_the_terminal() {
    let hostile = "a\u{1b}[2K\u{1b}]0;title\u{7}\r\n\u{202e}txt.exe\u{200b}\u{9b}31m";
    let question = shown(json!({ "path": hostile }), ToolAnnotations::default());
    let safe = |c: char| c == '\n' || (!c.is_control() && c != '\u{202e}' && c != '\u{200b}');
    assert!(question.chars().all(safe), "{question:?}");
    assert_eq!(question.lines().count(), 4, "{question}");
    assert!(question.contains("\\u{202e}txt.exe\\u{200b}"), "{question}");
    let long = shown(
        json!({"text": "x".repeat(9000)}),
        ToolAnnotations::default(),
    );
    assert!(long.contains("characters left out"), "{long}");
}

#[test]
fn the_question_names_the_effect_without_control_characters() {
    let tool = Arc::new(SpyTool::new("control", |_| Ok("ok".into())));
    let call = ToolCall::new("control", json!({"deviceName": "front"}), "id");
    let request = ApprovalRequest::new(call, tool, ToolAnnotations::default());
    let effect = Some("unlock Front\u{1b}[2J\n\u{202e}Door".to_owned());
    let question = question(&request.with_effect(effect));
    assert!(
        question
            .starts_with("approve unlock Front\\u{1b}[2J\\u{a}\\u{202e}Door\n        control {"),
        "{question}"
    );
}

#[test]
fn only_a_plain_yes_allows() {
    for line in ["y\n", "Y", " yes \r\n", "YES\n"] {
        assert_eq!(decision("f", line), Approval::Allowed, "{line:?}");
    }
    for line in ["\n", "", "n\n", "No\n"] {
        let denied = Approval::Denied("The user did not allow f.".to_owned());
        assert_eq!(decision("f", line), denied, "{line:?}");
    }
    let reason = "The user did not allow f, and says: yes, but the other one";
    assert_eq!(
        decision("f", "yes, but the other\u{1b}[2J one\n"),
        Approval::Denied(reason.to_owned())
    );
}
