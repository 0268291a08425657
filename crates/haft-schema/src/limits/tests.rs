//! The limits are exact.

use serde_json::{Value, json};

use super::{MAX_SCHEMA_DEPTH, MAX_SCHEMA_VALUES, check_schema_limits, is_within_depth, weight};
use crate::SchemaErrorKind;

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!(1), |inner, _| json!([inner]))
}

#[test]
fn depth_counts_every_level() {
    assert!(is_within_depth(&json!(1), 1));
    assert!(is_within_depth(&nested(5), 5));
    assert!(!is_within_depth(&nested(6), 5));
    assert!(!is_within_depth(&json!({"a": {"b": 1}}), 2));
}

#[test]
fn a_schema_may_have_as_much_as_the_limits_say() {
    assert!(check_schema_limits(&nested(MAX_SCHEMA_DEPTH)).is_ok());
    let error = check_schema_limits(&nested(MAX_SCHEMA_DEPTH + 1)).unwrap_err();
    assert_eq!(error.kind(), SchemaErrorKind::TooDeep);
    assert!(check_schema_limits(&json!(vec![0; MAX_SCHEMA_VALUES - 1])).is_ok());
    let error = check_schema_limits(&json!(vec![0; MAX_SCHEMA_VALUES])).unwrap_err();
    assert_eq!(error.kind(), SchemaErrorKind::TooLarge);
}

#[test]
fn weight_counts_values_and_text() {
    assert_eq!(weight(&json!({"a": [1, 2]})), 4);
    assert_eq!(weight(&json!("x".repeat(640))), 11);
}
