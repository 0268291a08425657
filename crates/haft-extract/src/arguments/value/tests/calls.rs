//! What stands between the parentheses of a call.

use serde_json::json;

use super::{ReadError, arguments, assert_table};
use crate::arguments::value::read_parenthesized;

#[test]
fn s004_04_patterns() {
    assert_table(
        arguments,
        [
            (
                r#"query="python", limit=10"#,
                json!({"query": "python", "limit": 10}),
            ),
            (
                r#"city="New York", units="C""#,
                json!({"city": "New York", "units": "C"}),
            ),
            (r#"data="value""#, json!({"data": "value"})),
            (
                r#"endpoint="/users", method="GET""#,
                json!({"endpoint": "/users", "method": "GET"}),
            ),
        ],
    );
}

#[test]
fn s004_14_json_first() {
    assert_table(
        arguments,
        [
            (
                r#"{query: "python", limit: 10}"#,
                json!({"query": "python", "limit": 10}),
            ),
            (
                r#"query: "python", limit: 10"#,
                json!({"query": "python", "limit": 10}),
            ),
            (r#""q": "x", "n": 10"#, json!({"q": "x", "n": 10})),
            (r#"{"q": "x"}"#, json!({"q": "x"})),
            (r#" { "q" : "x" } "#, json!({"q": "x"})),
            (
                r#"{"a": {"b": [1, {"c": null}]}}"#,
                json!({"a": {"b": [1, {"c": null}]}}),
            ),
            (r#"'q': 'x', 'l': [1, 2]"#, json!({"q": "x", "l": [1, 2]})),
            (r#"{'q': 'x', 'ok': True}"#, json!({"q": "x", "ok": true})),
            (
                r#""q": "a, b", "n": {"x": "}"}"#,
                json!({"q": "a, b", "n": {"x": "}"}}),
            ),
            (r#""q" = "x""#, json!({"q": "x"})),
            (r#"{"q": "x"}}"#, json!({"q": "x"})),
            (r#""q": "x", "n": 10}"#, json!({"q": "x", "n": 10})),
        ],
    );
}

#[test]
fn s004_15_named() {
    assert_table(
        arguments,
        [
            (r#"key2="quoted value""#, json!({"key2": "quoted value"})),
            (r#"a = "x" ,b= 1"#, json!({"a": "x", "b": 1})),
            (
                r#"a="x, y=1", b='c=d, e'"#,
                json!({"a": "x, y=1", "b": "c=d, e"}),
            ),
            (r#"city=New York, n=2"#, json!({"city": "New York", "n": 2})),
            (
                r#"city=San Francisco, CA, n=2"#,
                json!({"city": "San Francisco, CA", "n": 2}),
            ),
            (r#"q=it's, n=2"#, json!({"q": "it's", "n": 2})),
            (r#"q='it's', n=2"#, json!({"q": "it's", "n": 2})),
            (
                r#"q="he said \"hi, x\"""#,
                json!({"q": "he said \"hi, x\""}),
            ),
            (
                r#"q="he said "hi", then left", n=2"#,
                json!({"q": "he said \"hi\", then left", "n": 2}),
            ),
            (r#"expr="(1+2)*3""#, json!({"expr": "(1+2)*3"})),
            (
                r#"expr=(1+2)*3, x=110/5.2**2"#,
                json!({"expr": "(1+2)*3", "x": "110/5.2**2"}),
            ),
            (
                r#"ids=[1,2], f={"a":1}"#,
                json!({"ids": [1, 2], "f": {"a": 1}}),
            ),
            (
                r#"ids=['a', "b"], t=(1.5, -2)"#,
                json!({"ids": ["a", "b"], "t": [1.5, -2]}),
            ),
            (
                r#"when=date(2024, 1, 2), n=1"#,
                json!({"when": "date(2024, 1, 2)", "n": 1}),
            ),
            (
                r#"a=inner(b="x)", c=[1]), n=1"#,
                json!({"a": "inner(b=\"x)\", c=[1])", "n": 1}),
            ),
        ],
    );
}

#[test]
fn s004_15_named_and_damaged() {
    assert_table(
        arguments,
        [
            (r#"a=1, a=2"#, json!({"a": 2})),
            ("a=1,\n  b=2,\n", json!({"a": 1, "b": 2})),
            ("a=\"x\"\n  b=\"y\"", json!({"a": "x", "b": "y"})),
            (r#"a="x" b="y""#, json!({"a": "x", "b": "y"})),
            (r#"a="x"; b=2"#, json!({"a": "x", "b": 2})),
            (r#"a="x" "y", b=1"#, json!({"a": "xy", "b": 1})),
            ("m={u'a': u'x', u'b': 1}", json!({"m": {"a": "x", "b": 1}})),
            ("a=1, # one\n b=2", json!({"a": 1, "b": 2})),
            (r#"a\_b="c\_d""#, json!({"a_b": "c_d"})),
            (r#"a=f"{x}", b=r"\d""#, json!({"a": "{x}", "b": "\\d"})),
            (r#"a="""x "y" z""", b=1"#, json!({"a": "x \"y\" z", "b": 1})),
            (
                r#"u=http://x.org/?a=1&b=2, n=1"#,
                json!({"u": "http://x.org/?a=1&b=2", "n": 1}),
            ),
            (
                r#"text="see (that)", n=1"#,
                json!({"text": "see (that)", "n": 1}),
            ),
            (
                r#"code="print("hi")", n=1"#,
                json!({"code": "print(\"hi\")", "n": 1}),
            ),
            (r#"m=dict(a=1, b="x")"#, json!({"m": {"a": 1, "b": "x"}})),
            (r#"d={}, l=[]"#, json!({"d": {}, "l": []})),
            (r#"q=“x”, n=1"#, json!({"q": "x", "n": 1})),
            (
                r#"team=\"Lakers\", season=2018"#,
                json!({"team": "Lakers", "season": 2018}),
            ),
            (r#"a="\\", b="C:\\x\\""#, json!({"a": "\\", "b": "C:\\x\\"})),
            (
                r#"from="a", class="b", _from="c""#,
                json!({"from": "a", "class": "b", "_from": "c"}),
            ),
        ],
    );
}

#[test]
fn s004_16_positional() {
    assert_table(
        arguments,
        [
            ("python, 10", json!({"arg0": "python", "arg1": "10"})),
            ("", json!({})),
            ("  ", json!({})),
            (r#""a=b""#, json!({"arg0": "a=b"})),
            (r#""x", 'y'"#, json!({"arg0": "x", "arg1": "y"})),
            (
                "True, None, 1.50",
                json!({"arg0": "True", "arg1": "None", "arg2": "1.50"}),
            ),
            ("New York, 3", json!({"arg0": "New York", "arg1": "3"})),
            ("inner(1), 2", json!({"arg0": "inner(1)", "arg1": "2"})),
            ("[1, 2], 3", json!({"arg0": "[1, 2]", "arg1": "3"})),
            ("1,000", json!({"arg0": "1", "arg1": "000"})),
            ("http://x.org/a", json!({"arg0": "http://x.org/a"})),
            ("3 / 4", json!({"arg0": "3 / 4"})),
            (r#""x", n=2"#, json!({"arg0": "x", "n": 2})),
            (r#"a=1, foo"#, json!({"arg0": "foo", "a": 1})),
            (
                r#""x", y, z"#,
                json!({"arg0": "x", "arg1": "y", "arg2": "z"}),
            ),
            ("x,", json!({"arg0": "x"})),
            (
                r#""time: 10:30", 5"#,
                json!({"arg0": "time: 10:30", "arg1": "5"}),
            ),
        ],
    );
}

#[test]
fn s004_16_positional_keeps_its_type_and_quotes() {
    let read = read_parenthesized(r#"10, "10", [1, 'x'], Oslo"#, false).unwrap();
    let found: Vec<_> = read
        .value
        .positional
        .into_iter()
        .map(|argument| (argument.value, argument.written, argument.is_quoted))
        .collect();
    assert_eq!(
        found,
        [
            (json!(10), "10", false),
            (json!("10"), "\"10\"", true),
            (json!([1, "x"]), "[1, 'x']", false),
            (json!("Oslo"), "Oslo", false),
        ]
    );
}

#[test]
fn s004_17_types() {
    assert_table(
        arguments,
        [
            ("count=42", json!({"count": 42})),
            ("ratio=3.25", json!({"ratio": 3.25})),
            ("active=true", json!({"active": true})),
            (
                "active=True, b=false, c=False",
                json!({"active": true, "b": false, "c": false}),
            ),
            ("n=-5, x=-0.5", json!({"n": -5, "x": -0.5})),
            ("j=1e3", json!({"j": 1000.0})),
            (
                "id=\"42\", zip='01234'",
                json!({"id": "42", "zip": "01234"}),
            ),
            ("zip=01234", json!({"zip": "01234"})),
            (
                "h=nan, i=inf, k=-inf",
                json!({"h": "nan", "i": "inf", "k": "-inf"}),
            ),
            ("a=null, b=None", json!({"a": null, "b": null})),
            ("g=T", json!({"g": "T"})),
            (
                "big=123456789012345678901",
                serde_json::from_str(r#"{"big":123456789012345678901}"#).unwrap(),
            ),
        ],
    );
}

#[test]
fn what_are_no_arguments() {
    for text in [
        "\"x\" y",
        "a=",
        "a=, b=1",
        "a=[1] 2",
        "{\"a\" 1}",
        "a=[1, b: }",
    ] {
        let read = arguments(text);
        assert!(read.is_err(), "{text} {read:?}");
    }
    for text in ["a=\"x", "a=[1, 2, ", "a='x, b=1", "{\"a\": "] {
        let read = arguments(text);
        let is_expected = matches!(read, Err(ReadError::CutOff)) || text == "a=[1, 2, ";
        assert!(is_expected, "{text} {read:?}");
    }
}
