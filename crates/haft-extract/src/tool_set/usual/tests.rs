use haft_schema::CompiledSchema;
use serde_json::{Map, Value, json};

use super::{Filled, Usual, keep_first};
use crate::output::Mark;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn names(usual: &Usual) -> Map<String, Value> {
    usual.filling(|| None, Mark::default()).arguments
}

/// What is said of `arguments` after a right call with `first`.
fn filled(schema: &Value, first: Value, arguments: Value) -> Filled {
    let schema = CompiledSchema::new(schema).unwrap();
    let usual = Usual::default();
    usual.note(&object(first), Some(&schema));
    let mut filling = usual.filling(|| Some(&schema), Mark::of_tool("f"));
    let arguments = object(arguments);
    let expected = filling.arguments.keys().zip(&arguments);
    for (_, (_, value)) in expected.take_while(|(name, (written, _))| name == written) {
        filling.check.filled(value);
    }
    filling.check.end(arguments)
}

#[test]
fn the_names_of_the_first_call_are_kept_without_their_values() {
    let usual = Usual::default();
    assert!(names(&usual).is_empty());
    usual.note(
        &object(json!({"b": 1, "a": {"c": [1]}, "d": {"x y": 1}})),
        None,
    );
    usual.note(&object(json!({"other": 1})), None);
    let names = names(&usual);
    assert_eq!(
        Value::Object(names.clone()),
        json!({"b": null, "a": {"c": null}, "d": null})
    );
    assert_eq!(names.keys().collect::<Vec<_>>(), ["b", "a", "d"]);
}

#[test]
fn many_or_unusual_names_are_not_kept() {
    let many = (0..100).map(|at| (format!("a{at}"), Value::Null)).collect();
    for arguments in [
        many,
        object(json!({"a\"b": 1})),
        object(json!({"": 1})),
        object(json!({"$serde_json": 1})),
        object(json!({"x".repeat(65): 1})),
    ] {
        let usual = Usual::default();
        usual.note(&arguments, None);
        assert!(names(&usual).is_empty());
    }
}

#[test]
fn the_first_members_are_kept_and_found() {
    let mut members = object(json!({"a": 1, "b": 2, "c": 3}));
    keep_first(&mut members, 2);
    assert_eq!(members, object(json!({"a": 1, "b": 2})));
    assert_eq!(members.get("b"), Some(&json!(2)));
    assert_eq!(members.get("c"), None);
}

#[test]
fn arguments_under_the_usual_names_are_checked_as_they_are_filled_in() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"}, "n": {"type": "integer", "minimum": 1},
        "o": {"enum": ["on", "off"]}, "l": {"items": {"type": "string"}}}});
    let first = json!({"a": "x", "n": 1, "o": "on", "l": ["y"]});
    let right = json!({"a": "", "n": 25, "o": "off", "l": []});
    let read = filled(&schema, first.clone(), right.clone());
    assert_eq!(read.mark, Some(Mark::of_tool("f").with(&object(right))));
    for wrong in [
        json!({"a": 1, "n": 1, "o": "on", "l": []}),
        json!({"a": "x", "n": 0, "o": "on", "l": []}),
        json!({"a": "x", "n": 1.5, "o": "on", "l": []}),
        json!({"a": "x", "n": 1, "o": "ON", "l": []}),
        json!({"a": "x", "n": 1, "o": "on", "l": [1]}),
        // These may be right, and are looked at as a whole.
        json!({"a": "x", "n": 1, "o": "on"}),
        json!({"n": 1, "a": "x", "o": "on", "l": []}),
        json!({"a": "x", "n": 1, "o": "on", "l": [], "more": 1}),
        json!({}),
    ] {
        let read = filled(&schema, first.clone(), wrong.clone());
        assert_eq!(read.mark, None, "{wrong}");
        assert_eq!(Value::Object(read.arguments), wrong);
    }
}

#[test]
fn what_may_be_a_whole_call_is_looked_at_as_a_whole() {
    let schema =
        json!({"properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}});
    let call = json!({"name": "f", "arguments": {"a": 1}});
    assert_eq!(filled(&schema, call.clone(), call).mark, None);
}

#[test]
fn where_a_schema_says_more_than_its_members_do_nothing_is_said() {
    let schema = json!({"properties": {"a": {"type": "string", "pattern": "^x"}}});
    let call = json!({"a": "x"});
    assert_eq!(filled(&schema, call.clone(), call).mark, None);
}
