//! The scan ends a value where the reader of values ends it, however the text is cut.

use proptest::prelude::*;
use serde_json::Value;

use super::{Balance, Stop, end, end_in_parts};
use crate::arguments::value::read_value_prefix;
use crate::scan::lexis::tests::json;

/// How models damage values.
const DAMAGES: [(&str, &str); 20] = [
    ("\"", "'"),
    ("\"", "\\\""),
    ("\":", "\" :"),
    (":", "："),
    (":", "="),
    (",", "，"),
    (",", ",,"),
    (",", ";"),
    (",", ", // it's\n"),
    (",", " /* } */ ,"),
    (" ", "\u{a0}"),
    ("]", ""),
    ("]", ",]"),
    ("}", ""),
    ("}", ",}"),
    ("]", "}"),
    ("}", "]"),
    ("[", "[ # }\n"),
    ("true", "True"),
    ("\":", "\""),
];

/// A value and damage done to it: all of one kind, or one at a place. What looks like a quote
/// stands around strings only, for damage to both is beyond any rule.
fn damaged() -> impl Strategy<Value = String> {
    let value = json().prop_filter("brackets and plain strings", |value| {
        let is_plain = !value.to_string().contains(['\\', '\'', '`', '“', '’']);
        is_plain && (value.is_object() || value.is_array())
    });
    (
        value,
        0..DAMAGES.len(),
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|(value, damage, place, is_everywhere)| {
            let text = spaced(&value);
            let (from, to) = DAMAGES[damage];
            let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
            if is_everywhere || places.is_empty() {
                return text.replace(from, to);
            }
            let at = places[place.index(places.len())];
            format!("{}{to}{}", &text[..at], &text[at + from.len()..])
        })
}

/// As models write it: with blanks, on one line.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), spaced(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        value => value.to_string(),
    }
}

proptest! {
    #[test]
    fn valid_json_ends_where_it_is_read_to(value in json(), after in "[ \na-z}\\],:]{0,6}") {
        let value = match value {
            Value::Object(_) | Value::Array(_) => value,
            leaf => Value::Array(vec![leaf]),
        };
        let value = spaced(&value);
        let text = format!("{value}{after}");
        prop_assert_eq!(end(&text), Stop::Closed(value.len()), "{}", text);
        for size in [1, 2, 3, 7] {
            prop_assert_eq!(end_in_parts(&text, size), Stop::Closed(value.len()), "{}", text);
        }
    }

    #[test]
    fn damaged_values_end_where_they_are_read_to(value in damaged()) {
        // Where an empty string that is closed by another quote ends, is beyond any rule.
        prop_assume!(!value.contains("\"'"));
        if let Ok((read, taken)) = read_value_prefix(&value, false) {
            let found = match end(&value) {
                Stop::Closed(end) => end,
                Stop::End => value.len(),
                stop => panic!("{value} {stop:?}"),
            };
            prop_assert_eq!(found, taken, "{} {:?}", value, read);
        }
    }

    #[test]
    fn cuts_do_not_matter(value in damaged(), garbage in "[\"'{}:,\\\\a \n\\]\\[()=<|“’#/*：é;>`-]{0,24}") {
        for text in [value, format!("{{{garbage}"), format!("({garbage}")] {
            let whole = end(&text);
            for size in 1..6 {
                prop_assert_eq!(&end_in_parts(&text, size), &whole, "{} by {}", text, size);
            }
            for (cut, _) in text.char_indices().skip(1) {
                let mut balance = Balance::default();
                let first = match balance.run(&text[..cut], false) {
                    Stop::More => balance.run(&text, true),
                    stop => stop,
                };
                prop_assert_eq!(&first, &whole, "{} cut at {}", text, cut);
            }
        }
    }
}

#[test]
fn floods_end_soon() {
    for part in [
        "\"", "\\", "'a", "\"\"", "\" ", "\",", "\", \"", "a,", "{\"a\":", "[", "(", "}", "]", "#",
        "/*", "*", "//\n", " ", "`", "“", "\\\"", "<escape>", "<", "<|", "</", "\"a\" ", "\"\"\"",
        "a: ", "\"a: ", "：", "é", "\u{a0}", "[}", "(]", "{]",
    ] {
        // What takes more than one step per byte takes minutes for the first.
        for (start, len) in [
            ("{\"a\": \"", 1_000_000),
            ("{", 50_000),
            ("[", 50_000),
            ("(", 50_000),
        ] {
            let text = format!("{start}{}", part.repeat(len / part.len()));
            let whole = end(&text);
            assert_eq!(end_in_parts(&text, 9_973), whole, "{start}{part}");
        }
    }
}
