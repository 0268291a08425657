use super::*;

#[test]
fn words_know_their_place_and_what_follows() {
    let source = "What's  the kid's lamp, at 21.5°? \"Say hi\" in St. Louis.";
    let words = words(source);
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    assert_eq!(
        lower,
        [
            "what", "is", "the", "kid's", "lamp", "at", "21.5°", "say", "hi", "in", "st", "louis"
        ]
    );
    assert_eq!(words[4].stop, Stop::Comma);
    assert_eq!(words[6].stop, Stop::Question);
    assert_eq!(words[10].stop, Stop::None);
    assert!(words[7].quoted && words[8].quoted && !words[9].quoted);
    let phrase = Phrase::new(source, &words);
    assert_eq!(phrase.from(3).to(2).text(), "kid's lamp");
}

#[test]
fn contractions_need_no_apostrophe() {
    let lower = |source| {
        let words = words(source).into_iter();
        words.map(|word| word.lower).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(lower("isnt"), "is not");
    assert_eq!(lower("don't, dont"), "do not do not");
    assert_eq!(lower("what’s its name"), "what is its name");
    assert_eq!(lower("the kid's id"), "the kid's id");
    assert_eq!(lower("todays date"), "today's date");
}

#[test]
fn patterns_have_choices_and_optional_words() {
    let words = words("what is the current time in Oslo");
    let phrase = Phrase::new("what is the current time in Oslo", &words);
    assert!(phrase.starts("what|which is the? current|local? time"));
    assert_eq!(
        phrase.strip("what is the current? time in").unwrap().text(),
        "Oslo"
    );
    assert!(!phrase.is("what is the time"));
    assert_eq!(phrase.strip_end("time? in oslo").unwrap().last(), "current");
    assert!(phrase.from(6).is_capitalised());
}
