use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::value;
use crate::lexis::tests::json;
use crate::tool_set::{Check, Filling};
use crate::value::{read_arguments, settle_numbers};

type Members = Map<String, Value>;

/// A map with the names that are expected, of which nothing else is known.
fn filling(arguments: Members) -> Filling<'static> {
    let check = Check::nothing();
    Filling { arguments, check }
}

fn object(text: &str, at: usize, names: Members) -> Option<(Members, usize)> {
    let (filled, end) = super::object(text, at, filling(names))?;
    Some((filled.arguments, end))
}

fn python_arguments(text: &str, at: usize, names: Members) -> Option<(Members, usize)> {
    let (filled, end) = super::python_arguments(text, at, filling(names))?;
    Some((filled.arguments, end))
}

/// As the quick way reads an object, whatever names are expected in it.
fn read(text: &str) -> Option<(Map<String, Value>, usize)> {
    let without = object(text, 1, Map::new());
    for names in [
        json!({"a": null, "b": null}),
        json!({"s": {"a": null}, "n": null}),
    ] {
        let names = names.as_object().cloned().unwrap();
        assert_eq!(
            shown(object(text, 1, names).as_ref()),
            shown(without.as_ref()),
            "{text}"
        );
    }
    // The names that are there, and one that is not.
    if let Some((members, _)) = &without {
        let mut names = empty(members);
        let with = object(text, 1, names.clone());
        assert_eq!(shown(with.as_ref()), shown(without.as_ref()), "{text}");
        names.insert("more".to_owned(), Value::Null);
        let with = object(text, 1, names.into_iter().rev().collect());
        assert_eq!(shown(with.as_ref()), shown(without.as_ref()), "{text}");
    }
    without
}

/// The same with all values null, but for objects.
fn empty(members: &Map<String, Value>) -> Map<String, Value> {
    let value = |value: &Value| match value {
        Value::Object(members) => Value::Object(empty(members)),
        _ => Value::Null,
    };
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let members = members.iter().filter(|(name, _)| plain(name));
    members
        .map(|(name, member)| (name.clone(), value(member)))
        .collect()
}

/// With the order of the members, which does not count where maps are compared.
fn shown(read: Option<&(Map<String, Value>, usize)>) -> String {
    format!("{read:?}")
}

/// As the careful way reads a text that is an object and nothing else.
fn careful(text: &str) -> Option<Map<String, Value>> {
    let mut members: Map<String, Value> = serde_json::from_str(text).ok()?;
    members.values_mut().for_each(settle_numbers);
    Some(members)
}

/// What is read agrees with the careful way, in values, order and end.
fn assert_agrees(text: &str) -> Option<Map<String, Value>> {
    let (members, end) = read(text)?;
    let expected = careful(text.get(..end).unwrap());
    assert_eq!(
        expected.as_ref().map(|members| format!("{members:?}")),
        Some(format!("{members:?}")),
        "{text}"
    );
    Some(members)
}

#[test]
fn all_of_json_is_read() {
    for text in [
        "{}",
        "{\"a\" :\n[ ] , \"b\":{ },\"c\":[1 ,\t[2]]}",
        r#"{"n": [0, -0, -1, 12.5, 1.50, 1e3, 0.0, 999999999999999999, 123456789012345678901234567890]}"#,
        r#"{"n": [-999999999999999999, 9223372036854775808, 1E-2, 10.0, 100]}"#,
        r#"{"s": "\" \\ \/ \b \f \n \r \t \u0041 \u00e9 \u4F60 \ud83d\ude86", "键": "值"}"#,
        r#"{"a": true, "b": false, "c": null, "a": 1}"#,
        r#"{"long": "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890\n0123456789012345678901234567890123456789"}"#,
    ] {
        assert!(assert_agrees(text).is_some(), "{text}");
    }
}

#[test]
fn what_is_unusual_is_left_to_the_careful_way() {
    let long = "x".repeat(100);
    for text in [
        r#"{"a": 01}"#,
        r#"{"a": 1.}"#,
        r#"{"a": .5}"#,
        r#"{"a": +1}"#,
        r#"{"a": -}"#,
        r#"{"a": 1e}"#,
        r#"{"a": 1-2}"#,
        r#"{"a": tru}"#,
        r#"{"a": True}"#,
        r#"{"a": truex}"#,
        r#"{"a": 1,}"#,
        r#"{"a": [1,]}"#,
        r#"{"a": [,1]}"#,
        r#"{"a": [1 2]}"#,
        r#"{"a" 1}"#,
        r#"{a: 1}"#,
        r#"{"a": "x"y"}"#,
        r#"{"a": "\x"}"#,
        r#"{"a": "\u12"}"#,
        r#"{"a": "\u+123"}"#,
        r#"{"a": "\ud83d"}"#,
        r#"{"a": "\ud83d\u0041"}"#,
        r#"{"a": "\ude86"}"#,
        "{\"a\": \"line\nbreak\"}",
        &format!("{{\"a\": \"{long}\n\"}}"),
        r#"{"$serde_json::private::Number": "1"}"#,
        r#"{"a": "b"#,
        r#"{"a": 1"#,
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

/// What is read of arguments in Python's notation agrees with the careful way, which mends nothing
/// in them; false if nothing is read.
fn python_agrees(text: &str) -> bool {
    let closed = format!("{text})");
    let read = python_arguments(&closed, 0, Map::new());
    let names = json!({"a": null, "b": {"k": null}})
        .as_object()
        .cloned()
        .unwrap();
    let with = python_arguments(&closed, 0, names);
    assert_eq!(shown(with.as_ref()), shown(read.as_ref()), "{text}");
    let Some((arguments, end)) = read else {
        return false;
    };
    let with = python_arguments(&closed, 0, empty(&arguments));
    assert_eq!(with, Some((arguments.clone(), end)), "{text}");
    if end < text.len() {
        return false;
    }
    let mut careful = read_arguments(text, false).unwrap();
    careful.value.named.values_mut().for_each(settle_numbers);
    assert_eq!(careful.repairs, [], "{text}");
    assert!(careful.value.positional.is_empty(), "{text}");
    assert_eq!(
        format!("{arguments:?}"),
        format!("{:?}", careful.value.named),
        "{text}"
    );
    true
}

#[test]
fn python_is_read() {
    for text in [
        "",
        "a=1",
        "a='x', b=\"y\", c=True, d=False, e=None, f=-1.50",
        "a=[1, 'x', [True]], b={'k': None, \"l\": {}}",
        "a='it\\'s\\n\\\\', b=\"it's\", c='say \"x\"'",
        "city='São Paulo', 日='x'",
    ] {
        assert_eq!(
            python_agrees(text),
            text.is_ascii() || !text.contains('日'),
            "{text}"
        );
    }
    for text in [
        "1",
        "a",
        "a=",
        "a=true",
        "a=x",
        "a=(1,)",
        "a=1, a=2",
        "a={'b': 1, 'b': 2}",
        "a='x' 'y'",
        "a='x'y'",
        "a='\\x41'",
        "a=1 b=2",
        "a=1,",
        "a=[1,]",
        "a='\n'",
        "a='x",
        "*a",
        "a==1",
    ] {
        assert!(!python_agrees(text), "{text}");
    }
}

/// A value in Python's notation.
fn python(value: &Value) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.len() % 2 == 0 => {
            format!(
                "'{}'",
                text.replace('\\', "\\\\")
                    .replace('\'', "\\'")
                    .replace('\n', "\\n")
            )
        }
        Value::String(text) => {
            format!(
                "\"{}\"",
                text.replace('\\', "\\\\")
                    .replace('"', "\\\"")
                    .replace('\n', "\\n")
            )
        }
        Value::Array(items) => format!("[{}]", list(items.iter().map(python).collect())),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", python(&Value::String(key.clone())), python(value))
            };
            format!("{{{}}}", list(members.iter().map(member).collect()))
        }
    }
}

#[test]
fn a_value_alone_is_read_whole() {
    let read = |text: &str| value(text).map(|value| value.to_string());
    for text in ["12", "-1.5", "true", "\"a\\nb\"", "[1,{}]", "{\"a\":null}"] {
        assert_eq!(read(text).as_deref(), Some(text));
    }
    for text in ["", "12 ", "1,2", "true x", "\"a\"b", "[1]]", "{}{}", "Oslo"] {
        assert_eq!(read(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn the_careful_way_agrees(value in json(), is_pretty in any::<bool>(), rest in ".{0,9}") {
        prop_assume!(value.is_object());
        let written = if is_pretty { format!("{value:#}") } else { value.to_string() };
        let (members, end) = read(&format!("{written}{rest}")).unwrap();
        prop_assert_eq!(end, written.len());
        prop_assert_eq!(Some(members), careful(&written));
    }

    #[test]
    fn the_careful_way_agrees_in_python(
        values in prop::collection::vec(("[a-z_]{1,6}", json()), 0..4),
        damage in prop::option::of(("[\"'\\\\{}\\[\\],:=() a1]", any::<prop::sample::Index>())),
    ) {
        let parts: Vec<String> = values
            .iter()
            .map(|(key, value)| format!("{key}={}", python(value)))
            .collect();
        let mut text = parts.join(", ");
        if let Some((sign, at)) = damage {
            let mut at = at.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &sign);
        }
        python_agrees(&text);
    }

    #[test]
    fn damaged_text_is_read_alike_or_not_at_all(
        value in json(),
        at in any::<prop::sample::Index>(),
        sign in "[\"\\\\{}\\[\\],:0-9eE.+-tfn u\\n]",
    ) {
        prop_assume!(value.is_object());
        let mut written = value.to_string();
        let mut at = at.index(written.len() + 1);
        while !written.is_char_boundary(at) {
            at -= 1;
        }
        written.insert_str(at, &sign);
        assert_agrees(&written);
    }
}
