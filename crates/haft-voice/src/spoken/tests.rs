use super::{Spoken, UNSPEAKABLE};

fn said(question: &str, answer: &str) -> String {
    let mut spoken = Spoken::new(question, 300);
    spoken.begin();
    spoken.push(answer);
    spoken.conclude(answer);
    spoken.text()
}

#[test]
fn an_answer_ends_with_the_last_sentence_that_fits() {
    let long = "This is a sentence of forty characters!! ".repeat(20);
    let text = said("Who was Bach?", &long);
    assert_eq!(text.chars().count(), 286);
    assert!(text.ends_with("!!"));
    assert!(said("Tell me more about Bach", &long).chars().count() > 700);
}

#[test]
fn a_long_sentence_is_cut_at_a_comma_or_a_word() {
    let words = format!(
        "{}, {}",
        "word ".repeat(50).trim(),
        "more ".repeat(90).trim()
    );
    let text = said("Hm?", &words);
    assert!(text.ends_with("word."), "{text}");
    let text = said("Hm?", &"über ".repeat(200));
    assert!(
        text.ends_with("über.") && text.chars().count() <= 300,
        "{text}"
    );
    assert_eq!(said("Hm?", &"x".repeat(900)).chars().count(), 300);
}

#[test]
fn an_answer_that_cannot_be_read_aloud_is_announced() {
    assert_eq!(said("Write a loop", "```\nfor;;\n```"), UNSPEAKABLE);
}

#[test]
fn an_answer_is_spoken_once_streamed_or_not() {
    let mut spoken = Spoken::new("Hm?", 300);
    spoken.begin();
    assert_eq!(spoken.conclude("It is on. Good."), ["It is on.", "Good."]);
    let mut spoken = Spoken::new("Hm?", 300);
    spoken.begin();
    assert_eq!(spoken.push("It is on. Go"), ["It is on."]);
    assert_eq!(spoken.push("od."), [""; 0]);
    assert_eq!(spoken.conclude("It is on. Good."), ["Good."]);
}

#[test]
fn a_reply_that_repeats_the_previous_one_is_spoken_once() {
    let mut spoken = Spoken::new("Hm?", 300);
    spoken.begin();
    assert_eq!(spoken.push("I did nothing. Ask me"), ["I did nothing."]);
    spoken.begin();
    assert_eq!(spoken.push("I did nothing. Ask me again."), [""; 0]);
    assert_eq!(
        spoken.conclude("I did nothing. Ask me again."),
        ["Ask me again."]
    );
    assert_eq!(spoken.text(), "I did nothing. Ask me again.");
    spoken.begin();
    assert_eq!(spoken.conclude("It is on."), ["It is on."]);
}
