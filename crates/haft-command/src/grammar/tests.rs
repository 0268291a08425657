use super::*;
use crate::intent::{About, Action, DeviceKind, State};

#[test]
fn one_command_is_one_intent_with_its_slots() {
    let named = |name: &str| vec![Target::Named(name.to_owned())];
    for (text, expected) in [
        ("please", Intent::Nothing),
        ("hello there", Intent::Greeting),
        ("thank you very much", Intent::Thanks),
        ("what can you do", Intent::Help),
        ("tell me a story", Intent::Unknown),
        ("don't turn on the lamp", Intent::Negated),
        ("turn on the lamp tomorrow", Intent::Later),
        (
            "dim the lamp",
            Intent::Control {
                action: Action::Brighter(-20.0),
                targets: named("lamp"),
            },
        ),
        (
            "turn on the lamp",
            Intent::Control {
                action: Action::On,
                targets: named("lamp"),
            },
        ),
        (
            "toggle the lamp",
            Intent::Control {
                action: Action::Toggle,
                targets: named("lamp"),
            },
        ),
        (
            "turn off the kitchen and bedroom lights except the desk lamp",
            Intent::Control {
                action: Action::Off,
                targets: vec![Target::All {
                    kind: DeviceKind::Light,
                    rooms: vec!["kitchen".to_owned(), "bedroom".to_owned()],
                    except: vec!["desk lamp".to_owned()],
                }],
            },
        ),
        (
            "what time is it in Oslo",
            Intent::Time {
                places: vec!["Oslo".to_owned()],
                minutes: 0,
                dated: false,
            },
        ),
        (
            "is the lamp off",
            Intent::Question {
                about: About::State(State::Off),
                targets: named("lamp"),
            },
        ),
    ] {
        assert_eq!(classify(text), expected, "{text}");
    }
}
