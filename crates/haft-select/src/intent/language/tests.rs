use super::*;

fn foreign(text: &str) -> bool {
    is_foreign(&Words::of(text), Weights::embedded())
}

#[test]
fn other_languages_are_detected() {
    for text in [
        "Schalte das Licht in der Küche ein",
        "Licht an",
        "mach bitte das Fenster zu",
        "Wie spät ist es?",
        "allume la lumière du salon",
        "quelle heure est-il",
        "enciende la luz de la cocina",
        "¿qué hora es?",
        "accendi la luce in cucina",
        "che ore sono",
        "desligue a luz da sala",
        "doe het licht aan in de keuken",
        "tænd lyset i køkkenet",
        "slå på lampan i köket",
        "włącz światło w kuchni",
        "включи свет на кухне",
        "打开厨房的灯",
        "キッチンの電気をつけて",
        "بياناتي من فضلك",
        "mutfak ışığını aç",
    ] {
        assert!(foreign(text), "{text}");
    }
}

#[test]
fn english_with_names_in_it_is_english() {
    for text in [
        "turn on the kitchen light",
        "turn on the Küche light",
        "what time is it in São Paulo",
        "who wrote Moby Dick",
        "play la vie en rose by edith piaf",
        "lights off",
        "42",
        "what is the boiling point of ytterbium",
    ] {
        assert!(!foreign(text), "{text}");
    }
}
