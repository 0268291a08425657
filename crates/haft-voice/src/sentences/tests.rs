use super::Sentences;

fn sentences(pieces: &[&str]) -> Vec<String> {
    let mut parser = Sentences::default();
    let mut found = Vec::new();
    for piece in pieces {
        found.extend(parser.push(piece));
    }
    found.extend(parser.finish());
    found
}

const TEXTS: [(&str, &[&str]); 13] = [
    (
        "It is 5.30 in Oslo. Good night!",
        &["It is 5.30 in Oslo.", "Good night!"],
    ),
    (
        "Dr. No came at 5 p.m. to St. Ives. Well?",
        &["Dr. No came at 5 p.m. to St. Ives.", "Well?"],
    ),
    ("<think>Hm. Let me see.</think>It is on.", &["It is on."]),
    ("One.<think>never\n```ends", &["One."]),
    (
        "Here:\n```rust\nlet a = 1. Or not. \n```\nDone.",
        &["Here:", "Done."],
    ),
    ("~~~\ncode", &[]),
    (
        "# Head\n\n1. The lamp\n2. The fan\n",
        &["Head", "The lamp", "The fan"],
    ),
    ("Wait... what? Yes", &["Wait... what?", "Yes"]),
    ("a < b. And <b>c</b>. <thi", &["a < b.", "And c.", "<thi"]),
    (
        "See example.org. It helps.",
        &["See example.org.", "It helps."],
    ),
    ("你好。再见！ok", &["你好。", "再见！", "ok"]),
    (
        "The lamp is approx. twice as bright.",
        &["The lamp is approx. twice as bright."],
    ),
    ("  \n\n `x` is it.\n", &["x is it."]),
];

#[test]
fn sentences_come_out_once_and_in_order() {
    for (text, expected) in TEXTS {
        assert_eq!(sentences(&[text]), expected, "{text}");
    }
}

#[test]
fn every_split_gives_the_same_sentences() {
    for (text, expected) in TEXTS {
        for (at, _) in text.char_indices() {
            let (left, right) = text.split_at(at);
            assert_eq!(sentences(&[left, right]), expected, "{left:?} | {right:?}");
        }
        let single: Vec<String> = text.chars().map(String::from).collect();
        let single: Vec<&str> = single.iter().map(String::as_str).collect();
        assert_eq!(sentences(&single), expected, "{text:?} one by one");
    }
}

#[test]
fn a_sentence_is_returned_before_the_next_begins() {
    let mut parser = Sentences::default();
    assert!(parser.push("The light is on").is_empty());
    assert!(!parser.may_be_complete());
    assert!(parser.push(".").is_empty());
    assert!(parser.may_be_complete());
    assert_eq!(parser.pause().as_deref(), Some("The light is on."));
    assert_eq!(parser.pause(), None);
    assert_eq!(parser.push(" And the fan? "), ["And the fan?"]);
    assert!(parser.finish().is_empty());
}

#[test]
fn a_pause_within_a_number_or_an_abbreviation_ends_no_sentence() {
    for text in ["It is 5.", "Ask Dr.", "<think>So.", "``` a.", "Not yet"] {
        let mut parser = Sentences::default();
        parser.push(text);
        assert!(!parser.may_be_complete(), "{text}");
    }
}

#[test]
fn an_endless_sentence_is_cut() {
    let endless = "word ".repeat(1_000);
    let found = sentences(&[&endless]);
    assert!(found.len() > 5, "{}", found.len());
    assert_eq!(found.join(" "), endless.trim());
    let solid = "x".repeat(5_000);
    assert_eq!(sentences(&[&solid]).concat(), solid);
}
