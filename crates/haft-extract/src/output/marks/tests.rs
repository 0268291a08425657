use serde_json::{Value, json};

use super::{FEW, Mark, Marks, hash_of_name};

#[test]
fn a_mark_is_new_once_however_many_there_are() {
    let mut marks = Marks::default();
    let many = || (0..100 * FEW).map(|count| Mark::default().of(count * count));
    assert!(many().all(|mark| marks.insert(mark)));
    assert!(!many().any(|mark| marks.insert(mark)));
    // What is compared one by one stays little.
    assert_eq!(marks.count, FEW);
}

/// The mark of a call with these arguments, made at once and one by one.
fn mark(arguments: Value) -> Mark {
    let Value::Object(arguments) = arguments else {
        return Mark::default();
    };
    let mut mark = Mark::of_tool("f");
    for (name, value) in &arguments {
        mark.member(hash_of_name(name), value);
    }
    let mark = mark.of(arguments.len());
    assert_eq!(mark, Mark::of_tool("f").with(&arguments));
    mark
}

#[test]
fn the_order_of_arguments_is_no_difference_and_all_else_is() {
    let one = json!({"a": 1, "b": {"c": [1, 2], "d": "x"}});
    let turned = json!({"b": {"d": "x", "c": [1, 2]}, "a": 1});
    assert_eq!(mark(one.clone()), mark(turned));
    for other in [
        json!({"a": 1, "b": {"c": [2, 1], "d": "x"}}),
        json!({"a": "1", "b": {"c": [1, 2], "d": "x"}}),
        json!({"a": 1, "b": {"c": "x", "d": [1, 2]}}),
        json!({"a": 1}),
    ] {
        assert_ne!(mark(one.clone()), mark(other));
    }
    // Two that swapped their values.
    for (x, y) in (0..64).flat_map(|x| (0..64).map(move |y| (x, y))) {
        let is_same = mark(json!({"p": x, "q": y})) == mark(json!({"p": y, "q": x}));
        assert_eq!(is_same, x == y);
    }
}
