//! What stops a scan, and what it has noted by then.

use super::{Balance, Stop, end, end_in_parts};

/// All stops of the scan of a call until its end, and the names that it noted.
fn stops(balance: Balance, text: &str) -> (Vec<Stop>, Option<&str>) {
    let (mut balance, mut stops) = (balance, Vec::new());
    loop {
        let stop = balance.run(text, true);
        if matches!(stop, Stop::ArgumentsOpen(_)) {
            balance.enter_arguments();
        }
        let is_last = !matches!(stop, Stop::ArgumentsOpen(_) | Stop::ArgumentsClosed(_));
        stops.push(stop);
        if is_last {
            let name = balance.name().map(|name| &text[name]);
            return (stops, name);
        }
    }
}

#[test]
fn values_close() {
    for value in [
        "{}",
        "[]",
        "()",
        r#"{"a": "}"}"#,
        r#"{"a": "\"}"}"#,
        r#"{"a": '}', 'b': "it's"}"#,
        r#"{'a': "''}", b: '"'}"#,
        r#"{"a": "say "hi" to}", "b": 1}"#,
        r#"["a", "b]", """]""", '''it's]''']"#,
        r#"{"a": r"\d}", 'b': rb'}'}"#,
        r#"{"a": “]}”, „b“: ‘}’}"#,
        r#"{\"a\": \"}\", \"b\": {\"c\": \"x \\\"}\\\"\"}}"#,
        r#"(team=\"Lakers)\")"#,
        r#"{a:<|"|>}<|"|>, b:<escape>}<escape>}"#,
        "{\"a\"：\"x\"，\"b\"：{\"c\"： 1}}",
        "{\"a\":\u{a0}\"}\",\u{a0}b\u{a0}:\u{a0}1}",
        "{\"a\": 1, // it's }\n \"b\": 2 # }\n}",
        "{\"a\": \"x\", /* } */ \"b\": [/**/]}",
        "{\"a\": {} # }\n}",
        "{\"a\": #fff, \"b\": 1}",
        "(text=C# or F#, b=1)",
        r#"{"a" {"b": "}"}}"#,
        r#"{"a": "x" "b": "}"}"#,
        "{\"a\": \"x\"\n \"b\": \"}\"}",
        r#"{"a": 1 "b": "}"}"#,
        r#"{"name: "x}", "b": 1}"#,
        r#"{"a" => "}"}"#,
        "{it's, '}'}",
    ] {
        let text = format!("{value} and }} on");
        assert_eq!(end(&text), Stop::Closed(value.len()), "{text}");
        for size in 1..8 {
            let parts = end_in_parts(&text, size);
            assert_eq!(parts, Stop::Closed(value.len()), "{text} by {size}");
        }
    }
}

#[test]
fn closers_that_do_not_fit() {
    for value in [
        r#"{"a": [1, 2}"#,
        r#"{"a": [1, 2}, "b": 3}"#,
        r#"{"a": {"b": [1}, "c": 2}"#,
        r#"{"a": 1], "b": 2}"#,
        r#"{"a": 1]}"#,
        "[1, 2}",
        "[1), 2]",
        r#"[{"a": 1]"#,
    ] {
        let text = format!("{value}\nand }} on");
        assert_eq!(end(&text), Stop::Closed(value.len()), "{text}");
    }
}

#[test]
fn calls_tell_of_their_arguments() {
    for (text, open, closed, name) in [
        (r#"{"name": "f", "arguments": {"a": {}}}"#, 27, 36, "f"),
        (r#"{"name": "f", "arguments" {"a": {}}}"#, 26, 35, "f"),
        (
            r#"{\"name\": \"f\", \"arguments\": {\"a\": 1}}"#,
            33,
            43,
            "f",
        ),
        (
            r#"{'tool': 'f', 'input': {'a': '}'}, 'id': 1}"#,
            23,
            33,
            "f",
        ),
        ("{\"name\"：\"f\"，\"arguments\"：{\"a\"：1}}", 30, 39, "f"),
        (
            r#"{"name": "f", "args": {"a": [1}, "b": 2]}, "id": {}}"#,
            22,
            41,
            "f",
        ),
    ] {
        let (found, found_name) = stops(Balance::of_call(), text);
        assert_eq!(found[0], Stop::ArgumentsOpen(open), "{text}");
        assert_eq!(found[1], Stop::ArgumentsClosed(closed), "{text}");
        assert_eq!(found.last(), Some(&Stop::Closed(text.len())), "{text}");
        assert_eq!(found_name, Some(name), "{text}");
    }
}

#[test]
fn members_without_their_brace() {
    let text = r#""name": "f", "arguments": {"a": 1}} more"#;
    let (found, name) = stops(Balance::of_members(), text);
    let expected = [
        Stop::ArgumentsOpen(26),
        Stop::ArgumentsClosed(34),
        Stop::Closed(35),
    ];
    assert_eq!((found.as_slice(), name), (expected.as_slice(), Some("f")));
}

#[test]
fn nothing_is_told_of_ignored_members() {
    let mut balance = Balance::of_call();
    balance.ignore_members();
    let text = r#"{"name": "f", "arguments": {"a": 1}}"#;
    assert_eq!(balance.run(text, true), Stop::Closed(text.len()));
}

#[test]
fn a_cut_off_beginning_moves_all_places() {
    let (mut balance, text) = (Balance::of_call(), r#"{"name": "f", "args": {"a": 1}}"#);
    assert_eq!(balance.run(text, true), Stop::ArgumentsOpen(22));
    assert_eq!(balance.key(text), "args");
    balance.enter_arguments();
    balance.cut_front(22);
    assert_eq!(balance.run(&text[22..], true), Stop::ArgumentsClosed(8));
    assert_eq!(balance.run(&text[22..], true), Stop::Closed(9));
}

#[test]
fn markers_stop_outside_of_strings_only() {
    let text = r#"{"a": "</tool_call>", "b": 1</tool_call>"#;
    assert_eq!(end(text), Stop::Marker(28));
    assert_eq!(end(r#"{"a": <b>, "c": 1 < 2}"#), Stop::Closed(22));
}

#[test]
fn open_ends() {
    for text in [
        "{",
        "{\"a",
        "{\"a\": [1, 2",
        "{'a\\",
        "{\"a\": 1 // b",
        "{\"a\": /* b",
    ] {
        assert_eq!(end(text), Stop::End, "{text}");
        assert_eq!(Balance::default().run(text, false), Stop::More, "{text}");
    }
    let mut balance = Balance::default();
    assert_eq!(balance.run("{\"a\": \"b", false), Stop::More);
    assert_eq!(balance.at(), 8);
    assert_eq!(balance.run("{\"a\": \"b\", \"c\": //", false), Stop::More);
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(end(&nested(64)), Stop::Closed(128));
    assert_eq!(end(&nested(65)), Stop::TooDeep(64));
}
