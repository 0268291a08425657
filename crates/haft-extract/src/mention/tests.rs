use super::lead_in::is_offer;
use super::sentence::{Plain, each};
use super::words::{NOT_NOW, SHOWN};
use super::*;

fn lead(text: &str) -> Option<Mention> {
    before(&Plain::of(text))
}

#[test]
fn what_is_done_now_overrules_a_prohibition_before_it_only() {
    assert_eq!(lead("I must not guess, so I'll call the tool:"), None);
    assert_eq!(lead("I will not run this:"), Some(Mention::Prohibited));
    assert_eq!(lead("Don't worry, I'm calling it:"), None);
    assert_eq!(lead("Never do this:"), Some(Mention::Prohibited));
}

#[test]
fn a_text_that_says_nothing_of_what_is_done_makes_no_call() {
    assert_eq!(lead("Interesting words:"), Some(Mention::Sentence));
    assert_eq!(lead("Here you go:"), None);
}

#[test]
fn plain_lead_ins_are_short_and_announce() {
    for text in [
        "Sure!",
        "I'll check the weather.",
        "Klar, ich sehe nach:",
        "Je regarde.",
        "好的，我来查一下。",
    ] {
        assert!(is_plain_lead_in(text), "{text}");
    }
    for text in [
        "Your options:",
        "Shall I?",
        "If you agree, I will:",
        "The page says:",
    ] {
        assert!(!is_plain_lead_in(text), "{text}");
    }
    assert!(!is_plain_lead_in(&format!("Sure! {}", "Well. ".repeat(60))));
}

#[test]
fn questions_are_known_by_their_mark_at_the_end() {
    assert!(Plain::of("Shall I run this? ").first_asks());
    assert!(Plain::of("実行しますか？").first_asks());
    assert!(Plain::of("هل أنفذ هذا؟").first_asks());
    assert!(!Plain::of("It says \"how are you?\".").first_asks());
    assert!(!Plain::of("Done. Anything?").first_asks());
}

#[test]
fn cues_match_whole_words() {
    let cues = search::Cues::new("if, plan*, 不要,");
    assert!(cues.are_in("only if it rains"));
    assert!(!cues.are_in("a gift"));
    assert!(cues.are_in("planned"));
    assert!(cues.are_in("请不要运行"));
    assert_eq!(cues.last_range_in("if a, if b"), Some(6..8));
    let cues = search::Cues::new("cit*, o 1*, y, e.g,");
    for text in ["I cite it", "todo O 15", "esto y eso", "one, e.g. this"] {
        assert!(cues.are_in(text), "{text}");
    }
    for text in ["excite", "o 25", "yes", "e.gg"] {
        assert!(!cues.are_in(text), "{text}");
    }
}

#[test]
fn a_denied_verb_does_nothing() {
    for text in [
        "No voy a llamarlo:",
        "Non lo eseguo:",
        "Não vou chamar:",
        "Я не вызываю это:",
        "Nie zamykam tego:",
        "Bunu çalıştırmıyorum:",
    ] {
        assert_eq!(intent(Plain::of(text).last()), None, "{text}");
    }
}

#[test]
fn verbs_are_known_by_their_ending() {
    for text in [
        "Zasłaniam żaluzje:",
        "Işığı açıyorum.",
        "玄関の鍵をかけます。",
        "불을 켤게요.",
        "Bajando la persiana...",
        "Usaré la herramienta:",
    ] {
        assert_eq!(lead(text), None, "{text}");
    }
    for text in ["Zamknąłem je:", "これはできます。", "Considerando esto:"] {
        assert_ne!(lead(text), None, "{text}");
    }
}

#[test]
fn what_is_only_told_or_seen_is_not_done() {
    for text in [
        "Let me explain the command:",
        "I see this call in your program:",
        "I'm rewriting the call in YAML:",
        "Je vois un appel dans votre programme :",
        "Te muestro una llamada:",
    ] {
        assert!(only_tells(&Plain::of(text), "get_weather"), "{text}");
    }
    for text in ["I'll show you the weather:", "Let me look at your code:"] {
        assert!(!only_tells(&Plain::of(text), "get_weather"), "{text}");
    }
    assert!(!only_tells(
        &Plain::of("I'll describe the picture:"),
        "describe_picture"
    ));
}

#[test]
fn what_waits_is_not_done_now() {
    assert_eq!(
        lead("I need your approval for this:"),
        Some(Mention::Question)
    );
    assert_eq!(
        lead("Je le ferai après votre accord :"),
        Some(Mention::Question)
    );
    assert_eq!(
        lead("When it gets dark I'll do it:"),
        Some(Mention::Conditional)
    );
    assert_eq!(lead("Before I answer, I'll look it up:"), None);
}

#[test]
fn an_offer_of_more_is_no_question_about_the_call() {
    assert!(is_offer("anything else?", false));
    assert!(is_offer("shall i lock the door too?", true));
    assert!(!is_offer("shall i lock the door too?", false));
    assert!(!is_offer("shall i?", true));
    assert!(!is_offer("i also need your approval.", true));
}

#[test]
fn every_cue_before_a_marked_call_is_looked_at_however_it_is_written() {
    let is_passed = |text: &str| search::said_in(text.trim_end()) == search::Said::default();
    let (shown, not_now) = (search::Cues::new(SHOWN), search::Cues::new(NOT_NOW));
    for cue in each(SHOWN).chain(each(NOT_NOW)) {
        let cue = cue.trim_end_matches('*');
        let middle = cue.floor_char_boundary(cue.len() / 2);
        let (head, tail) = cue.split_at(middle);
        let marked = [
            format!("**{cue}**"),
            format!("`{cue}`s"),
            format!("It\u{2019}s _{cue}_:"),
        ];
        let split = ["*", "**", "_", "`", "#", "\u{200B}", "\u{FEFF}"];
        let split = split.map(|sign| format!("{head}{sign}{tail}"));
        let cases = [
            cue.to_owned(),
            cue.to_uppercase(),
            cue.replace(' ', "\u{A0}"),
        ];
        for text in marked.into_iter().chain(split).chain(cases) {
            let plain = Plain::of(&text);
            let stands = shown.are_in(&plain.text) || not_now.are_in(plain.last());
            assert!(!stands || !is_passed(&text), "{text}");
        }
    }
    assert!(is_passed(
        "Sure, let me check the weather in Oslo for you.\n"
    ));
}
