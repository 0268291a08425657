use super::*;
use crate::intent::Target;

#[test]
fn cuts_stand_only_before_commands() {
    for (text, count) in [
        ("turn on the salt and pepper lamp", 1),
        ("turn on the living and dining room light", 1),
        ("turn on the lamp and the fan", 1),
        ("turn on the lamp and tell me the time", 2),
        ("turn on the lamp, tell me the time, and lock the door", 3),
        ("please, turn on the lamp, thanks", 1),
        ("sing and dance and laugh", 1),
    ] {
        assert_eq!(intents(text, None).len(), count, "{text}");
    }
}

#[test]
fn a_long_text_is_no_command() {
    let text = "turn on the lamp and ".repeat(200);
    assert_eq!(intents(&text, None), [Intent::Unknown]);
}

#[test]
fn it_is_what_was_named_before_in_the_same_text() {
    let both = intents("turn on the lamp and dim it to 40%", None);
    let lamp = || vec![Target::Named("lamp".to_owned())];
    assert!(matches!(&both[1], Intent::Control { targets, .. } if *targets == lamp()));
    let alone = intents("dim it to 40%", None);
    assert!(matches!(&alone[0], Intent::Control { targets, .. } if *targets == [Target::Unnamed]));
}
