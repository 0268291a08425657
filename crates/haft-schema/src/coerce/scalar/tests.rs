//! Numbers in texts, to the last digit.

use proptest::prelude::*;
use serde_json::{Number, json};

use super::{Decimal, boolean_in, number_in, spelled, whole};

#[test]
fn a_number_keeps_how_it_was_written() {
    assert_eq!(number_in("3.0", false), Number::from_f64(3.0));
    assert_eq!(number_in("3.0", true), Some(Number::from(3)));
    assert_eq!(number_in("1e3", false), Some(Number::from(1000)));
    assert_eq!(number_in("1E+2", true), Some(Number::from(100)));
    assert_eq!(number_in("12e-1", true), None);
    assert_eq!(number_in("12e-1", false), Number::from_f64(1.2));
    assert_eq!(number_in("-0", true), Some(Number::from(0)));
    assert_eq!(number_in("0e99999999999", false), None);
    assert_eq!(
        number_in("-9223372036854775808", true),
        Some(Number::from(i64::MIN))
    );
    assert_eq!(number_in("-9223372036854775809", true), None);
    assert_eq!(
        number_in("9007199254740993.0", true),
        Some(Number::from(9_007_199_254_740_993_u64))
    );
    assert_eq!(number_in("9007199254740993.0", false), None);
}

#[test]
fn decimals_compare_by_value() {
    for (one, other) in [
        ("1.50", "15e-1"),
        ("100", "1e2"),
        ("-0.0", "0"),
        ("0.001", "1E-3"),
    ] {
        assert_eq!(Decimal::of(one), Decimal::of(other), "{one} {other}");
    }
    assert_ne!(Decimal::of("1.5"), Decimal::of("-1.5"));
    assert_ne!(Decimal::of("1"), Decimal::of("10"));
}

#[test]
fn only_exact_floats_become_whole() {
    assert_eq!(
        whole(&Number::from_f64(9_007_199_254_740_992.0).unwrap()),
        Some(Number::from(1_u64 << 53))
    );
    assert_eq!(
        whole(&Number::from_f64(9_007_199_254_740_994.0).unwrap()),
        None
    );
    assert_eq!(whole(&Number::from(5)), None);
}

#[test]
fn booleans_are_spelled_in_full() {
    assert_eq!(boolean_in("TRUE"), Some(true));
    assert_eq!(boolean_in("t"), None);
}

#[test]
fn spelling_must_be_unique() {
    let choices = [json!("On"), json!("Off"), json!("OFF"), json!(1)];
    assert_eq!(spelled(" on", &choices), Some(&json!("On")));
    assert_eq!(spelled("off", &choices), None);
    assert_eq!(spelled("1", &choices), None);
}

proptest! {
    #[test]
    fn every_integer_comes_back(number: i64) {
        prop_assert_eq!(number_in(&number.to_string(), true), Some(Number::from(number)));
    }

    #[test]
    fn what_is_read_prints_back_to_the_same_number(text in "-?[0-9]{1,22}(\\.[0-9]{1,22})?([eE][+-]?[0-9]{1,3})?", whole: bool) {
        if let Some(number) = number_in(&text, whole) {
            prop_assert_eq!(Decimal::of(&number.to_string()), Decimal::of(&text));
        }
    }

    #[test]
    fn every_float_comes_back(float: f64) {
        prop_assume!(float.is_finite());
        let text = serde_json::to_string(&float).unwrap();
        prop_assert_eq!(number_in(&text, false).and_then(|number| number.as_f64()), Some(float));
    }

    #[test]
    fn no_text_breaks_it(text: String, whole: bool) {
        let _ = number_in(&text, whole);
    }
}
