use super::*;
use crate::tokens::words;

fn check(text: &str) -> bool {
    let words = words(text);
    is_remark(Phrase::new(text, &words))
}

#[test]
fn known_remarks_are_known_to_their_last_word() {
    for text in [
        "it is dark",
        "it's far too bright",
        "it is getting a bit cold in here",
        "I'm cold",
        "we are going to bed",
        "I am about to go to bed",
        "we want to watch a film",
        "the coffee is ready",
        "because it is too dark",
    ] {
        assert!(check(text), "{text}");
    }
    for text in [
        "it is not dark",
        "is it dark",
        "it is dark he said",
        "if it is dark",
        "I am the boss",
        "we want to watch a film about fire",
        "the coffee is ready when it beeps",
        "",
    ] {
        assert!(!check(text), "{text}");
    }
}
