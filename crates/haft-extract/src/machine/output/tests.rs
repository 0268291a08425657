use std::collections::HashSet;

use serde_json::{Value, json};

use super::mark;

/// True if a call of `f` with these arguments is new.
fn is_new(marks: &mut HashSet<u64>, arguments: &Value) -> bool {
    marks.insert(mark("f", arguments.as_object().expect("an object")))
}

#[test]
fn the_order_of_arguments_is_no_difference_and_all_else_is() {
    let mut marks = HashSet::new();
    let one = json!({"a": 1, "b": {"c": [1, 2], "d": "x"}});
    let turned = json!({"b": {"d": "x", "c": [1, 2]}, "a": 1});
    assert!(is_new(&mut marks, &one));
    assert!(!is_new(&mut marks, &turned));
    for other in [
        json!({"a": 1, "b": {"c": [2, 1], "d": "x"}}),
        json!({"a": "1", "b": {"c": [1, 2], "d": "x"}}),
        json!({"a": 1, "b": {"c": "x", "d": [1, 2]}}),
        json!({"a": 1}),
    ] {
        assert!(is_new(&mut marks, &other));
        assert!(!is_new(&mut marks, &other));
    }
    // Two that swapped their values.
    for (x, y) in (0..64).flat_map(|x| (0..64).map(move |y| (x, y))) {
        assert!(is_new(&mut marks, &json!({"p": x, "q": y})));
    }
}

#[test]
fn calls_of_other_tools_are_other_calls() {
    let nothing = json!({});
    let nothing = nothing.as_object().expect("an object");
    assert_ne!(mark("f", nothing), mark("g", nothing));
}
