use serde_json::json;

use super::*;

fn object(arguments: &[&str]) -> Value {
    let arguments: Vec<_> = arguments.iter().map(|text| (*text).to_owned()).collect();
    read(&arguments).map_or_else(|failure| json!(failure.message), Value::Object)
}

#[test]
fn arguments_are_json_or_pairs() {
    assert_eq!(object(&[]), json!({}));
    assert_eq!(object(&[r#" {"level": 5}"#]), json!({"level": 5}));
    assert_eq!(
        object(&["level=5", "name=a=b", "note="]),
        json!({"level": "5", "name": "a=b", "note": ""})
    );
}

#[test]
fn malformed_arguments_are_refused() {
    assert_eq!(
        object(&["kitchen"]),
        json!("\"kitchen\" is not an argument")
    );
    assert_eq!(object(&["=5"]), json!("\"=5\" is not an argument"));
    assert_eq!(
        object(&["a=1", "a=2"]),
        json!("The argument \"a\" is given twice")
    );
    assert!(
        object(&["{oops}"])
            .as_str()
            .unwrap()
            .starts_with("The arguments are not a JSON object")
    );
}
