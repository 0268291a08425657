use serde_json::{Value, json};

fn read(value: Value) -> Vec<u32> {
    super::valid_items(value).unwrap()
}

#[test]
fn an_invalid_item_does_not_lose_the_others() {
    assert_eq!(read(json!([1, "x", null, 2, {"n": 3}])), [1, 2]);
}

#[test]
fn a_value_that_is_not_a_list_has_no_items() {
    for value in [json!(null), json!("x"), json!({"a": 1}), json!([])] {
        assert!(read(value).is_empty());
    }
}
