//! Garbage, floods, and every value there is.

use proptest::prelude::*;
use serde_json::Value;

use super::{ReadError, arguments, value};
use crate::arguments::value::read_value_prefix;
use crate::scan::lexis;
use haft_schema::settle_numbers;

#[test]
fn garbage_is_read_without_harm() {
    const PARTS: [&str; 44] = [
        "{", "}", "[", "]", "(", ")", ",", ":", "=", ";", "\"", "'", "`", "“", "”", "\\", "\\\"",
        "\\u", "\\ud83d", "\\x4", "\n", " ", "#", "//", "/*", "*/", "<escape>", "<|\"|>", "</",
        "a", "name", "True", "null", "12", "-", "1e", "0x", ".", "é", "dict(", "r'", "\"\"\"",
        "\\_", "\u{0}",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..30_000 {
        let length = random.usize(0..24);
        let text: String = (0..length)
            .map(|_| PARTS[random.usize(0..PARTS.len())])
            .collect();
        for cut in [false, true] {
            let _ = crate::arguments::value::read_value(&text, cut);
            let _ = crate::arguments::value::read_parenthesized(&text, cut);
            if let Ok((_, end)) = read_value_prefix(&text, cut) {
                assert!(text.is_char_boundary(end), "{text} {end}");
            }
        }
    }
}

#[test]
fn floods_end_soon() {
    for part in [
        "[",
        "{",
        "(",
        "{{",
        "[{\"a\":",
        "\"",
        "\\",
        "'a",
        "\"\"",
        "\" ",
        "\",",
        "\", \"",
        "a,",
        "a: ",
        "{a:",
        "[a:",
        "(1,",
        "((1)+",
        "#",
        "/*",
        "//\n",
        " ",
        ",",
        "`",
        "“",
        "\\\"",
        "1",
        "a=",
        "f(",
        "dict(",
        "<escape>",
        "'' ",
        "}",
        "]",
        ")",
        "\n",
        "\"a\":",
        "\"a\" ",
        "\"\"\"",
        "a b",
        "<|\"|>",
        "<|\"|>a",
        "<|\"|>,a:",
        ",a:1",
    ] {
        let flood = part.repeat(40_000 / part.len());
        let _ = value(&flood);
        let _ = arguments(&flood);
        let _ = value(&format!("[{flood}"));
        let _ = value(&format!("{{\"a\": \"{flood}"));
        let _ = arguments(&format!("a={flood}"));
    }
    // What takes more than one step per byte takes minutes for these.
    for part in ["[", "{", "\"", "\\", "'a", "(", "[\"a\", "] {
        let flood = part.repeat(1_000_000 / part.len());
        assert!(value(&flood).is_err(), "{part}");
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}1,{}", "[".repeat(depth), "]".repeat(depth));
    assert!(value(&nested(64)).is_ok());
    let too_deep = value(&nested(65));
    assert!(matches!(
        too_deep,
        Err(ReadError::Unreadable { at: 64, .. })
    ));
}

/// `value` as Python prints it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => python_text(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(python).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", python_text(key), python(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn python_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut printed = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => printed.push_str("\\\\"),
            '\n' => printed.push_str("\\n"),
            '\t' => printed.push_str("\\t"),
            '\r' => printed.push_str("\\r"),
            c if c == quote => printed.extend(['\\', c]),
            c if c.is_control() && u32::from(c) < 0x100 => {
                printed.push_str(&format!("\\x{:02x}", u32::from(c)));
            }
            c => printed.push(c),
        }
    }
    printed.push(quote);
    printed
}

proptest! {
    #[test]
    fn valid_json_reads_as_itself(written in lexis::tests::json(), pretty in any::<bool>()) {
        let text = match pretty {
            true => serde_json::to_string_pretty(&written).unwrap(),
            false => written.to_string(),
        };
        let mut expected = written;
        settle_numbers(&mut expected);
        prop_assert_eq!(value(&text), Ok(expected.clone()));
        // A comma too many sends the same text through the lenient reader.
        let listed = format!("[{text},]");
        prop_assert_eq!(value(&listed), Ok(Value::Array(vec![expected.clone()])), "{}", listed);
        let (read, end) = read_value_prefix(&listed, false).unwrap();
        prop_assert_eq!((read.value, end), (Value::Array(vec![expected]), listed.len()));
    }

    #[test]
    fn python_reads_as_the_same_value(written in lexis::tests::json()) {
        let mut expected = written;
        settle_numbers(&mut expected);
        let text = python(&expected);
        prop_assert_eq!(value(&text), Ok(expected.clone()), "{}", text);
        let named = format!("a={text}, b=1");
        let read = arguments(&named);
        prop_assert!(read.is_ok(), "{} {:?}", named, read);
        let read = read.unwrap();
        prop_assert_eq!(&read["a"], &expected, "{}", named);
        prop_assert_eq!(&read["b"], &Value::from(1));
    }
}
