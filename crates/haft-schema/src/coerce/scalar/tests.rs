//! Conversions of numbers, exact to the last digit.

use proptest::prelude::*;
use serde_json::json;

use super::{answer_in, boolean_in, json_in, number_in, spelled, text_of, ungrouped, whole};
use crate::number::Decimal;

fn written(text: &str, whole: bool) -> Option<String> {
    number_in(text, whole).map(|number| number.to_string())
}

#[test]
fn a_number_keeps_how_it_was_written() {
    for (text, whole, expected) in [
        ("3.0", false, "3.0"),
        ("3.0", true, "3"),
        ("1e3", false, "1000"),
        ("1E+2", true, "100"),
        ("12e-1", false, "1.2"),
        ("-0", true, "0"),
        ("007", true, "7"),
        ("-05", true, "-5"),
        ("00", true, "0"),
        ("-9223372036854775809", true, "-9223372036854775809"),
        ("9007199254740993.0", true, "9007199254740993"),
        ("9007199254740993.0", false, "9007199254740993.0"),
        (
            "0.1000000000000000055511151231257827",
            false,
            "0.1000000000000000055511151231257827",
        ),
        ("+5", true, "5"),
        (".5", false, "0.5"),
        ("-.5", false, "-0.5"),
        ("5.", true, "5"),
        ("-5.", false, "-5"),
    ] {
        assert_eq!(written(text, whole).as_deref(), Some(expected), "{text}");
    }
    let long = "1".repeat(300);
    assert_eq!(written(&long, true), Some(long));
}

#[test]
fn text_that_is_not_a_number_stays_text() {
    for text in [
        "12e-1",
        "0e99999999999",
        "1e999",
        "05.5",
        "-05e1",
        "+-5",
        "--5",
        "-+5",
        "+",
        ".",
        "-",
        "",
        "e5",
        "1.2.3",
        "0x10",
        "5 %",
        "1,000",
        "NaN",
        "{\"$serde_json::private::Number\":\"5\"}",
        "٣",
    ] {
        assert_eq!(written(text, true), None, "{text}");
    }
}

#[test]
fn groups_of_three_digits_are_joined() {
    for (text, expected) in [
        ("1,000", "1000"),
        ("12 345 678", "12345678"),
        ("1_000", "1000"),
        ("-1'234'567.5", "-1234567.5"),
        ("+1\u{202f}000", "1000"),
    ] {
        assert_eq!(ungrouped(text).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "1,00",
        "1000",
        "0,123",
        "1,0000",
        "1,000 000",
        "1,000.",
        ",000",
        "1,000e3",
        "1,",
        "a,000",
        "1.000",
    ] {
        assert_eq!(ungrouped(text), None, "{text}");
    }
}

#[test]
fn only_integral_numbers_with_a_fraction_become_integers() {
    let of = |text: &str| whole(&text.parse().unwrap()).map(|number| number.to_string());
    assert_eq!(
        of("9007199254740994.0").as_deref(),
        Some("9007199254740994")
    );
    assert_eq!(of("1e2").as_deref(), Some("100"));
    assert_eq!(of("5"), None);
    assert_eq!(of("5.5"), None);
    assert_eq!(of("1e300"), None);
}

#[test]
fn numbers_become_text_in_their_own_digits() {
    for (text, expected) in [
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("2.50", "2.50"),
        ("3.10", "3.10"),
        ("1e2", "1e2"),
        (
            "0.1000000000000000055511151231257827",
            "0.1000000000000000055511151231257827",
        ),
    ] {
        assert_eq!(
            text_of(&serde_json::from_str(text).unwrap()).as_deref(),
            Some(expected)
        );
    }
}

#[test]
fn booleans_are_spelled_in_full() {
    assert_eq!(boolean_in("TRUE"), Some(true));
    assert_eq!(boolean_in("t"), None);
    assert_eq!(boolean_in("yes"), None);
    assert_eq!(answer_in(" Yes "), Some(true));
    assert_eq!(answer_in("OFF"), Some(false));
    assert_eq!(answer_in("y"), None);
}

#[test]
fn spelling_must_be_unique() {
    let choices = [json!("On"), json!("Off"), json!("OFF"), json!(1)];
    assert_eq!(spelled(" on", &choices), Some(&json!("On")));
    assert_eq!(spelled("off", &choices), None);
    assert_eq!(spelled("1", &choices), None);
    let choices = [
        json!("turn_on"),
        json!("turn-off"),
        json!("turnOff"),
        json!("1"),
    ];
    assert_eq!(spelled("Turn On", &choices), Some(&json!("turn_on")));
    assert_eq!(spelled("turn off", &choices), None);
    assert_eq!(spelled("-1", &choices), None);
}

proptest! {
    #[test]
    fn every_integer_survives_a_round_trip(number: i128) {
        prop_assert_eq!(written(&number.to_string(), true), Some(number.to_string()));
    }

    #[test]
    fn parsed_numbers_are_printed_as_the_same_number(text in "[+-]?[0-9]{0,22}(\\.[0-9]{0,22})?([eE][+-]?[0-9]{1,3})?", whole: bool) {
        if let Some(number) = number_in(&text, whole) {
            prop_assert_eq!(Decimal::of(number.as_str()), Decimal::of(text.trim_start_matches('+')));
        }
    }

    #[test]
    fn every_float_survives_a_round_trip(float: f64) {
        prop_assume!(float.is_finite());
        let text = serde_json::to_string(&float).unwrap();
        prop_assert_eq!(number_in(&text, false).and_then(|number| number.as_f64()), Some(float));
    }

    #[test]
    fn digit_groups_are_removed(number in 1_000_u64.., separator in "[,_' ]") {
        let digits = number.to_string();
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push_str(&separator);
            }
            grouped.push(digit);
        }
        prop_assert_eq!(ungrouped(&grouped), Some(digits));
    }

    #[test]
    fn arbitrary_text_does_not_panic(text: String, whole: bool) {
        let _ = number_in(&text, whole);
        let _ = ungrouped(&text);
    }
}

#[test]
fn lists_are_read_as_python_writes_them() {
    for (text, expected) in [
        (
            "['a', \"b's\", 'say \"c\"']",
            Some(json!(["a", "b's", "say \"c\""])),
        ),
        (
            "{'on': True, 'off': False, 'n': None}",
            Some(json!({"on": true, "off": false, "n": null})),
        ),
        (r"['it\'s', 'a\nb']", Some(json!(["it's", "a\nb"]))),
        ("['it's']", None),
        ("['a', b]", None),
        ("['a'", None),
    ] {
        assert_eq!(json_in(text), expected, "{text}");
    }
}
