use serde_json::{Value, json};

fn read(value: Value) -> Vec<u32> {
    super::readable(value).unwrap()
}

#[test]
fn a_bad_item_spares_its_neighbours() {
    assert_eq!(read(json!([1, "x", null, 2, {"n": 3}])), [1, 2]);
}

#[test]
fn what_is_no_list_has_no_items() {
    for value in [json!(null), json!("x"), json!({"a": 1}), json!([])] {
        assert!(read(value).is_empty());
    }
}
