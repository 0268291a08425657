use haft_core::ToolMessage;
use serde_json::json;

use super::*;

fn names(text: &str) -> Vec<String> {
    listed(&ToolMessage::success(text, "c"))
        .into_iter()
        .map(|device| device.name)
        .collect()
}

#[test]
fn listings_are_read_in_every_form() {
    let json =
        json!([{"name": "Lamp", "state": "on"}, {"entity_id": "light.desk", "state": "off"}]);
    assert_eq!(names(&json.to_string()), ["Lamp", "light.desk"]);
    assert_eq!(
        names("2 devices:\n- Lamp (dimmer) in the hall, on\n- Fan: off"),
        ["Lamp", "Fan"]
    );
    assert_eq!(
        names("- names: Lamp\n  domain: light\n  state: 'on'"),
        ["Lamp"]
    );
    assert_eq!(names("nothing here"), Vec::<String>::new());
    let lines = listed(&ToolMessage::success(
        "- Lamp (dimmer) in the hall, on",
        "c",
    ));
    assert_eq!(lines[0].on, Some(true));
    assert!(lines[0].is_at("hall"));
}

#[test]
fn an_artifact_goes_before_the_text() {
    let mut result = ToolMessage::success("- Fan", "c");
    result.artifact = Some(json!({"devices": [{"name": "Lamp", "on": true}]}));
    assert_eq!(listed(&result)[0].name, "Lamp");
}
