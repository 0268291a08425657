use super::*;

/// Name, room, kind, what a sensor measures.
type Row = (&'static str, &'static str, DeviceKind, Option<&'static str>);

const HOME: [Row; 17] = [
    ("Kitchen Light", "Kitchen", DeviceKind::Switch, None),
    ("Coffee Machine", "Kitchen", DeviceKind::Switch, None),
    ("Living Room Lamp", "Living Room", DeviceKind::Dimmer, None),
    ("Reading Light", "Living Room", DeviceKind::Dimmer, None),
    (
        "Living Room Temperature",
        "Living Room",
        DeviceKind::Sensor,
        Some("temperature"),
    ),
    (
        "Climate",
        "Bedroom",
        DeviceKind::Sensor,
        Some("temperature"),
    ),
    ("Nightstand", "Bedroom", DeviceKind::Dimmer, None),
    ("Thermostat", "Hallway", DeviceKind::Thermostat, None),
    ("Wallpaper Spot", "Hallway", DeviceKind::Switch, None),
    ("Front Door Lock", "Hallway", DeviceKind::Lock, None),
    (
        "Front Door Sensor",
        "Hallway",
        DeviceKind::Sensor,
        Some("contact"),
    ),
    ("Küchenlicht", "Küche", DeviceKind::Switch, None),
    ("灯", "寝室", DeviceKind::Switch, None),
    ("Anna's Lamp", "Attic", DeviceKind::Switch, None),
    ("Ceiling", "Office", DeviceKind::Switch, None),
    ("Ceiling", "Cellar", DeviceKind::Switch, None),
    ("Garage Door Lock", "Garage", DeviceKind::Lock, None),
];

fn home() -> Vec<Device> {
    let device = |(name, location, kind, quantity): Row| Device {
        key: String::new(),
        name: name.to_owned(),
        location: location.to_owned(),
        kind,
        quantity: quantity.map(str::to_owned),
        state: "off".to_owned(),
        on: None,
        level: None,
        value: None,
        unit: None,
        target: None,
        online: true,
        last_seen: None,
    };
    HOME.into_iter().map(device).collect()
}

/// The result as text: "=" and the name for one device, "?" and the names for several, "!" and
/// suggestions for none.
fn outcome(query: &str, purpose: Purpose) -> String {
    let devices = home();
    match find(query, &devices, purpose) {
        Match::One(device) => format!("={}", device.name),
        Match::Several(devices) => {
            let names: Vec<_> = devices.iter().map(|device| device.name.as_str()).collect();
            format!("?{}", names.join("|"))
        }
        Match::Nothing(names) => format!("!{}", names.join("|")),
    }
}

#[track_caller]
fn check(purpose: Purpose, rows: &[(&str, &str)]) {
    for (query, expected) in rows {
        assert_eq!(outcome(query, purpose), *expected, "{purpose:?} {query:?}");
    }
}

#[test]
fn a_name_is_found_as_people_say_it() {
    check(
        Purpose::Any,
        &[
            ("Kitchen Light", "=Kitchen Light"),
            ("  kitchen light ", "=Kitchen Light"),
            ("KITCHEN LIGHT", "=Kitchen Light"),
            ("the kitchen light", "=Kitchen Light"),
            ("kitchen-light.", "=Kitchen Light"),
            ("kitchen_light", "=Kitchen Light"),
            ("kitchenlight", "=Kitchen Light"),
            ("kitchen lights", "=Kitchen Light"),
            ("light in the kitchen", "=Kitchen Light"),
            ("the lamp in my kitchen, please", "=Kitchen Light"),
            ("Kitchen Light (Kitchen)", "=Kitchen Light"),
            ("livingroom lamp", "=Living Room Lamp"),
            ("lamp in the living room", "=Living Room Lamp"),
            ("coffee machines", "=Coffee Machine"),
            ("coffee", "=Coffee Machine"),
            ("the switch of the attic", "=Anna's Lamp"),
            ("anna’s lamp", "=Anna's Lamp"),
            ("heating", "=Thermostat"),
            ("thermo", "=Thermostat"),
            ("the cof", "=Coffee Machine"),
            ("co", "!"),
            ("achine", "=Coffee Machine"),
            ("achi", "!"),
            ("bedroom light", "=Nightstand"),
            ("ceiling in the office", "=Ceiling"),
            ("living room temp", "=Living Room Temperature"),
        ],
    );
}

#[test]
fn accents_and_other_scripts_match_in_any_encoding() {
    check(
        Purpose::Any,
        &[
            ("küchenlicht", "=Küchenlicht"),
            ("KU\u{308}CHENLICHT", "=Küchenlicht"),
            ("Kuchenlicht", "=Küchenlicht"),
            ("switch in the ku\u{308}che", "=Küchenlicht"),
            ("Küchenlict", "!Küchenlicht"),
            ("灯", "=灯"),
            ("寝室 灯", "=灯"),
        ],
    );
}

#[test]
fn an_ambiguous_name_is_never_guessed() {
    check(
        Purpose::Any,
        &[
            ("living room light", "?Living Room Lamp|Reading Light"),
            ("front door", "?Front Door Lock|Front Door Sensor"),
            ("ceiling", "?Ceiling|Ceiling"),
            ("lock", "?Front Door Lock|Garage Door Lock"),
        ],
    );
    check(
        Purpose::Control,
        &[("door lock", "?Front Door Lock|Garage Door Lock")],
    );
}

#[test]
fn a_room_alone_names_no_device() {
    check(
        Purpose::Control,
        &[
            ("kitchen", "?Kitchen Light|Coffee Machine"),
            ("the garage", "?Garage Door Lock"),
            ("living room", "?Living Room Lamp|Reading Light"),
        ],
    );
}

#[test]
fn a_misspelt_or_unknown_name_gets_suggestions_only() {
    check(
        Purpose::Control,
        &[
            ("kitchn light", "!Kitchen Light"),
            ("kichen lihgt", "!Kitchen Light|Küchenlicht"),
            ("livng room lamp", "!Living Room Lamp"),
            ("bathroom thermostat", "!Thermostat"),
            ("kitchen thermostat", "!Thermostat|Kitchen Light"),
            ("spaceship", "!"),
            ("the", "!"),
            ("all", "!"),
            ("it", "!"),
            ("", "!"),
            ("?!", "!"),
        ],
    );
    for query in ["light", "door senser", "ceilin"] {
        let devices = home();
        let Match::Nothing(names) = find(&format!("{query}x"), &devices, Purpose::Any) else {
            panic!("{query:?} must find nothing");
        };
        assert!(names.len() <= MAX_SUGGESTIONS, "{names:?}");
    }
}

#[test]
fn the_purpose_decides_if_only_one_device_is_suitable() {
    check(
        Purpose::Control,
        &[
            ("front door", "=Front Door Lock"),
            ("temperature", "=Thermostat"),
            ("front door sensor", "=Front Door Sensor"),
        ],
    );
    check(
        Purpose::Reading,
        &[
            ("front door", "=Front Door Sensor"),
            ("temperature in the living room", "=Living Room Temperature"),
            ("living room temperature", "=Living Room Temperature"),
            (
                "the temperature sensor in the living room",
                "=Living Room Temperature",
            ),
            ("temperature in the bedroom", "=Climate"),
            ("temperature in the hallway", "=Thermostat"),
            ("temperature", "?Living Room Temperature|Climate"),
            ("kitchen light", "=Kitchen Light"),
        ],
    );
}

#[test]
fn a_filter_keeps_parts_and_words_of_name_room_and_kind() {
    let devices = home();
    let names = |filter: &str| -> Vec<String> {
        let kept = devices.iter().filter(|device| passes(filter, device));
        kept.map(|device| device.name.clone()).collect()
    };
    assert_eq!(names("kitch"), ["Kitchen Light", "Coffee Machine"]);
    assert_eq!(names("locks"), ["Front Door Lock", "Garage Door Lock"]);
    assert_eq!(names("KUCHE"), ["Küchenlicht"]);
    assert_eq!(
        names("lights"),
        [
            "Kitchen Light",
            "Living Room Lamp",
            "Reading Light",
            "Anna's Lamp"
        ]
    );
    assert_eq!(names("lights in the kitchen"), ["Kitchen Light"]);
    assert!(names("spaceship").is_empty());
    assert!(names("?!").is_empty());
}
