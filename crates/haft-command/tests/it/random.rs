//! Whatever is said, the engine neither dies nor calls what is not bound.

use haft_core::{CallOptions, Message, ToolMessage};
use proptest::prelude::*;

use super::support::{home, zwave};

const WORDS: &[&str] = &[
    "turn",
    "on",
    "off",
    "the",
    "kitchen",
    "light",
    "lights",
    "and",
    "then",
    "dim",
    "to",
    "40%",
    "forty",
    "percent",
    "what",
    "time",
    "is",
    "it",
    "in",
    "Tokyo",
    "date",
    "all",
    "everything",
    "except",
    "not",
    "do",
    "don't",
    "which",
    "are",
    "how",
    "many",
    "days",
    "until",
    "Christmas",
    ",",
    ".",
    "?",
    "\"",
    "set",
    "lock",
    "door",
    "at",
    "if",
    "tomorrow",
    "temperature",
    "25",
    "December",
    "2026",
    "next",
    "Friday",
    "a",
    "-",
    "’",
    "é",
    "。",
    "%",
    "+",
    "/",
];

fn check(text: &str, result: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut names: Vec<String> = zwave().iter().map(|tool| tool.name().to_owned()).collect();
        names.push("get_current_datetime".to_owned());
        let mut messages = vec![Message::human(text)];
        for round in 0..5 {
            let reply = home()
                .invoke(&messages, &CallOptions::default())
                .await
                .unwrap();
            if reply.tool_calls.is_empty() {
                assert!(!reply.content.is_blank(), "{text:?}");
                return;
            }
            assert!(round < 3, "{text:?} goes on and on");
            let calls = reply.tool_calls.clone();
            messages.push(reply.into());
            for call in calls {
                assert!(names.contains(&call.name), "{call:?}");
                messages.push(ToolMessage::success(result, call.id).into());
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_words_are_harmless(words in prop::collection::vec(prop::sample::select(WORDS), 0..25), result in ".{0,80}") {
        check(&words.join(" "), &result);
    }

    #[test]
    fn any_text_is_harmless(text in "\\PC{0,120}", result in "\\PC{0,80}") {
        check(&text, &result);
    }
}
