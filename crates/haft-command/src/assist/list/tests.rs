use super::{Entry, entries};

fn entry(names: &str, domain: &str, areas: &str) -> Entry {
    Entry {
        names: names.to_owned(),
        domain: domain.to_owned(),
        areas: areas.to_owned(),
        state: None,
        attributes: Vec::new(),
    }
}

#[test]
fn the_list_of_a_system_prompt_is_read_to_its_end() {
    let prompt = "You are a voice assistant.\n\
        Static Context: An overview of the areas and the devices in this smart home:\n\
        - names: Desk Lamp, Work Light\n  domain: light\n  areas: Study\n\
        - names: 'No'\n  domain: switch\n\
        - names: 'Ann''s: Lamp'\n  domain: light\n\n\
        Today is a fine day.\n- names: Not There\n  domain: light\n";
    assert_eq!(
        entries(prompt).unwrap(),
        [
            entry("Desk Lamp, Work Light", "light", "Study"),
            entry("No", "switch", ""),
            entry("Ann's: Lamp", "light", ""),
        ]
    );
}

#[test]
fn states_attributes_and_folded_values_are_read() {
    let prompt = "Live Context: An overview of the areas and the devices in this smart home:\n\
        - names: A very long name of a device that goes on and on, and its alias that is\n    \
        folded\n  domain: sensor\n  state: '21.5'\n  areas: Study\n  attributes:\n    \
        unit_of_measurement: °C\n    device_class: temperature\n\
        - names: Lamp\n  domain: light\n  state: 'on'\n";
    let read = entries(prompt).unwrap();
    assert!(read[0].names.ends_with("its alias that is folded"));
    assert_eq!(read[0].state.as_deref(), Some("21.5"));
    assert_eq!(read[0].areas, "Study");
    let unit = ("unit_of_measurement".to_owned(), "°C".to_owned());
    assert_eq!(read[0].attributes[0], unit);
    assert_eq!(read[1].state.as_deref(), Some("on"));
}

#[test]
fn the_map_of_older_versions_is_read() {
    let prompt = "An overview of the areas and the devices in this smart home:\n\
        light.desk:\n  names: Desk Lamp\n  state: 'off'\n  areas: Study\n  domain: light\n\
        lock.door:\n  names: Door\n  state: locked\n  domain: lock\n";
    let read = entries(prompt).unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].names, "Desk Lamp");
    assert_eq!(read[1].domain, "lock");
}

#[test]
fn a_prompt_without_a_list_has_none() {
    assert_eq!(
        entries("You control - names: Lamp\n  domain: light\n"),
        None
    );
}

#[test]
fn no_text_is_too_much() {
    let heading = "overview of the areas and the devices in this smart home:\n";
    let many = "- names: Lamp\n  domain: light\n".repeat(5_000);
    assert!(entries(&format!("{heading}{many}")).unwrap().len() <= 1_000);
    let long = format!("- names: {}\n  domain: light\n", "ä ".repeat(100_000));
    assert!(entries(&format!("{heading}{long}")).unwrap().len() <= 1);
}
