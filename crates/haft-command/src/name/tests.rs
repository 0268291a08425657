use super::*;

#[test]
fn names_hold_no_sentences() {
    for name in [
        "kitchen light",
        "salt and pepper lamp",
        "kid's lamp",
        "kids' lamp",
        "play corner lights",
        "night light",
        "bedroom 1 light",
        "reading light",
        "front door lock",
        "charm",
    ] {
        assert!(is_clear(name), "{name}");
    }
    for name in [
        "",
        "light if dark",
        "light my boss said",
        "light in the event of fire",
        "light, hallway",
        "light on",
        "light tomorrow",
        "ten minutes light",
        "kitchen\" light",
        "light 20%",
        "light you'd like",
        "one two three four five six seven eight",
        "morning",
    ] {
        assert!(!is_clear(name), "{name}");
    }
}
