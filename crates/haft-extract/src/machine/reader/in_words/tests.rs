//! Calls in words.

use super::call_in_words;
use crate::machine::Written;
use crate::scan::{More, Seen};
use crate::{ToolDefinition, ToolSet};
use serde_json::{Value, json};

fn tools() -> ToolSet {
    let device = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "room": {"type": "string"},
        "kinds": {"type": "array", "items": {"type": "string"}},
        "level": {"type": "integer", "minimum": 0, "maximum": 100}}});
    let note = json!({"type": "object", "properties": {
        "text": {"type": "string"}, "list": {"type": "string"}}, "required": ["text", "list"]});
    ToolSet::from_definitions([
        ToolDefinition::new("DimLamp", device.clone()),
        ToolDefinition::new("open_blind", device.clone()),
        ToolDefinition::new("search", device),
        ToolDefinition::new("AddNote", note),
    ])
}

/// The arguments of the call, and where it ends.
fn found(text: &str, finished: bool) -> Seen<Option<(Value, usize)>> {
    let found = call_in_words(text, finished, &tools())?;
    Ok(found.map(|(call, end)| match call.arguments {
        Written::Value(arguments, _) => (arguments, end),
        other => panic!("{other:?}"),
    }))
}

fn arguments(text: &str) -> Option<Value> {
    found(text, true).unwrap().map(|(arguments, _)| arguments)
}

#[test]
fn parameters_stand_in_the_line_or_below_it() {
    let both = json!({"name": "Desk Lamp", "room": "Study"});
    for text in [
        "DimLamp name: Desk Lamp, room: Study",
        "DimLamp name=Desk Lamp, room=Study",
        "DimLamp name:Desk Lamp room:Study",
        "DimLamp with name \"Desk Lamp\" and room \"Study\".",
        "DimLamp with name: Desk Lamp and room: Study",
        "DimLamp with parameters: name = 'Desk Lamp'; room = “Study”",
        "DimLamp\nname: Desk Lamp\nroom: Study",
        "DimLamp\n- name: \"Desk Lamp\"\n- room: Study\n",
        "DimLamp`\n* **name**: Desk Lamp\n* **room**: Study",
        "DimLamp name: Desk Lamp\nroom: Study",
        "DimLamp\n\nname: Desk Lamp\nroom: Study\n",
        "DimLamp\n  name: Desk Lamp\n  kinds:\n  room: Study",
        "DimLamp - name: Desk Lamp | room: Study",
        "DimLamp with name Desk Lamp and room Study.",
        "DimLamp with `name`: \"Desk Lamp\", `room`: \"Study\"",
        "DimLamp using the name \"Desk Lamp\" and the room \"Study\"",
        "DimLamp with arguments {\"name\": \"Desk Lamp\", \"room\": \"Study\"}.",
        "DimLamp => {\"name\": \"Desk Lamp\",\n\"room\": \"Study\"}",
        "DimLamp name: Desk Lamp, room: Study`",
    ] {
        assert_eq!(arguments(text), Some(both.clone()), "{text}");
    }
    let listed = "open_blind kinds: [\"roller\", \"slat\"], level: 40";
    let wanted = json!({"kinds": ["roller", "slat"], "level": "40"});
    assert_eq!(arguments(listed), Some(wanted));
    let below = "open_blind\n  kinds:\n    - roller\n    - slat\n  level: 40%";
    let wanted = json!({"kinds": ["roller", "slat"], "level": 40});
    assert_eq!(arguments(below), Some(wanted));
}

#[test]
fn the_first_parameter_may_lack_its_name() {
    for text in [
        "DimLamp Desk Lamp",
        "DimLamp \"desk lamp\"",
        "open_blind Blind of the Hall 2",
    ] {
        let value = arguments(text);
        assert!(value.is_some_and(|value| value.is_array()), "{text}");
    }
    // Another parameter is required, or the words are no name.
    for text in [
        "AddNote Milk",
        "DimLamp desk lamp",
        "DimLamp Desk Lamp.",
        "DimLamp The lamp is on",
        "DimLamp Example",
        "DimLamp Not Available",
        "DimLamp \"desk\" or \"floor\"",
        "search Desk Lamp",
        "dimlamp Desk Lamp",
        "DimLamp",
        "DimLamp A B C D E F G",
    ] {
        assert_eq!(arguments(text), None, "{text}");
    }
}

#[test]
fn sentences_and_descriptions_are_none() {
    for text in [
        "DimLamp was called but the lamp is off.",
        "DimLamp to dim the lamp in the Study.",
        "DimLamp requires the name or room of the lamp.",
        "DimLamp with the name of the lamp",
        "DimLamp name: string, room: string",
        "DimLamp\nname: string\nroom: string",
        "DimLamp\nname: The name of the lamp. It is required.",
        "DimLamp name: <name>",
        "DimLamp name: ...",
        "DimLamp name: Desk Lamp, colour: red?",
        "DimLamp name: Desk Lamp, name: Floor Lamp",
        "DimLamp name: \"Desk Lamp\" is the one",
        "DimLamp level: 400",
        "DimLamp with name Required and room Required",
        "DimLamp with {\"colour\": \"red\"}",
        "DimLamp with {\"name\": \"Desk Lamp\"} does it.",
        "DimLamp\n\n\nname: Desk Lamp",
        "DimLamp - Dims a lamp",
        "DimLamp:\n  name: Desk Lamp",
        "DimLamp: Desk Lamp",
        "AddNote text: Milk",
    ] {
        assert_eq!(arguments(text), None, "{text}");
    }
}

#[test]
fn what_was_told_early_stays_as_more_text_comes() {
    for text in [
        "DimLamp name: Desk Lamp, room: Study\nroom: Hall\nWell.",
        "DimLamp\nname: Desk Lamp\nroom: Study\n\nDone.",
        "DimLamp Desk Lamp\nDimLamp Floor Lamp",
        "DimLamp was called.\n",
        "DimLamp with name \"Desk Lamp\".\nnamed: x",
        "DimLamp\nname: Desk Lamp\nnam",
        "DimLamp\n\nname: Desk Lamp\n\nroom: Study",
        "DimLamp with arguments: {\"name\": \"Desk\\\"s Lamp\"}.\nDone",
        "DimLamp - name Desk Lamp and the room Study.\n",
        "DimLamp\n  kinds:\n    - roller\n  - slat\n room: Study",
    ] {
        let whole = found(text, true);
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at) && *at > 6) {
            let head = text.get(..at).unwrap_or_default();
            let early = found(head, false);
            assert!(
                early == Err(More) || early == whole,
                "{head:?}: {early:?}, {whole:?}"
            );
        }
    }
}
