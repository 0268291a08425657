use serde_json::json;

use super::*;

fn fields(parameters: &Value) -> Fields {
    Fields::of(
        &ToolText::new("bookFlight", "Books a seat", parameters).with_examples(&["fly me out"]),
    )
}

#[test]
fn every_field_is_read() {
    let fields = fields(&json!({"properties": {
        "home_town": {"type": "string", "description": "Departure", "enum": ["Oslo", 5, "Lima"]},
        "stops": {"items": {"properties": {"airport": {"description": "Code"}}}},
    }}));
    assert_eq!(fields.words(Field::Name), ["book", "flight"]);
    assert_eq!(fields.words(Field::Description), ["books", "seat"]);
    assert_eq!(
        fields.words(Field::ParameterName),
        ["home", "town", "stops", "airport"]
    );
    assert_eq!(
        fields.words(Field::ParameterText),
        ["departure", "oslo", "lima", "code"]
    );
    assert_eq!(fields.words(Field::Example), ["fly", "out"]);
}

#[test]
fn a_schema_of_any_shape_is_read() {
    for schema in [
        Value::Null,
        json!(5),
        json!({"properties": []}),
        json!({"properties": {"a": 1, "b": {"enum": {}, "items": [1]}}}),
    ] {
        assert_eq!(fields(&schema).words(Field::Description), ["books", "seat"]);
    }
}

#[test]
fn depth_and_length_are_bounded() {
    let mut schema = json!({"properties": {"deepest": {}}});
    for level in 0..100 {
        schema = json!({"properties": {format!("level{level}x"): schema}});
    }
    assert_eq!(fields(&schema).words(Field::ParameterName).len(), MAX_DEPTH);
    let many: serde_json::Map<_, _> = (0..100_000).map(|n| (format!("p{n}"), json!({}))).collect();
    assert!(
        fields(&json!({"properties": many}))
            .words(Field::ParameterName)
            .len()
            < MAX_TEXT
    );
}
