//! Properties that hold for every text.

use haft_select::{IntentClassifier, OpenReason, ToolGroups};
use proptest::prelude::*;

/// Random text: anything, words of the home, and separators of clauses.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("turn".to_owned()),
        Just("on".to_owned()),
        Just("lights".to_owned()),
        Just("and".to_owned()),
        Just("what time is it".to_owned()),
        Just(", ".to_owned()),
        Just("don't".to_owned()),
        "[a-zA-Z0-9']{0,40}",
        "\\PC{0,20}",
        any::<String>(),
    ];
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn every_text_is_classified(text in text()) {
        let found = IntentClassifier::default().classify(&text);
        let sum: f32 = found.scores().iter().map(|(_, score)| score).sum();
        prop_assert!(found.scores().iter().all(|(_, score)| (0.0..=1.0).contains(&score)));
        if found.open() == Some(OpenReason::Blank) {
            prop_assert_eq!(sum, 0.0);
        } else {
            prop_assert!((sum - 1.0).abs() < 1e-4);
            prop_assert!(found.intents().contains(found.label()));
        }
        let tool_groups = ToolGroups::default();
        prop_assert_eq!(tool_groups.choose(&text, &found).err(), found.open());
    }

    #[test]
    fn case_and_surroundings_do_not_matter(text in "[a-z ]{0,80}") {
        let classifier = IntentClassifier::default();
        let plain = classifier.classify(&text);
        prop_assert_eq!(plain, classifier.classify(&text.to_uppercase()));
        prop_assert_eq!(plain, classifier.classify(&format!("  {text}\t\u{0}")));
    }

    #[test]
    fn a_command_in_front_is_never_missed(rest in "[a-z ]{0,60}") {
        let classifier = IntentClassifier::default();
        let found = classifier.classify(&format!("turn on the kitchen light and {rest}"));
        prop_assert!(found.intents().contains(haft_select::Intent::Device));
    }
}
