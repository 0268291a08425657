use haft_core::{AiMessage, HumanMessage, ToolCall, ToolMessage};
use serde_json::json;

use super::*;

const BILLING: &str =
    "x-anthropic-billing-header: cc_version=2.1.37.0d9; cc_entrypoint=cli; cch=fa690;";

fn sent(messages: &[Message]) -> Vec<Message> {
    StablePrefix::of(messages).into_messages().into_owned()
}

/// The system prompt and the user's message that come of a system prompt and "Hi".
fn with_system(system: &str) -> (String, String) {
    let sent = sent(&[Message::system(system), Message::human("Hi")]);
    match sent.as_slice() {
        [system, user] => (system.content().text(), user.content().text()),
        [user] => (String::new(), user.content().text()),
        _ => panic!("{sent:?}"),
    }
}

/// The line is moved.
fn moves(line: &str) {
    let (system, user) = with_system(&format!("Be brief.\n\n{line}\n\nUse tools."));
    assert!(!system.contains(line), "{system}");
    assert!(system.starts_with("Be brief.\n") && system.ends_with("\nUse tools."));
    assert_eq!(user, format!("Hi\n\nFrom the system prompt:\n{line}"));
}

/// The system prompt stays as it is.
fn stays(system: &str) {
    let messages = [Message::system(system), Message::human("Hi")];
    let sent = StablePrefix::of(&messages).into_messages();
    assert!(matches!(sent, Cow::Borrowed(_)), "{sent:?}");
    assert_eq!(sent[0].content().text(), system);
}

#[test]
fn the_billing_line_is_removed() {
    let rest = "You are a coding agent.\n\n  Indented.";
    for between in ["\n", "\n\n"] {
        let (system, user) = with_system(&format!("{BILLING}{between}{rest}"));
        assert_eq!(system, rest);
        assert_eq!(user, "Hi");
    }
    assert_eq!(with_system(BILLING), (String::new(), "Hi".to_owned()));
    let blocks = Content::from(vec![
        ContentBlock::Text {
            text: BILLING.to_owned(),
        },
        ContentBlock::Text {
            text: rest.to_owned(),
        },
    ]);
    let sent = sent(&[Message::system(blocks), Message::human("Hi")]);
    assert_eq!(sent[0].content().text(), rest);
}

#[test]
fn only_the_first_line_is_a_billing_line() {
    stays(&format!("Explain this header:\n{BILLING}"));
    stays(&format!("```\n{BILLING}\n```"));
    // Nothing would be left to send.
    let alone = [Message::system(BILLING)];
    assert_eq!(sent(&alone), alone);
}

#[test]
fn counters_are_moved() {
    for line in [
        "<total_tokens>14999436 tokens left</total_tokens>",
        "Token usage: 35000/200000; 165000 remaining",
        "<system_warning>Token usage: 35000/200000; 165000 remaining</system_warning>",
        "<system-reminder>\nToken usage: 35000/200000; 165000 remaining\n</system-reminder>",
    ] {
        moves(line);
    }
    stays("Token usage: keep it low.\nSay <total_tokens> if there are many.");
    stays("<total_tokens>many tokens left</total_tokens>");
    stays("<system-reminder>\nBe brief. Token usage: 3/4; 1 remaining\n</system-reminder>");
}

#[test]
fn a_time_of_day_is_moved() {
    for line in [
        "Current date and time: Monday, March 9, 2026 at 06:00:31 PM PDT",
        "The current date and time is Monday, March 9, 2026 6:00 PM.",
        "Current time is 14:05:11. Today's date is 2026-11-25.",
        "- **Current time**: 2026-11-25T14:05:11.123Z",
        "Current local time: 14:05 (Europe/Berlin, UTC+1)",
        "## Current Time\n2026-02-06 15:04 (Friday)",
    ] {
        moves(line);
    }
}

#[test]
fn a_system_prompt_without_volatile_lines_stays() {
    for system in [
        "",
        "Be brief.\r\n\r\n  Use tools.  \n\n",
        "Today's date: 2026-11-25\nWorking directory: /home/a\nCurrent branch: main",
        "The current date is 2026-11-25.",
        "Current time: see the clock tool",
        "Current time: 14:05 is when the shop closes, so refuse orders.",
        "Ask the clock for the current time: 14:05 is an example.",
        "current_time = \"14:05\"",
        "```\nCurrent time: 14:05\n```",
        "| Current time: 14:05 | closed |",
        "## Current Time\nAsk the clock at 14:05.",
    ] {
        stays(system);
    }
}

#[test]
fn what_others_said_stays() {
    let quoted = format!("{BILLING}\nCurrent time: 14:05\nToken usage: 1/2; 1 remaining");
    let call = ToolCall::new("read", json!({}), "c");
    let messages = [
        Message::system("Be brief."),
        Message::human(quoted.as_str()),
        AiMessage::new(quoted.as_str())
            .with_tool_calls([call])
            .into(),
        ToolMessage::success(quoted.as_str(), "c").into(),
    ];
    let sent = StablePrefix::of(&messages).into_messages();
    assert!(matches!(sent, Cow::Borrowed(_)), "{sent:?}");
}

#[test]
fn lines_go_to_the_end_of_what_was_heard_last() {
    let call = ToolCall::new("read", json!({}), "c");
    let mut messages = vec![
        Message::system("Current time: 14:05\nBe brief."),
        Message::human("Read it"),
        AiMessage::new("").with_tool_calls([call]).into(),
        ToolMessage::success("text", "c").into(),
    ];
    let noted = "text\n\nFrom the system prompt:\nCurrent time: 14:05";
    let first = sent(&messages);
    assert_eq!(first[1], messages[1]);
    assert_eq!(first[3].content().text(), noted);
    // An answer that the model continues stays the last message.
    messages.push(Message::ai("It says"));
    let second = sent(&messages);
    assert_eq!(second[3], first[3]);
    assert_eq!(second[4], messages[4]);
    // Without such a message they stay in the system prompt.
    let alone = sent(&[Message::system("Current time: 14:05\nBe brief.")]);
    assert_eq!(
        alone,
        [
            Message::system("Be brief."),
            Message::system("Current time: 14:05")
        ]
    );
}

#[test]
fn pictures_stay_and_lines_become_a_block() {
    let picture = ContentBlock::Image(haft_core::ImageBlock {
        mime_type: "image/png".to_owned(),
        base64: "AA==".to_owned(),
    });
    let content = Content::Blocks(vec![picture.clone()]);
    let human: Message = HumanMessage { content }.into();
    let sent = sent(&[Message::system("Current time: 14:05"), human]);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].content().blocks().len(), 2);
    assert_eq!(sent[0].content().blocks()[0], picture);
}

#[test]
fn a_later_counter_becomes_a_part_of_the_message_before_it() {
    let counter =
        |left: u32| Message::system(format!("<total_tokens>{left} tokens left</total_tokens>"));
    let mut messages = vec![
        Message::system("Be brief."),
        Message::human("Read it"),
        counter(100),
    ];
    let first = sent(&messages);
    assert_eq!(first.len(), 2);
    messages.extend([Message::ai("Done"), Message::human("Again"), counter(90)]);
    let second = sent(&messages);
    assert_eq!(second.len(), 4);
    assert_eq!(second[..2], first, "the same in the next request");
    assert!(
        second[3]
            .content()
            .text()
            .ends_with("90 tokens left</total_tokens>")
    );
    // Instructions keep their place and their author, and so does a billing line, which is none
    // there.
    for text in ["Answer in French. Current time: 14:05", BILLING] {
        let mixed = [Message::human("Hi"), Message::system(text)];
        assert_eq!(sent(&mixed), mixed);
    }
}

#[test]
fn equal_conversations_have_equal_beginnings() {
    let turn = |number: u32| {
        let time = format!("{BILLING}{number}\nCurrent time: 14:{number:02}\nBe brief.");
        [Message::system(time), Message::human("Hi")]
    };
    let (first, second) = (turn(1), turn(2));
    assert_eq!(
        StablePrefix::of(&first).stable(),
        StablePrefix::of(&second).stable()
    );
    assert_eq!(stable_text(&first[0].content().text()), "Be brief.");
}
