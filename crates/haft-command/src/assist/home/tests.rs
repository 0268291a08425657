use haft_core::Message;

use super::{Domain, Home, stem};

fn home(prompt: &str) -> Home {
    let list = "An overview of the areas and the devices in this smart home:\n\
        - names: Desk Lamp, Work Light\n  domain: light\n  areas: Study, Office\n\
        - names: all\n  domain: switch\n\
        - names: Clock\n  domain: sensor\n";
    Home::of(&[Message::system(format!("{prompt}\n{list}"))]).unwrap()
}

#[test]
fn devices_have_names_aliases_and_areas() {
    let home = home("Be brief.");
    let lamp = &home.devices[0];
    assert_eq!(lamp.name(), "Desk Lamp");
    assert_eq!(lamp.names[1].stems, ["work", "light"]);
    assert_eq!(lamp.area(), Some("Study"));
    assert_eq!(home.devices[1].domain, Domain::Other);
    assert!(home.here.is_none() && !home.asks_for_area);
}

#[test]
fn a_device_that_is_called_all_is_no_device() {
    assert_eq!(home("").devices.len(), 2);
}

#[test]
fn the_prompt_says_where_the_speaker_is() {
    let said = "You are in area Office (floor Ground) and all generic commands like 'turn on the \
        lights' should target this area.";
    let home = home(said);
    assert!(home.is_here(&home.devices[0]));
    assert!(!home.is_here(&home.devices[1]));
}

#[test]
fn the_prompt_may_want_an_area_to_be_asked_for() {
    assert!(home("ask user to specify an area, unless there is only one").asks_for_area);
}

#[test]
fn words_are_compared_without_plural_and_possessive() {
    for (word, expected) in [
        ("lights", "light"),
        ("switches", "switch"),
        ("joe's", "joe"),
        ("kids'", "kid"),
        ("two", "2"),
        ("glass", "glass"),
        ("gas", "gas"),
        ("to-do", "todo"),
    ] {
        assert_eq!(stem(word), expected);
    }
}
