use super::super::wire::{ChatMessage, Options};
use super::*;

fn prompt(contents: &[String], num_ctx: Option<u32>) -> Prompt {
    let message = |content: &String| ChatMessage {
        role: "user".to_owned(),
        content: content.clone(),
        ..ChatMessage::default()
    };
    Prompt::of(&ChatRequest {
        messages: contents.iter().map(message).collect(),
        options: Options {
            num_ctx,
            ..Options::default()
        },
        ..ChatRequest::default()
    })
}

fn english(characters: usize) -> String {
    "The kitchen light is on. ".repeat(characters / 25)
}

#[test]
fn an_honest_count_is_never_an_alarm() {
    for context in [None, Some(8192)] {
        // Four characters per token, as in English, and as few as there may be.
        for tokens in [25_000 / 4, 25_000 / 8] {
            prompt(&[english(25_000)], context)
                .check(Some(tokens))
                .unwrap();
        }
    }
    // A prompt that happens to have as many tokens as a context.
    prompt(&[english(16_400)], None).check(Some(4096)).unwrap();
}

#[test]
fn an_impossible_token_count_is_an_error() {
    let sent = prompt(&[english(12_000), english(12_000)], None);
    sent.check(Some(3000)).unwrap();
    let error = sent.check(Some(2999)).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    assert!(error.to_string().contains("2999 tokens"), "{error}");
    assert!(error.hint().unwrap().contains("num_ctx"));
}

#[test]
fn a_count_that_fills_the_context_is_a_cut() {
    for (context, counted, is_cut) in [
        (None, 4096, true),
        (None, 4095, true),
        (None, 4000, false),
        (Some(4000), 4000, true),
        (Some(8192), 4096, false),
    ] {
        let checked = prompt(&[english(30_000)], context).check(Some(counted));
        assert_eq!(checked.is_err(), is_cut, "{context:?} {counted}");
    }
}

#[test]
fn what_tokenizers_swallow_whole_does_not_count() {
    let blanks = " \n\t".repeat(10_000);
    let rules = format!("{}\n", "=".repeat(500)).repeat(100);
    prompt(&[blanks, rules], None).check(Some(1)).unwrap();
}

#[test]
fn short_prompts_and_missing_counts_are_accepted() {
    prompt(&["ab".repeat(999)], None).check(Some(1)).unwrap();
    let long = prompt(&[english(25_000)], None);
    long.check(None).unwrap();
    long.check(Some(0)).unwrap();
}
