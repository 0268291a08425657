use serde_json::json;

use super::*;

fn input(value: &Value) -> ToolInput {
    ToolInput::from(value.as_object().unwrap().clone())
}

#[test]
fn a_missing_or_blank_device_name_is_an_error() {
    for value in [
        json!({}),
        json!({"deviceName": null}),
        json!({"deviceName": "  "}),
    ] {
        let input = input(&value);
        let error = InputReader::new(&input).device_name().unwrap_err();
        assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
        assert_eq!(
            error.message(),
            "The deviceName is missing. Say which device you mean."
        );
    }
}

#[test]
fn the_error_names_a_value_of_the_wrong_type() {
    let input = input(&json!({"t": 1, "f": "yes", "long": "x".repeat(201)}));
    let reader = InputReader::new(&input);
    let messages = [
        reader.text("t").unwrap_err(),
        reader.flag("f").unwrap_err(),
        reader.text("long").unwrap_err(),
    ];
    assert_eq!(
        messages.map(|error| error.message().to_owned()),
        [
            "The t must be a text.",
            "The f must be true or false.",
            "The long is too long."
        ]
    );
}

#[test]
fn an_integer_out_of_range_is_an_error() {
    let read = |value: Value| {
        let input = input(&json!({ "level": value }));
        InputReader::new(&input).whole("level", 0..=100)
    };
    assert_eq!(read(json!(0)).unwrap(), Some(0));
    assert_eq!(read(json!(100)).unwrap(), Some(100));
    assert_eq!(read(json!(50.0)).unwrap(), Some(50));
    assert_eq!(read(json!(null)).unwrap(), None);
    for bad in [json!(-1), json!(101), json!(1.5), json!("50"), json!(1e300)] {
        let error = read(bad.clone()).unwrap_err();
        assert_eq!(
            error.message(),
            format!("The level must be a whole number from 0 to 100, not {bad}.")
        );
    }
}
