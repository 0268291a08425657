use serde_json::{Map, Value};

use super::{restore, settle};

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

#[test]
fn numbers_get_the_letters_back_in_which_they_were_written() {
    for (settled, text, written) in [
        (r#"{"v":3.1}"#, r#"{"v": 3.10}"#, r#"{"v":3.10}"#),
        (r#"{"v":3.1}"#, "v=3.10", r#"{"v":3.10}"#),
        (
            r#"{"v":[1.0,{"w":1000.0}],"x":"1.5"}"#,
            r#"{"v": [1.00, {"w": 1e3}], "x": "1.5"}"#,
            r#"{"v":[1.00,{"w":1e+3}],"x":"1.5"}"#,
        ),
        // What stands elsewhere in the text is another number.
        (r#"{"v":3.1}"#, r#"{"v": 3.2}"#, r#"{"v":3.1}"#),
        (r#"{"v":3.1}"#, "no arguments", r#"{"v":3.1}"#),
        (r#"{"v":3}"#, r#"{"v": 3}"#, r#"{"v":3}"#),
    ] {
        let mut arguments = object(settled);
        restore(&mut arguments, text);
        assert_eq!(Value::Object(arguments).to_string(), written, "{text}");
    }
}

#[test]
fn settled_numbers_have_one_form() {
    let mut arguments = object(r#"{"v": [3.10, {"w": 1e3}], "n": 7, "x": "1.50"}"#);
    settle(&mut arguments);
    let text = Value::Object(arguments).to_string();
    assert_eq!(text, r#"{"v":[3.1,{"w":1000.0}],"n":7,"x":"1.50"}"#);
}
