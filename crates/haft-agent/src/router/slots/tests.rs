//! Arguments from the words of a question.

use serde_json::json;

use super::*;

/// The values that a question gives for a required parameter of this schema.
fn values(question: &str, name: &str, property: &Value) -> Value {
    let schema = json!({"properties": {name: property}, "required": [name]});
    match fill(question, &schema) {
        Filled::Schema(schema) => schema["properties"][name]["enum"].clone(),
        Filled::Missing(name) => json!({ "missing": name }),
    }
}

#[test]
fn choices_are_those_that_the_question_names() {
    let modes = json!({"type": "string", "enum": ["heat", "cool", "fan_only"]});
    assert_eq!(
        values("Set it to fan only", "mode", &modes),
        json!(["fan_only"])
    );
    assert_eq!(
        values("Heat or cool?", "mode", &modes),
        json!(["heat", "cool"])
    );
    assert_eq!(
        values("Heating costs", "mode", &modes),
        json!({"missing": "mode"})
    );
}

#[test]
fn numbers_are_those_of_the_question_within_the_limits() {
    let level = json!({"type": "integer", "minimum": 0, "maximum": 100});
    assert_eq!(values("to 40% in 2026", "level", &level), json!([40]));
    assert_eq!(values("to twenty", "level", &level), json!([20]));
    assert_eq!(
        values("to 2.5", "level", &level),
        json!({"missing": "level"})
    );
    assert_eq!(
        values("to 2.5", "level", &json!({"type": "number"})),
        json!([2.5])
    );
}

#[test]
fn names_are_quotations_capitals_or_what_follows_a_preposition() {
    let text = json!({"type": "string"});
    assert_eq!(
        values("Find \"red shoes\" in Oslo", "item", &text),
        json!(["red shoes"])
    );
    assert_eq!(
        values("Weather in New York today?", "city", &text),
        json!(["New York"])
    );
    assert_eq!(
        values("what is the weather in oslo today", "city", &text),
        json!(["oslo"])
    );
    assert_eq!(
        values("How are you", "city", &text),
        json!({"missing": "city"})
    );
}

#[test]
fn dates_and_free_texts_are_read_by_the_name_of_the_parameter() {
    let text = json!({"type": "string"});
    assert_eq!(
        values("Trains on 2026-03-14?", "date", &text),
        json!(["2026-03-14"])
    );
    assert_eq!(
        values("Trains tomorrow?", "travel_date", &text),
        json!(["tomorrow"])
    );
    assert_eq!(
        values("how do magnets work", "query", &text),
        json!(["how do magnets work"])
    );
}

#[test]
fn an_optional_choice_that_is_named_belongs_to_the_call() {
    let schema = json!({
        "properties": {
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "days": {"type": "integer"},
        },
    });
    let Filled::Schema(narrowed) = fill("In Celsius, for 3 days", &schema) else {
        panic!("nothing is required");
    };
    assert_eq!(narrowed["required"], json!(["unit"]));
    assert_eq!(
        narrowed["properties"],
        json!({"unit": {"enum": ["celsius"]}})
    );
}
