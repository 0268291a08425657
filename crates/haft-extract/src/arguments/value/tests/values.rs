//! Values in JSON's place, damaged in one way or another.

use serde_json::{Value, json};

use super::{ReadError, assert_table, value};
use crate::arguments::value::read_value_prefix;
use haft_schema::settle_numbers;

#[test]
fn literals() {
    assert_table(
        value,
        [
            ("True", json!(true)),
            ("FALSE", json!(false)),
            ("None", json!(null)),
            (
                r#"{"a": True, "b": False, "c": None}"#,
                json!({"a": true, "b": false, "c": null}),
            ),
            (
                r#"{"a": nil, "b": undefined, "c": NULL}"#,
                json!({"a": null, "b": null, "c": null}),
            ),
            (
                r#"{"a": NaN, "b": -Infinity, "c": inf}"#,
                json!({"a": "NaN", "b": "-Infinity", "c": "inf"}),
            ),
            (r#"{"a": Truely}"#, json!({"a": "Truely"})),
            (
                r#"{"a": "True", "b": 'None'}"#,
                json!({"a": "True", "b": "None"}),
            ),
        ],
    );
}

#[test]
fn quotes() {
    assert_table(
        value,
        [
            ("{'a': 'x'}", json!({"a": "x"})),
            (
                "{'a': \"it's\", \"b\": 'say \"hi\"'}",
                json!({"a": "it's", "b": "say \"hi\""}),
            ),
            ("{“a”: “x”}", json!({"a": "x"})),
            ("{‘a’: ‘it’s’}", json!({"a": "it’s"})),
            ("{\"a\": „x“}", json!({"a": "x"})),
            ("{`a`: `x`}", json!({"a": "x"})),
            (
                "{\"a\": \"\"\"x \"y\"\nz\"\"\"}",
                json!({"a": "x \"y\"\nz"}),
            ),
            ("{'a': '''it's'''}", json!({"a": "it's"})),
            (
                "{\"a\": r\"\\d+\", \"b\": b'x', 'c': f\"{n} x\", 'd': Rb'\\n'}",
                json!({"a": "\\d+", "b": "x", "c": "{n} x", "d": "\\n"}),
            ),
            ("{\"a\": \"x\" \"y\"}", json!({"a": "xy"})),
            (
                "{\"a\": 'x'\n  'y'\n  'z', \"b\": 1}",
                json!({"a": "xyz", "b": 1}),
            ),
            ("{name\": \"x\", 'n': 1}", json!({"name": "x", "n": 1})),
            ("{\"name: \"x\", \"n\": 1}", json!({"name": "x", "n": 1})),
            (
                "{\\\"a\\\": \\\"x \\\\\\\"y\\\\\\\" z\\\", \\\"b\\\": 1}",
                json!({"a": "x \"y\" z", "b": 1}),
            ),
            (
                "{city:<escape>New York, \"NY\"<escape>,n:1}",
                json!({"city": "New York, \"NY\"", "n": 1}),
            ),
            (
                "{city:<|\"|>it's {big}<|\"|>,l:[<|\"|>a<|\"|>,<|\"|>b<|\"|>]}",
                json!({"city": "it's {big}", "l": ["a", "b"]}),
            ),
            ("{\"a\": Oslo\", \"b\": 1}", json!({"a": "Oslo", "b": 1})),
            ("{'a': ''}", json!({"a": ""})),
            ("{'a': '', 'b': \"\"}", json!({"a": "", "b": ""})),
        ],
    );
}

#[test]
fn inner_quotes() {
    assert_table(
        value,
        [
            (
                "{'a': 'it's', 'b': 'they're'}",
                json!({"a": "it's", "b": "they're"}),
            ),
            (
                "{\"a\": \"he said \"hi\", then left\"}",
                json!({"a": "he said \"hi\", then left"}),
            ),
            (
                "{\"a\": \"\"5\" tall\", \"b\": 1}",
                json!({"a": "\"5\" tall", "b": 1}),
            ),
            (
                "{\"a\": \"\"Hamlet\", \"Macbeth\", and \"Lear\"\"}",
                json!({"a": "\"Hamlet\", \"Macbeth\", and \"Lear\""}),
            ),
            (
                "{\"code\": \"print(\"hi\")\"}",
                json!({"code": "print(\"hi\")"}),
            ),
            (
                "{\"code\": \"print(\"hi\")\\nprint(\"ho\")\", \"b\": [1]}",
                json!({"code": "print(\"hi\")\nprint(\"ho\")", "b": [1]}),
            ),
            (
                "{\"arguments\": \"{\"city\": \"Oslo\"}\"}",
                json!({"arguments": "{\"city\": \"Oslo\"}"}),
            ),
            ("[\"a \"b\" c\", \"d\"]", json!(["a \"b\" c", "d"])),
            (
                "{\"a\": \"<a href=\"x\">y</a>\"}",
                json!({"a": "<a href=\"x\">y</a>"}),
            ),
            (
                "{\"a\": \"C:\\dir\", \"b\": 1}",
                json!({"a": "C:\\dir", "b": 1}),
            ),
        ],
    );
}

#[test]
fn escapes() {
    assert_table(
        value,
        [
            (r#"{"a\_b": "c\_d"}"#, json!({"a_b": "c_d"})),
            (
                r#"{"a": "it\'s \*so\* \`x\`"}"#,
                json!({"a": "it's *so* `x`"}),
            ),
            (r#"{"a": "\x41\u{1F600}\u00e9"}"#, json!({"a": "A😀é"})),
            (r#"{"a": "\ud83d\ude00 \'"}"#, json!({"a": "😀 '"})),
            (
                r#"{"a": "\ud83d x \udc00"}"#,
                json!({"a": "\u{FFFD} x \u{FFFD}"}),
            ),
            (
                r#"{"a": "\U0001F600 \$5 \& \# \-"}"#,
                json!({"a": "😀 $5 & # -"}),
            ),
            (r#"{"a": "\d+\.\d*\(x\)"}"#, json!({"a": r"\d+\.\d*\(x\)"})),
            (r#"{"a": "C:\Users\me"}"#, json!({"a": r"C:\Users\me"})),
            (
                r#"{"a": "\u12", "b": "\x4", "c": "\u{}"}"#,
                json!({"a": r"\u12", "b": r"\x4", "c": r"\u{}"}),
            ),
            (
                r#"{'a': 'tab\there\\ \" \/ \b\f\r\n'}"#,
                json!({"a": "tab\there\\ \" / \u{8}\u{c}\r\n"}),
            ),
            ("{\"a\": \"x\ny\tz\"}", json!({"a": "x\ny\tz"})),
            ("{\"a\": \"x\\\ny\"}", json!({"a": "x\ny"})),
            (r#"{"a": "\é"}"#, json!({"a": r"\é"})),
            (r#"{'a': '\0'}"#, json!({"a": "\0"})),
            (
                r#"{"a": \n[1, 2]\n\n, \n"b": \t{"c": 3}\n}"#,
                json!({"a": [1, 2], "b": {"c": 3}}),
            ),
            (r#"{"a": \new}"#, json!({"a": r"\new"})),
        ],
    );
}

#[test]
fn commas_and_comments() {
    assert_table(
        value,
        [
            ("{\"a\": 1,}", json!({"a": 1})),
            ("[1, 2,]", json!([1, 2])),
            ("[1,, 2]", json!([1, 2])),
            ("{, \"a\": 1}", json!({"a": 1})),
            ("{\"a\": 1 \"b\": 2}", json!({"a": 1, "b": 2})),
            ("{\"a\": \"x\" \"b\": 2}", json!({"a": "x", "b": 2})),
            ("{\"a\": \"x\"\n\"b\": 2}", json!({"a": "x", "b": 2})),
            (
                "{\"a\": true\n\"b\": [1] \"c\": {}}",
                json!({"a": true, "b": [1], "c": {}}),
            ),
            ("[\"a\" \"b\"\n\"c\"]", json!(["a", "b", "c"])),
            ("[{\"a\": 1} {\"a\": 2}]", json!([{"a": 1}, {"a": 2}])),
            ("{\"a\": 1; \"b\": 2}", json!({"a": 1, "b": 2})),
            (
                "{\"a\": 1, // one\n\"b\": 2 # two\n}",
                json!({"a": 1, "b": 2}),
            ),
            ("{/* x */ \"a\" /* y */ : /* z */ 1}", json!({"a": 1})),
            (
                "// first\n{\"a\": \"http://x/#y\"} // last",
                json!({"a": "http://x/#y"}),
            ),
            (
                "{a: http://x.org/y?z=1#w, b: 2}",
                json!({"a": "http://x.org/y?z=1#w", "b": 2}),
            ),
            ("{a: #ff0000, b: 2}", json!({"a": "#ff0000", "b": 2})),
            (
                "{\"a\": \"x\", # why\n \"b\": \"y\" // that\n}",
                json!({"a": "x", "b": "y"}),
            ),
            ("{'a': 'x' # why\n}", json!({"a": "x"})),
        ],
    );
}

#[test]
fn keys() {
    assert_table(
        value,
        [
            (
                "{a: 1, _b: 2, c-d: 3, e.f: 4, $g: 5}",
                json!({"a": 1, "_b": 2, "c-d": 3, "e.f": 4, "$g": 5}),
            ),
            ("{a\\_b: 1}", json!({"a_b": 1})),
            (
                "{a = 1, \"b\" = 2, 'c' => 3, d=>4}",
                json!({"a": 1, "b": 2, "c": 3, "d": 4}),
            ),
            ("{1: 'a', 2: 'b'}", json!({"1": "a", "2": "b"})),
            ("{\"a\": 1, 'a': 2}", json!({"a": 2})),
            ("{größe: 1}", json!({"größe": 1})),
            ("{\"a b\": 1, 'c:d': 2}", json!({"a b": 1, "c:d": 2})),
        ],
    );
}

#[test]
fn bare_text() {
    assert_table(
        value,
        [
            (
                "{city: New York, n: 1}",
                json!({"city": "New York", "n": 1}),
            ),
            (
                "{city: Paris, France, n: 1}",
                json!({"city": "Paris, France", "n": 1}),
            ),
            ("{\"a\": red}", json!({"a": "red"})),
            ("[red, dark green, 3]", json!(["red", "dark green", 3])),
            (
                "{a: 3/4, b: 2*x, c: -x, d: 10%}",
                json!({"a": "3/4", "b": "2*x", "c": "-x", "d": "10%"}),
            ),
            (
                "{a: 2024-01-15, b: 10:30, c: 5 km}",
                json!({"a": "2024-01-15", "b": "10:30", "c": "5 km"}),
            ),
            (
                "{d: date(2024, 1, 2), e: f(\"a)\", [1])}",
                json!({"d": "date(2024, 1, 2)", "e": "f(\"a)\", [1])"}),
            ),
            (
                "{a: lambda x: x[0] + 1, b: 1}",
                json!({"a": "lambda x: x[0] + 1", "b": 1}),
            ),
            ("{a: it's fine, b: 1}", json!({"a": "it's fine", "b": 1})),
            ("{a: some\\_name}", json!({"a": "some_name"})),
            ("{a: one two\n b: 3}", json!({"a": "one two", "b": 3})),
            ("{a: dict(x=1, y='z')}", json!({"a": {"x": 1, "y": "z"}})),
            ("{a: dict()}", json!({"a": {}})),
            ("{\"a\": <unknown>}", json!({"a": "<unknown>"})),
            ("[x for x in y]", json!(["x for x in y"])),
            ("{a: me@x.org, b: $5}", json!({"a": "me@x.org", "b": "$5"})),
        ],
    );
}

#[test]
fn numbers() {
    assert_table(
        value,
        [
            ("[+5, .5, 5., -.5, +1.5]", json!([5, 0.5, 5.0, -0.5, 1.5])),
            (
                "[1_000, 1_000_000, -2_500.5]",
                json!([1000, 1_000_000, -2500.5]),
            ),
            ("[0x1F, 0b101, 0o17, -0xff]", json!([31, 5, 15, -255])),
            (
                "[007, 01, 1.2.3, 1_2, 12e, --1, 0x, +-5, ., +]",
                json!([
                    "007", "01", "1.2.3", "1_2", "12e", "--1", "0x", "+-5", ".", "+"
                ]),
            ),
            ("[1,000,]", json!([1, "000"])),
            (
                "[-5, -0.25, 1e3, 1.50, 2E-2, 10.0]",
                json!([-5, -0.25, 1000.0, 1.5, 0.02, 10.0]),
            ),
            (
                "[1e3, 1.50, 2E-2, 10.0, 0.10, -0.0]",
                json!([1000.0, 1.5, 0.02, 10.0, 0.1, -0.0]),
            ),
            ("{\"a\": 5 }", json!({"a": 5})),
        ],
    );
}

#[test]
fn numbers_keep_their_digits() {
    for digits in [
        "123456789012345678901234567890",
        "-98765432109876543210",
        "3.14159265358979323846",
        "1e+999",
        "18446744073709551615",
    ] {
        for text in [format!("[{digits}]"), format!("[{digits},]")] {
            assert_eq!(value(&text).unwrap().to_string(), format!("[{digits}]"));
        }
    }
    let mut settled: Value = serde_json::from_str(r#"{"a": [1.50, {"b": 1e3}], "c": 7}"#).unwrap();
    settle_numbers(&mut settled);
    assert_eq!(settled.to_string(), r#"{"a":[1.5,{"b":1000.0}],"c":7}"#);
}

#[test]
fn tuples_and_sets() {
    assert_table(
        value,
        [
            ("(1, 2)", json!([1, 2])),
            ("{\"a\": (1, 2)}", json!({"a": [1, 2]})),
            ("{\"a\": (1,)}", json!({"a": [1]})),
            ("{\"a\": ()}", json!({"a": []})),
            ("{\"a\": (5)}", json!({"a": 5})),
            (
                "{\"a\": (New York, Rome)}",
                json!({"a": ["New York", "Rome"]}),
            ),
            ("{\"a\": ('x' 'y')}", json!({"a": "xy"})),
            ("{\"a\": ('x'\n 'y')}", json!({"a": "xy"})),
            ("{\"a\": {1, 2}}", json!({"a": [1, 2]})),
            ("{'x', 'y'}", json!(["x", "y"])),
            ("{(1, 2), (3, 4)}", json!([[1, 2], [3, 4]])),
            (
                "{\"a\": (1+2)*3, \"b\": 1}",
                json!({"a": "(1+2)*3", "b": 1}),
            ),
            ("{\"a\": ((1, 2), (3, 4))}", json!({"a": [[1, 2], [3, 4]]})),
        ],
    );
}

#[test]
fn brackets() {
    assert_table(
        value,
        [
            ("{\"a\": [1, 2, \"b\": 3}", json!({"a": [1, 2], "b": 3})),
            (
                "{\"a\": [\"x\", \"y\", \"b\": 3}",
                json!({"a": ["x", "y"], "b": 3}),
            ),
            ("{\"a\": [1, 2}", json!({"a": [1, 2]})),
            (
                "{\"a\": {\"b\": [\"x\"}, \"c\": 1}",
                json!({"a": {"b": ["x"]}, "c": 1}),
            ),
            ("[{\"a\": 1, {\"a\": 2}]", json!([{"a": 1}, {"a": 2}])),
            ("[{\"a\": 1]", json!([{"a": 1}])),
            ("{\"a\": 1]", json!({"a": 1})),
            ("{\"a\": 1]}", json!({"a": 1})),
            ("[1, 2}", json!([1, 2])),
            ("{{\"a\": 1}}", json!({"a": 1})),
            ("{{\"a\": {\"b\": 1}}}", json!({"a": {"b": 1}})),
            ("{{\"a\": 1}, {\"b\": 2}}", json!([{"a": 1}, {"b": 2}])),
            ("{\"a\": 1}}", json!({"a": 1})),
            ("{\"a\": [1]}]}", json!({"a": [1]})),
            ("{\"a\": 1};", json!({"a": 1})),
            ("{\"a\": {\"b\": 1", json!({"a": {"b": 1}})),
            ("[\"a\": 1, \"b\": 2]", json!({"a": 1, "b": 2})),
            (
                "['f', 'from': 'Euro', 'to': 'Dollar']",
                json!(["f", {"from": "Euro", "to": "Dollar"}]),
            ),
            ("{\"a\": [\"b\": 1]}", json!({"a": {"b": 1}})),
            ("{\"a\": \"x\"", json!({"a": "x"})),
            ("{\"a\": 12", json!({"a": 12})),
            ("{\"a\": 12,", json!({"a": 12})),
            ("[]]", json!([])),
            ("{\"a\": 1], \"b\": 2}", json!({"a": 1, "b": 2})),
            ("[1}, 2]", json!([1, 2])),
            ("[[1}, [2]]", json!([[1], [2]])),
            ("[{\"a\": 1), {\"a\": 2}]", json!([{"a": 1}, {"a": 2}])),
        ],
    );
}

#[test]
fn what_is_no_value() {
    for text in [
        "hello there",
        "{\"a\"}",
        "{\"a\": }",
        "{\"a\": , \"b\": 1}",
        "{a b}",
        "{a\nb: 1}",
        "{\"a\": 1} x",
        "]",
        "\"a\": \"x\"",
        "{: 1}",
    ] {
        let read = value(text);
        assert!(
            matches!(read, Err(ReadError::Unreadable { .. })),
            "{text} {read:?}"
        );
    }
    for text in [
        "",
        "  ",
        "{",
        "[",
        "{\"a",
        "{\"a\"",
        "{\"a\":",
        "{\"a\": \"x",
        "[1, [",
        "\"abc",
        "'abc",
    ] {
        assert_eq!(value(text), Err(ReadError::CutOff), "{text}");
    }
}

#[test]
fn the_first_of_several() {
    for (text, expected, end) in [
        ("{\"a\": 1} and more", json!({"a": 1}), 8),
        ("{'a': 1}{'b': 2}", json!({"a": 1}), 8),
        ("[1, 2]; {\"b\": 1}", json!([1, 2]), 6),
        (" {\"a\": \"}\"}x", json!({"a": "}"}), 11),
        ("True, False", json!(true), 4),
        ("'x', 'y'", json!("x"), 3),
        ("12 13", json!(12), 2),
    ] {
        let (read, found) = read_value_prefix(text, false).unwrap();
        assert_eq!((read.value, found), (expected, end), "{text}");
    }
}
