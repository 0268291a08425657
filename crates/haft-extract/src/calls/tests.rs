//! Choices that a list does not have, and what `haft-schema` makes of them.

use serde_json::{Value, json};

use crate::{ExtractOptions, ToolDefinition, ToolSet, extract};

fn close(destructive: bool) -> ToolDefinition {
    let kinds = json!({"type": "array", "items": {"type": "string", "enum": ["door", "blind"]}});
    let properties = json!({"name": {"type": "string"}, "room": {"type": "string"},
        "kinds": kinds, "speed": {"type": "string", "enum": ["slow"]}});
    let schema = json!({"type": "object", "properties": properties, "required": []});
    ToolDefinition::new("CloseCover", schema).destructive(destructive)
}

/// The arguments of the call and the repairs in words; `Err` where it is invalid.
fn read(tool: ToolDefinition, arguments: &Value) -> Result<(Value, Vec<String>), String> {
    let tools = ToolSet::from_definitions([tool]);
    let call = json!({"name": "CloseCover", "arguments": arguments});
    let reply = format!("<tool_call>{call}</tool_call>");
    let mut found = extract(&tools, ExtractOptions::default(), &reply);
    match found.invalid.pop() {
        Some(call) => Err(call.error),
        None => {
            let repairs = found.repairs.iter().map(|(_, repair)| repair.to_string());
            Ok((Value::Object(found.calls.remove(0).args), repairs.collect()))
        }
    }
}

#[test]
fn an_unknown_choice_beside_a_name_is_left_out() {
    for kinds in [json!(["roller"]), json!("[\"roller\"]")] {
        let wanted = json!({"name": "Hall Cover", "room": "Hall"});
        let written = json!({"name": "Hall Cover", "room": "Hall", "kinds": kinds});
        let (arguments, repairs) = read(close(false), &written).unwrap();
        assert_eq!(arguments, wanted);
        let told = "kinds: \"roller\" is no choice, and was left out".to_owned();
        assert!(repairs.contains(&told), "{repairs:?}");
    }
}

#[test]
fn known_choices_stay() {
    let written = json!({"room": "Hall", "kinds": ["roller", "blind"]});
    let (arguments, _) = read(close(false), &written).unwrap();
    assert_eq!(arguments, json!({"room": "Hall", "kinds": ["blind"]}));
}

#[test]
fn a_call_that_would_be_about_more_stays_invalid() {
    for written in [
        json!({"room": "Hall", "kinds": ["roller"]}),
        json!({"name": " ", "kinds": ["roller"]}),
        json!({"kinds": ["roller"]}),
    ] {
        assert!(read(close(false), &written).is_err(), "{written}");
    }
    let without_list = json!({"name": "Hall Cover", "kinds": "roller"});
    assert!(read(close(false), &without_list).is_err());
    let named = json!({"name": "Hall Cover", "kinds": ["roller"]});
    assert!(read(close(true), &named).is_err());
    let mut required = close(false);
    required.parameters["required"] = json!(["kinds"]);
    assert!(read(required, &named).is_err());
}

#[test]
fn a_single_choice_is_never_left_out() {
    let written = json!({"name": "Hall Cover", "speed": "fast"});
    assert!(read(close(false), &written).is_err());
}
