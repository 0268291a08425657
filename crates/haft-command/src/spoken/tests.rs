use serde_json::json;

use super::*;

fn said(question: &str, result: &str) -> String {
    spoken(&ToolMessage::success(result, "1"), question)
}

#[test]
fn known_shapes_answer_the_question() {
    let lamp = r#"{"name": "Hall Lamp", "state": "off"}"#;
    assert_eq!(said("Is the hall lamp on?", lamp), "No, Hall Lamp is off.");
    let clock = r#"{"place": "Nairobi", "time": "17:14"}"#;
    assert_eq!(
        said("What time is it in Nairobi?", clock),
        "It is 17:14 in Nairobi."
    );
    assert_eq!(
        said("Turn on the hall lamp", "Hall Lamp is now on."),
        "Hall Lamp is now on."
    );
}

#[test]
fn any_other_result_is_its_own_text_and_never_json() {
    assert_eq!(said("Weather in Oslo?", "# Oslo\n- sunny"), "Oslo sunny");
    let weather = r#"{"city": "Oslo", "wind_speed": 3, "gusts": null}"#;
    assert_eq!(
        said("Weather in Oslo?", weather),
        "city: Oslo, wind speed: 3."
    );
    assert_eq!(said("Weather in Oslo?", "[]"), "The tool found nothing.");
    let failed = ToolMessage::error("There is no Oslo here.", "1");
    assert_eq!(spoken(&failed, "Weather?"), "There is no Oslo here.");
}

#[test]
fn the_states_of_a_listing_are_read_from_data_and_from_lines() {
    let lines = ToolMessage::success("2 devices:\n- Hall Lamp (light): on\n- Gate: closed", "1");
    let data = ToolMessage {
        artifact: Some(json!({"devices": [
            {"name": "Hall Lamp", "on": true, "state": "on"},
            {"name": "Gate", "state": "closed"},
            {"name": "Attic", "value": 20, "unit": "°C"},
        ]})),
        ..ToolMessage::success("", "1")
    };
    for result in [lines, data] {
        let states = device_states(&result);
        let pairs: Vec<_> = states
            .iter()
            .map(|device| (device.name.as_str(), device.state))
            .collect();
        assert_eq!(pairs, [("Hall Lamp", State::On), ("Gate", State::Closed)]);
    }
}
