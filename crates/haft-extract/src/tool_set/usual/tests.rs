use serde_json::{Map, Value, json};

use super::{Usual, keep_first};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

#[test]
fn the_names_of_the_first_call_are_kept_without_their_values() {
    let usual = Usual::default();
    assert!(usual.names().is_empty());
    usual.note(&object(json!({"b": 1, "a": {"c": [1]}, "d": {"x y": 1}})));
    usual.note(&object(json!({"other": 1})));
    let names = usual.names();
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
        usual.note(&arguments);
        assert!(usual.names().is_empty());
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
