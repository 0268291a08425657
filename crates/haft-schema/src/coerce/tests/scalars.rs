//! Strings, numbers and booleans.

use serde_json::{Value, json};

use super::{one, unchanged};

#[test]
fn text_becomes_the_number_in_it() {
    assert_eq!(one(json!({"type": "integer"}), json!("40")), json!(40));
    assert_eq!(one(json!({"type": "integer"}), json!("3.0")), json!(3));
    assert_eq!(one(json!({"type": "integer"}), json!(" 5 ")), json!(5));
    assert_eq!(one(json!({"type": "number"}), json!("1e3")), json!(1000));
    assert_eq!(one(json!({"type": "number"}), json!("-0.5")), json!(-0.5));
    assert_eq!(
        one(json!({"type": "integer"}), json!("18446744073709551615")),
        json!(u64::MAX)
    );
    assert_eq!(
        one(json!({"type": ["integer", "null"]}), json!("7")),
        json!(7)
    );
    assert_eq!(one(json!({"enum": [1, 2, 3]}), json!("2")), json!(2));
    assert_eq!(
        one(json!({"enum": ["auto", 2.5]}), json!("2.5")),
        json!(2.5)
    );
    // A number out of range is reported by validation.
    assert_eq!(
        one(json!({"type": "integer", "maximum": 100}), json!("140")),
        json!(140)
    );
}

#[test]
fn text_that_is_not_exactly_a_number_stays() {
    for text in [
        "1,00", "3.5", "", "abc", "0x10", "05.5", "5 %", "$5", "5 kg", "NaN",
    ] {
        unchanged(json!({"type": "integer"}), json!(text));
    }
    unchanged(json!({"type": ["integer", "string"]}), json!("05"));
    unchanged(json!({"type": "number"}), json!("1e999"));
    unchanged(json!({"enum": [1, 2, 3]}), json!("4"));
}

#[test]
fn numbers_of_any_length_keep_every_digit() {
    let digits = "123456789012345678901234567890";
    let number: Value = digits.parse().unwrap();
    for schema in [json!({"type": "integer"}), json!({"type": "number"})] {
        assert_eq!(one(schema.clone(), json!(digits)).to_string(), digits);
        unchanged(schema, number.clone());
    }
    assert_eq!(one(json!({"type": "string"}), number), json!(digits));
    let long = "0.1000000000000000055511151231257827";
    assert_eq!(
        one(json!({"type": "number"}), json!(long)).to_string(),
        long
    );
}

#[test]
fn numbers_are_compared_by_value() {
    let choices = json!({"enum": [1.0, 2.50, 100]});
    assert_eq!(one(choices.clone(), json!("1.00")).to_string(), "1.0");
    let hundred: Value = "1e2".parse().unwrap();
    unchanged(choices, hundred);
    // Both are the same number.
    let either = json!({"anyOf": [{"type": "integer"}, {"type": "number", "maximum": 9}]});
    assert_eq!(one(either, json!("5.0")), json!(5));
}

#[test]
fn grouped_digits_are_a_number_where_only_a_number_is_wanted() {
    for text in ["1,000", "1 000", "1_000", "1'000", " +1,000.0 "] {
        assert_eq!(
            one(json!({"type": "integer"}), json!(text)),
            json!(1000),
            "{text}"
        );
    }
    assert_eq!(
        one(json!({"type": ["number", "null"]}), json!("1,234.5")),
        json!(1234.5)
    );
    let list = json!({"type": "array", "items": {"type": "integer"}});
    // It may be meant as a list of three numbers.
    unchanged(list.clone(), json!("100,200,300"));
    unchanged(
        json!({"anyOf": [list.clone(), {"type": "integer"}]}),
        json!("100,200"),
    );
    unchanged(json!({"type": ["integer", "boolean"]}), json!("1,000"));
    assert_eq!(one(list, json!(["1,000"])), json!([1000]));
}

#[test]
fn words_and_switches_become_a_boolean_where_only_that_is_wanted() {
    let boolean = json!({"type": "boolean"});
    for (value, expected) in [
        (json!("true"), true),
        (json!(" False"), false),
        (json!("Yes"), true),
        (json!("no"), false),
        (json!("ON"), true),
        (json!("off"), false),
        (json!(1), true),
        (json!(0), false),
        (json!("1"), true),
    ] {
        assert_eq!(
            one(boolean.clone(), value.clone()),
            json!(expected),
            "{value}"
        );
    }
    for value in [
        json!(2),
        json!(1.5),
        json!(-1),
        json!("2"),
        json!("y"),
        json!("enabled"),
        json!(""),
    ] {
        unchanged(boolean.clone(), value);
    }
    let maybe = json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]});
    assert_eq!(one(maybe, json!("yes")), json!(true));
    unchanged(
        json!({"anyOf": [{"type": "boolean"}, {"type": "integer"}]}),
        json!("yes"),
    );
    unchanged(json!({"type": ["boolean", "object"]}), json!("no"));
    // An accepted string is better than a conversion to a boolean.
    assert_eq!(
        one(
            json!({"anyOf": [{"type": "boolean"}, {"type": "string"}]}),
            json!(1)
        ),
        json!("1")
    );
    let nested = json!({"anyOf": [{"type": "object", "properties": {"on": {"type": "boolean"}}}, {"type": "integer"}]});
    assert_eq!(one(nested, json!({"on": "yes"})), json!({"on": true}));
}

#[test]
fn a_float_without_fraction_becomes_whole_where_that_is_wanted() {
    assert_eq!(one(json!({"type": "integer"}), json!(3.0)), json!(3));
    assert_eq!(
        one(json!({"type": ["null", "integer"]}), json!(-4.0)),
        json!(-4)
    );
    unchanged(json!({"type": "number"}), json!(3.0));
    unchanged(json!({"type": "integer"}), json!(3.5));
    assert_eq!(
        one(json!({"type": "integer"}), json!(1e17)),
        json!(100_000_000_000_000_000_u64)
    );
    unchanged(json!({"type": "integer"}), json!(1e300));
}

#[test]
fn numbers_and_booleans_become_their_text() {
    assert_eq!(one(json!({"type": "string"}), json!(5)), json!("5"));
    assert_eq!(one(json!({"type": "string"}), json!(2.5)), json!("2.5"));
    assert_eq!(one(json!({"type": "string"}), json!(true)), json!("true"));
    assert_eq!(
        one(json!({"enum": ["True", "False"]}), json!(true)),
        json!("True")
    );
    unchanged(
        json!({"type": "string", "enum": ["on", "off"]}),
        json!(true),
    );
    unchanged(json!({"type": "string"}), json!({"a": 1}));
    unchanged(json!({"type": "string"}), json!(null));
}

#[test]
fn quotes_around_a_choice_a_number_or_a_boolean_are_removed() {
    let mode = json!({"type": "string", "enum": ["heat", "fan-only"]});
    assert_eq!(one(mode.clone(), json!("\"heat\"")), json!("heat"));
    assert_eq!(one(mode.clone(), json!("`Fan only`")), json!("fan-only"));
    assert_eq!(one(json!({"type": "integer"}), json!("'5'")), json!(5));
    assert_eq!(
        one(json!({"type": "boolean"}), json!(" \"true\" ")),
        json!(true)
    );
    unchanged(mode, json!("\"heat"));
    unchanged(json!({"type": "integer"}), json!("5\""));
    unchanged(json!({"type": ["integer", "string"]}), json!("'5'"));
    let quoted = json!({"enum": ["\"a\"", "b"]});
    unchanged(quoted, json!("\"a\""));
}
