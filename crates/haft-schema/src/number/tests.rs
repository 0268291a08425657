//! Which numbers are equal.

use proptest::prelude::*;
use serde_json::{Number, Value, json};

use super::{Decimal, is_plain, is_same};

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn decimals_compare_by_value() {
    for (one, other) in [
        ("1.50", "15e-1"),
        ("100", "1e2"),
        ("-0.0", "0"),
        ("0.001", "1E-3"),
        (
            "123456789012345678901234567890",
            "12345678901234567890123456789e1",
        ),
    ] {
        assert_eq!(Decimal::of(one), Decimal::of(other), "{one} {other}");
        let one = json!([{"a": value(one)}]);
        assert!(is_same(&one, &json!([{"a": value(other)}])));
    }
    for (one, other) in [
        ("1.5", "-1.5"),
        ("1", "10"),
        ("9007199254740993", "9007199254740992"),
        ("1", "true"),
        ("[1]", "[1, 1]"),
        (r#"{"a": 1}"#, r#"{"b": 1}"#),
    ] {
        assert!(!is_same(&value(one), &value(other)), "{one} {other}");
    }
}

#[test]
fn only_digits_are_plain() {
    for (text, expected) in [("12", true), ("-5", true), ("1.0", false), ("1e2", false)] {
        let number: Number = text.parse().unwrap();
        assert_eq!(is_plain(&number), expected, "{text}");
    }
}

#[test]
fn whole_numbers_keep_every_digit() {
    let of = |text| {
        Decimal::of(text)
            .unwrap()
            .integer()
            .map(|number| number.to_string())
    };
    assert_eq!(of("-12e3").as_deref(), Some("-12000"));
    assert_eq!(
        of("340282366920938463463374607431768211456.0").as_deref(),
        Some("340282366920938463463374607431768211456")
    );
    assert_eq!(of("-0").as_deref(), Some("0"));
    assert_eq!(of("1.5"), None);
    assert_eq!(of("1e65"), None);
    assert_eq!(Decimal::of("1e99999999999"), None);
}

proptest! {
    #[test]
    fn an_integer_equals_itself(number: i128) {
        let text = number.to_string();
        prop_assert_eq!(Decimal::of(&text).unwrap().integer().unwrap().to_string(), text);
    }
}
