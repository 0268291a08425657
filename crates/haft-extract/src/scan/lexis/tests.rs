use proptest::prelude::*;
use serde_json::Value;

use super::{Close, Place, QuoteKind, key_follows, quote_at, quote_ends};
use crate::limits::NEAR;
use crate::scan::{More, Seen, Text};

fn whole(after: &str, place: Place) -> Seen<bool> {
    quote_ends(after.as_bytes(), place, true)
}

#[test]
fn quotes_that_end_a_string() {
    for (place, after) in [
        (Place::Key, ": 1}"),
        (Place::Key, " = 1"),
        (Place::Key, ", 'b'}"),
        (Place::Member, "}"),
        (Place::Member, "}}\n</tool_call>"),
        (Place::Member, ", \"b\": 1}"),
        (Place::Member, ",\n  'b' : 1}"),
        (Place::Member, ", b: 1}"),
        (Place::Member, ", b_c = 1}"),
        (Place::Member, ",}"),
        (Place::Member, ",,\"b\": 1}"),
        (Place::Member, "; \"b\": 1}"),
        (Place::Member, " \"b\": 1}"),
        (Place::Member, ", name\": 1}"),
        (Place::Member, ", u'b': 1}"),
        (Place::Member, ", \"name: \"x\"}"),
        (Place::Member, ", \"a \\\" b\": 1}"),
        (Place::Member, "]"),
        (Place::Member, "  // why\n}"),
        (Place::Member, ", # why\n}"),
        (Place::Member, "</tool_call>"),
        (Place::Member, "<|im_end|>"),
        (Place::Member, "<｜tool▁call▁end｜>"),
        (Place::Member, "\n```"),
        (Place::Member, ""),
        (Place::Item, "]"),
        (Place::Item, ", \"b\"]"),
        (Place::Item, ", -1]"),
        (Place::Item, ", null]"),
        (Place::Item, ", [1]]"),
        (Place::Item, ", London]"),
        (Place::Item, ")"),
        (Place::Item, "}, \"b\": 1}"),
        (Place::Item, " \"b\"]"),
        (Place::Argument, ")"),
        (Place::Argument, ", b=1)"),
        (Place::Argument, ", b: 1)"),
        (Place::Argument, ", 'b')"),
        (Place::Argument, ", True)"),
        (Place::Argument, ", r'b')"),
        (Place::Argument, ", date(1))"),
        (Place::Argument, ", b)"),
        (Place::Argument, " b=\"y\")"),
        (Place::Argument, "\n   \"more\")"),
        (Place::Argument, ")'] and so on"),
        (Place::Argument, ")\", \"g(b=1)\"]"),
        (Place::Alone, ""),
        (Place::Alone, "\nmore"),
        (Place::Alone, ": \"x\""),
        (Place::Alone, "</parameter>"),
    ] {
        assert_eq!(whole(after, place), Ok(true), "{place:?} {after}");
    }
}

#[test]
fn quotes_that_belong_to_the_string() {
    for (place, after) in [
        (Place::Member, "s fine\"}"),
        (Place::Member, " tall\"}"),
        (Place::Member, ", then left\"}"),
        (Place::Member, ", \"bye\", and left\"}"),
        (Place::Member, " \"bye\" to me\"}"),
        (Place::Member, ": that\"}"),
        (Place::Member, ")\"}"),
        (Place::Member, ")\\nprint(1)\"}"),
        (Place::Member, "}\"}"),
        (Place::Member, "}\", \"b\": 1}"),
        (Place::Member, ".\"}"),
        (Place::Member, ">text</a>\"}"),
        (Place::Member, "?\"}"),
        (Place::Member, "\"}"),
        (Place::Item, ", then left\"]"),
        (Place::Item, "-pound\"]"),
        (Place::Item, ": that\"]"),
        (Place::Argument, ", then left\")"),
        (Place::Argument, " he said\")"),
        (Place::Argument, ")\")"),
        (Place::Argument, ")\", b=1)"),
        (Place::Argument, "s, b=1)"),
        (Place::Key, "s\": 1}"),
        (Place::Alone, " he said\""),
        (Place::Alone, ", he said\""),
    ] {
        assert_eq!(whole(after, place), Ok(false), "{place:?} {after}");
    }
}

#[test]
fn undecided_until_more_comes() {
    for (place, after) in [
        (Place::Key, ""),
        (Place::Key, "  "),
        (Place::Member, ","),
        (Place::Member, ", \"b"),
        (Place::Member, ", \"b\""),
        (Place::Member, ", b"),
        (Place::Member, "<"),
        (Place::Member, "}"),
        (Place::Item, ", tru"),
        (Place::Argument, ", b"),
        (Place::Argument, "\n``"),
    ] {
        let answer = quote_ends(after.as_bytes(), place, false);
        assert_eq!(answer, Err(More), "{place:?} {after}");
    }
}

#[test]
fn looks_only_so_far() {
    for place in PLACES {
        for filler in [" ", ", ", "a", ",\"a", ",a", "\\"] {
            let after = filler.repeat(300);
            let answer = quote_ends(after.as_bytes(), place, false);
            assert_ne!(answer, Err(More), "{place:?} {filler}");
        }
    }
}

#[test]
fn keys_are_told_from_text() {
    for text in [
        "a: 1",
        "a = 1",
        "\"a\": 1",
        "'a b' : 1",
        "a_b-c.d=1",
        "a\": 1",
        "a\\_b=1",
    ] {
        assert!(key_follows(text.as_bytes()), "{text}");
    }
    for text in [
        "a", "a, b: 1", "http://x", "a == 1", "\"a=b\"", "New York", "1", "", "C:\\x",
    ] {
        assert!(!key_follows(text.as_bytes()), "{text}");
    }
}

#[test]
fn opening_quotes() {
    for (text, open_len, kind) in [
        ("\"a\"", 1, QuoteKind::Double),
        ("\"\"", 1, QuoteKind::Double),
        ("\"\"\"a", 3, QuoteKind::TripleDouble),
        ("'a'", 1, QuoteKind::Single),
        ("'''a", 3, QuoteKind::TripleSingle),
        ("`a`", 1, QuoteKind::Back),
        ("“a”", 3, QuoteKind::CurlyDouble),
        ("„a“", 3, QuoteKind::CurlyDouble),
        ("‘a’", 3, QuoteKind::CurlySingle),
        ("\\\"a\\\"", 2, QuoteKind::Escaped),
        ("<|\"|>a<|\"|>", 5, QuoteKind::GemmaBar),
        ("<escape>a<escape>", 8, QuoteKind::GemmaEscape),
    ] {
        let quote = quote_at(text).unwrap();
        assert_eq!((quote.open_len, quote.kind), (open_len, kind), "{text}");
    }
    for text in ["", "a", "<a>", "–", "\\n"] {
        assert_eq!(quote_at(text), None, "{text}");
    }
}

#[test]
fn closing_quotes() {
    for (text, content) in [
        ("\"a\", b=1", "a"),
        ("\"a \\\" b\\\\\", b=1", "a \\\" b\\\\"),
        ("'it's', b=1", "it's"),
        ("`a`)", "a"),
        ("\"\"\"a \"b\" c\"\"\")", "a \"b\" c"),
        ("'''it's''')", "it's"),
        ("“he said “hi”, then left”)", "he said “hi”, then left"),
        ("“a\")", "a"),
        ("‘it’s’)", "it’s"),
        ("\\\"a \\\\\\\"b\\\\\\\" c\\\")", "a \\\\\\\"b\\\\\\\" c"),
        ("<|\"|>a \"b\", c=1)<|\"|>}", "a \"b\", c=1)"),
        ("<escape>a<escape>}", "a"),
    ] {
        let quote = quote_at(text).unwrap();
        let from = quote.open_len;
        let close = quote
            .kind
            .close_at(Text::whole(text), Place::Argument, from..from);
        let Ok(Close { at, .. }) = close else {
            panic!("{text} does not close");
        };
        assert_eq!(text.get(from..at), Some(content));
    }
}

#[test]
fn an_escaped_quote_opens_no_code_wherever_a_chunk_ends() {
    for escape in ["\\\"", "\\\\\\\"", "\\\\\\\\\\\""] {
        for filler in NEAR - 9..=NEAR + 1 {
            let content = format!("{escape}{{{}", "x".repeat(filler));
            let text = format!("\"{content}\", \"b\": 1}}");
            for known in [1, content.len()] {
                let close = QuoteKind::Double.close_at(Text::whole(&text), Place::Member, 1..known);
                let at = close.map(|close| close.at);
                assert_eq!(at, Ok(content.len() + 1), "{escape} {filler} {known}");
            }
        }
    }
}

const PLACES: [Place; 5] = [
    Place::Key,
    Place::Member,
    Place::Item,
    Place::Argument,
    Place::Alone,
];

/// The ends of all strings of a JSON text, and where each stands.
fn string_ends(json: &str) -> Vec<(usize, Place)> {
    let bytes = json.as_bytes();
    let (mut ends, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    let mut after_colon = false;
    while at < bytes.len() {
        match bytes[at] {
            byte @ (b'{' | b'[') => {
                open.push(byte);
                after_colon = false;
            }
            b'}' | b']' => {
                open.pop();
            }
            b':' => after_colon = true,
            b',' => after_colon = false,
            b'"' => {
                at += 1;
                while bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                let place = match open.last() {
                    None => Place::Alone,
                    Some(b'[') => Place::Item,
                    Some(_) if after_colon => Place::Member,
                    Some(_) => Place::Key,
                };
                ends.push((at + 1, place));
            }
            _ => {}
        }
        at += 1;
    }
    ends
}

/// Any JSON.
pub(crate) fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        "[\"'{}:,\\\\ab\\n\\]\\[()#/`=<|]{0,12}",
        "\\PC{0,6}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_json_is_read_as_json(value in json(), pretty in any::<bool>()) {
        let text = match pretty {
            true => serde_json::to_string_pretty(&value).unwrap(),
            false => value.to_string(),
        };
        for (end, place) in string_ends(&text) {
            let after = &text.as_bytes()[end..];
            prop_assert_eq!(quote_ends(after, place, true), Ok(true), "{} at {}", text, end);
            for cut in 0..after.len() {
                prop_assert_ne!(quote_ends(&after[..cut], place, false), Ok(false));
            }
        }
    }

    #[test]
    fn an_answer_stays(after in "[\"'{}:,;\\\\ab \\n\\]\\[()#/`=<|1-]{0,24}", finished in any::<bool>()) {
        let bytes = after.as_bytes();
        for place in PLACES {
            let mut known = Err(More);
            for cut in 0..=bytes.len() {
                let now = quote_ends(&bytes[..cut], place, finished && cut == bytes.len());
                prop_assert!(known == Err(More) || now == known, "{:?} {} {}", place, after, cut);
                known = now;
            }
        }
    }

    #[test]
    fn closing_quotes_do_not_depend_on_chunks(content in "[\"'{}:,\\\\a \\n\\])=<|“’]{0,24}", opener in 0..10_usize) {
        let opener = ["\"", "'", "`", "\"\"\"", "'''", "“", "‘", "\\\"", "<|\"|>", "<escape>"][opener];
        let text = format!("{opener}{content}");
        let Some(quote) = quote_at(&text) else { return Ok(()) };
        for place in PLACES {
            let position = |close: Close| (close.at, close.len);
            let whole = quote.kind.close_at(Text::whole(&text), place, quote.open_len..quote.open_len);
            let whole = whole.ok().map(position);
            let (mut from, mut found) = (quote.open_len, None);
            for cut in quote.open_len..=text.len() {
                let Some(head) = text.get(..cut) else { continue };
                let part = Text { text: head, finished: cut == text.len() };
                match quote.kind.close_at(part, place, quote.open_len..from) {
                    Err(at) => from = at,
                    Ok(close) => {
                        found = Some(position(close));
                        break;
                    }
                }
            }
            prop_assert_eq!(found, whole, "{:?} {}", place, text);
        }
    }
}
