use super::*;

fn words(text: &str) -> String {
    Words::of(text).iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn words_are_lower_case_without_signs() {
    assert_eq!(
        words("  Turn ON the Kitchen-Light!! "),
        "turn on the kitchen light"
    );
    assert_eq!(words("Straße ÉTÉ 日本"), "straße été 日本");
    assert_eq!(words("...?! \u{0}\u{1b}[31m"), "0m");
    assert_eq!(words(""), "");
}

#[test]
fn digits_are_one_zero() {
    assert_eq!(words("at 7:30 pm, 100 times"), "at 0 0 pm 0 times");
    assert_eq!(words("7pm 4k mp3"), "0pm 0k mp0");
    assert_eq!(words("20% 21°"), "0 percent 0 degrees");
}

#[test]
fn contractions_are_written_out() {
    assert_eq!(words("What's the time"), "what is the time");
    assert_eq!(
        words("whats up, I'm here, don't"),
        "what is up i am here do not"
    );
    assert_eq!(words("today\u{2019}s"), "todays");
}

#[test]
fn a_long_text_is_cut() {
    assert!(!Words::of("turn on the light").is_cut());
    let words = Words::of(&"light ".repeat(1000));
    assert!(words.is_cut() && words.len() == WORDS);
    let word = Words::of(&"a".repeat(5000));
    assert!(word.is_cut() && word.len() <= 1);
    assert!(Words::of(&"\u{7}".repeat(1_000_000)).is_cut());
}
