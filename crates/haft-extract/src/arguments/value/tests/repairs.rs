//! What is recorded about a reading.

use haft_schema::RepairKind;

use crate::arguments::value::{read_parenthesized, read_value};

fn kinds(text: &str) -> Vec<RepairKind> {
    let read = read_value(text, false).unwrap();
    read.repairs.iter().map(|repair| repair.kind).collect()
}

#[test]
fn every_kind_of_damage_is_named() {
    use RepairKind as Kind;
    for (text, expected) in [
        (r#"{"a": [1, 1.50, "x", null]}"#, vec![]),
        ("{'a': 1}", vec![Kind::QuotesRepaired]),
        ("{“a”: 1}", vec![Kind::QuotesRepaired]),
        ("{\"a\": r\"x\"}", vec![Kind::QuotesRepaired]),
        ("{\"a\": \"x\" \"y\"}", vec![Kind::QuotesRepaired]),
        ("{name\": 1}", vec![Kind::QuotesRepaired]),
        ("{\"a\": True}", vec![Kind::PythonLiteral]),
        ("{\"a\": \"x \"y\" z\"}", vec![Kind::InnerQuote]),
        ("{\"a\": \"x\ny\"}", vec![Kind::RawControl]),
        (r#"{"a": "\_"}"#, vec![Kind::EscapeRepaired]),
        (r#"{"a": "\ud800"}"#, vec![Kind::EscapeRepaired]),
        (r#"{"a": \n[1]\n\n}"#, vec![Kind::EscapeRepaired]),
        ("{a: 1}", vec![Kind::BareKey]),
        ("{\"a\": red}", vec![Kind::BareText]),
        ("{\"a\": 1,}", vec![Kind::CommaRepaired]),
        ("{\"a\": 1 \"b\": 2}", vec![Kind::CommaRepaired]),
        ("{\"a\": 1; \"b\": 2}", vec![Kind::CommaRepaired]),
        ("{\"a\": 1 /* x */}", vec![Kind::CommentDropped]),
        ("{\"a\": +1}", vec![Kind::NumberRepaired]),
        ("{\"a\" = 1}", vec![Kind::BracesSupplied]),
        (
            "{\"a\": 1, 'a': 2}",
            vec![Kind::QuotesRepaired, Kind::DoubledKey],
        ),
        ("{\"a\": (1, 2)}", vec![Kind::BracketRepaired]),
        (
            "{\"a\": {1, 2}}",
            vec![Kind::BareKey, Kind::BracketRepaired],
        ),
        ("{\"a\": [1}", vec![Kind::BracketRepaired]),
        ("{\"a\": 1}}", vec![Kind::BracketRepaired]),
        ("{{\"a\": 1}}", vec![Kind::BracketRepaired]),
        ("[\"a\": 1]", vec![Kind::BracketRepaired]),
        ("{\"a\": [1", vec![Kind::ClosersSupplied]),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
}

#[test]
fn a_repair_says_where_and_what() {
    let read = read_value("{\"a/b\": [1, {\"c\": True}]}", false).unwrap();
    assert_eq!(
        read.repairs[0].to_string(),
        "a/b[1].c: True was read as true"
    );
    let read = read_value("{'a': ['x', 'y']}", false).unwrap();
    assert_eq!(read.repairs.len(), 1);
    assert_eq!(
        read.repairs[0].to_string(),
        "the arguments: 'a' and 2 more was read with double quotes"
    );
    let read = read_value("{\"a\": [[1 ", false).unwrap();
    assert_eq!(read.repairs[0].after, "]]}");
    let long = format!("{{\"a\": '{}'}}", "x".repeat(1000));
    let read = read_value(&long, false).unwrap();
    assert!(read.repairs[0].to_string().len() < 200);
}

#[test]
fn what_is_the_notation_is_no_damage() {
    for text in [
        "a='x', b=True, c=(1, 2), d=None, e={'k': 'v'}, f=1_000,",
        "'x', 5, [1, 'y',]",
        "a=\"x\", # why\n b=r'\\d'",
    ] {
        assert_eq!(
            read_parenthesized(text, false).unwrap().repairs,
            [],
            "{text}"
        );
    }
    let read = read_parenthesized("a=red, b='it's'", false).unwrap();
    let kinds: Vec<_> = read.repairs.iter().map(|repair| repair.kind).collect();
    assert_eq!(kinds, [RepairKind::BareText, RepairKind::InnerQuote]);
}

#[test]
fn what_was_tried_leaves_no_trace() {
    let read = read_value("{\"a\": ('x', +1) * 2}", false).unwrap();
    let kinds: Vec<_> = read.repairs.iter().map(|repair| repair.kind).collect();
    assert_eq!(kinds, [RepairKind::BareText]);
    assert_eq!(read.repairs[0].path, "/a");
}
