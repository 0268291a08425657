use serde_json::json;

use super::*;

#[test]
fn the_same_schema_is_compiled_once() {
    let known = Known::default();
    let schema = json!({"type": "object", "properties": {"once": {"type": "integer"}}});
    let first = known.compiled(&schema).unwrap();
    assert!(Arc::ptr_eq(
        &first,
        &known.compiled(&schema.clone()).unwrap()
    ));
    let other = json!({"type": "object", "properties": {"once": {"type": "string"}}});
    assert!(!Arc::ptr_eq(&first, &known.compiled(&other).unwrap()));
    let long = json!({"type": "object", "description": "x".repeat(LONGEST)});
    assert!(!Arc::ptr_eq(
        &known.compiled(&long).unwrap(),
        &known.compiled(&long).unwrap()
    ));
}

#[test]
fn schemas_beyond_the_cache_size_are_compiled() {
    let known = Known::default();
    for number in 0..3 * MOST {
        let name = format!("p{number}");
        let schema = json!({"type": "object", "required": [name]});
        let compiled = known.compiled(&schema).unwrap();
        let arguments = json!({name.as_str(): 1}).as_object().cloned().unwrap();
        assert!(compiled.validate(&arguments).is_ok());
    }
    assert!(known.0.lock().unwrap().len() <= MOST);
}

#[test]
fn an_invalid_schema_is_refused_each_time() {
    let known = Known::default();
    for _ in 0..2 {
        assert!(known.compiled(&json!("text")).is_err());
    }
}
