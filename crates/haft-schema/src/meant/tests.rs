use haft_core::Arguments;
use serde_json::{Value, json};

use super::{as_meant, with_null};
use crate::CompiledSchema;

fn arguments(value: &Value) -> Arguments {
    value.as_object().cloned().unwrap()
}

#[test]
fn type_names_of_other_languages_are_interpreted() {
    let written = json!({"type": "dict", "properties": {
        "ratio": {"type": "float"}, "count": {"type": "INT"}, "name": {"type": "str"},
        "parts": {"type": "list[str]", "items": {"type": "str"}}, "rows": {"type": "string[]"},
        "near": {"type": ["bool", "none"]}, "else": {"type": "any", "description": "all"},
        "port": {"type": "uint16"}, "mass": {"type": "Float32"}, "raw": {"type": "bool8"},
    }, "required": ["ratio"]});
    let meant = json!({"type": "object", "properties": {
        "ratio": {"type": "number"}, "count": {"type": "integer"}, "name": {"type": "string"},
        "parts": {"type": "array", "items": {"type": "string"}}, "rows": {"type": "array"},
        "near": {"type": ["boolean", "null"]}, "else": {"description": "all"},
        "port": {"type": "integer"}, "mass": {"type": "number"}, "raw": {},
    }, "required": ["ratio"]});
    assert_eq!(as_meant(&written), Some(meant));
}

#[test]
fn an_invalid_schema_is_left_out() {
    let written = json!({"type": "object", "properties": {
        "a": {"type": "integer", "required": true, "minimum": "0"},
        "b/c": "string", "d": "a city", "e": {"items": "int", "enum": "x"},
        "f": {"anyOf": ["string", {"type": "int"}]},
    }, "required": ["a", 5], "description": ["words"]});
    let meant = json!({"type": "object", "properties": {
        "a": {"type": "integer"},
        "b/c": {"type": "string"}, "d": true, "e": {"items": {"type": "integer"}},
        "f": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    }});
    assert_eq!(as_meant(&written), Some(meant));
    assert_eq!(as_meant(&json!("string")), None);
    assert_eq!(as_meant(&json!(["type"])), None);
}

#[test]
fn parameters_may_have_names_of_keywords() {
    let written = json!({"properties": {"type": {"type": "str"}, "properties": {"type": "int"}},
        "required": ["type"]});
    let meant = json!({"properties": {"type": {"type": "string"},
        "properties": {"type": "integer"}}, "required": ["type"]});
    assert_eq!(as_meant(&written), Some(meant));
}

#[test]
fn a_mistake_does_not_affect_the_rest() {
    let schema = json!({"type": "dict", "properties": {
        "days": {"type": "integer"}, "ratio": {"type": "float"}, "id": {"pattern": "("},
    }, "required": ["days"]});
    let schema = CompiledSchema::shared(&schema).unwrap();
    let coerced = schema
        .check(arguments(&json!({"days": "5", "ratio": "0.5"})))
        .unwrap();
    assert_eq!(
        Value::from(coerced.arguments),
        json!({"days": 5, "ratio": 0.5})
    );
    assert!(schema.check(arguments(&json!({"ratio": 1}))).is_err());
    let strict = json!({"properties": {"days": {"type": "int"}}});
    assert!(CompiledSchema::new(&strict).is_err());
}

#[test]
fn nullable_parameters_accept_null() {
    let written = json!({"type": "object", "properties": {
        "city": {"type": "string", "nullable": true},
        "unit": {"type": ["string", "null"], "enum": ["m", "ft"], "nullable": true},
        "near": {"anyOf": [{"type": "integer"}, {"type": "boolean"}], "nullable": true},
        "rows": {"type": "array", "items": {"type": "number", "nullable": true}},
        "days": {"type": "integer", "nullable": false, "default": {"nullable": true}},
        "nullable": {"type": "boolean"},
    }});
    let meant = json!({"type": "object", "properties": {
        "city": {"type": ["string", "null"], "nullable": true},
        "unit": {"type": ["string", "null"], "enum": ["m", "ft", null], "nullable": true},
        "near": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}],
            "nullable": true},
        "rows": {"type": "array", "items": {"type": ["number", "null"], "nullable": true}},
        "days": {"type": "integer", "nullable": false, "default": {"nullable": true}},
        "nullable": {"type": "boolean"},
    }});
    assert_eq!(with_null(&written), Some(meant));
    assert_eq!(
        with_null(&json!({"properties": {"a": {"type": "string"}}})),
        None
    );
    assert_eq!(with_null(&json!(true)), None);
}

#[test]
fn a_required_parameter_that_may_be_null_takes_it() {
    let schema = json!({"type": "OBJECT", "properties": {
        "city": {"type": "STRING", "nullable": true}, "days": {"type": "INTEGER"},
    }, "required": ["city", "days"]});
    let schema = CompiledSchema::shared(&schema).unwrap();
    for city in [json!(null), json!("Oslo")] {
        let written = arguments(&json!({"city": city, "days": 2}));
        assert_eq!(schema.check(written.clone()).unwrap().arguments, written);
    }
    assert!(
        schema
            .check(arguments(&json!({"city": "Oslo", "days": null})))
            .is_err()
    );
    assert!(schema.check(arguments(&json!({"days": 2}))).is_err());
}
