use haft::{ToolCall, ToolMessage};

use super::*;

fn conversation() -> Vec<Message> {
    let question = vec![
        ContentBlock::Text {
            text: "What is in it?".to_owned(),
        },
        ContentBlock::Attachment {
            title: "notes.txt".to_owned(),
            text: "```\nBuy milk\n```".to_owned(),
        },
    ];
    let thought = ContentBlock::Thinking {
        thinking: "I look.".to_owned(),
        signature: None,
    };
    let reply = AiMessage {
        tool_calls: vec![ToolCall::new("look", json!({"at": "milk"}), "a")],
        ..AiMessage::new(vec![thought])
    };
    vec![
        Message::user(question),
        reply.into(),
        ToolMessage::success("long ".repeat(100), "a")
            .with_name("look")
            .into(),
        Message::ai("Milk."),
    ]
}

#[test]
fn a_conversation_is_shown_short_and_in_full() {
    let messages = conversation();
    let transcript = Transcript {
        title: "What is in it?",
        model: "builtin",
        messages: &messages,
    };
    let short = transcript.text(Detail::Short);
    assert!(short.starts_with("> What is in it? [notes.txt]\n  look {\"at\":\"milk\"}\n  -> long"));
    assert!(
        short.ends_with("…\nMilk.") && !short.contains("I look."),
        "{short}"
    );
    let full = transcript.text(Detail::Full);
    assert!(full.contains("(thought) I look.") && full.len() > short.len());
}

#[test]
fn markdown_has_everything_and_no_text_ends_its_fence() {
    let messages = conversation();
    let transcript = Transcript {
        title: "What is in it?",
        model: "builtin",
        messages: &messages,
    };
    let text = transcript.markdown();
    assert!(text.starts_with("# What is in it?\n\nModel: builtin\n\n## User\n\nWhat is in it?"));
    assert!(
        text.contains("notes.txt:\n\n````\n```\nBuy milk\n```\n````"),
        "{text}"
    );
    assert!(text.contains("Result of look:\n\n```\nlong long"));
    let read = messages_of(&transcript.json().to_string(), "talk.json").unwrap();
    assert_eq!(read, messages);
}

#[test]
fn a_file_is_never_replaced_and_a_wrong_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("talk.md");
    write_new(&path, "one").unwrap();
    let failure = write_new(&path, "two").unwrap_err();
    assert!(failure.message.contains("talk.md cannot be written"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
    assert!(
        messages_of("{}", "a.json")
            .unwrap_err()
            .message
            .contains("a.json is no conversation")
    );
}
