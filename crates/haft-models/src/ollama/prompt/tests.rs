use super::*;

fn message(content: impl Into<String>) -> ChatMessage {
    ChatMessage {
        role: "user".to_owned(),
        content: content.into(),
        ..ChatMessage::default()
    }
}

#[test]
fn an_honest_count_is_never_an_alarm() {
    // Four characters per token, as in English.
    let text = "The kitchen light is on. ".repeat(1000);
    let fewest = fewest_tokens(&[message(&text)]);
    assert!(fewest > 0);
    check(fewest, Some(text.len() as u64 / 4)).unwrap();
    check(fewest, Some(fewest)).unwrap();
}

#[test]
fn a_count_that_no_text_can_have_is_an_error() {
    let text = "The kitchen light is on. ".repeat(480);
    let fewest = fewest_tokens(&[message(&text), message(&text)]);
    assert_eq!(fewest, 2000);
    let error = check(fewest, Some(1999)).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::ContextOverflow);
    assert!(error.to_string().contains("1999 tokens"), "{error}");
    assert!(error.hint().unwrap().contains("num_ctx"));
}

#[test]
fn what_tokenizers_swallow_whole_does_not_count() {
    let blanks = " \n\t".repeat(10_000);
    let rules = format!("{}\n", "=".repeat(500)).repeat(100);
    assert_eq!(fewest_tokens(&[message(blanks), message(rules)]), 0);
}

#[test]
fn short_prompts_and_servers_that_do_not_count_are_no_alarm() {
    assert_eq!(fewest_tokens(&[message("ab".repeat(999))]), 0);
    check(2000, None).unwrap();
    check(2000, Some(0)).unwrap();
}
