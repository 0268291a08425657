//! Generated calls in four notations, damaged or not, which are read alike however they come.

use proptest::prelude::*;
use serde_json::{Value, json};

use haft_extract::{ExtractOptions, Extractor, Piece, ToolDefinition, ToolSet};

fn tools() -> ToolSet {
    let string = json!({"type": "string"});
    ToolSet::from_definitions([
        ToolDefinition::new(
            "find",
            json!({"type": "object", "properties": {
                "text": string, "count": {"type": "integer"}, "any": {},
                "more": {"type": "object", "properties": {"deep": string}},
                "list": {"type": "array", "items": string},
                "both": {"type": ["string", "boolean"]},
            }}),
        ),
        ToolDefinition::new("stop", Value::Null),
    ])
}

/// What is read of a reply that comes in pieces of `size` bytes: text, calls and what was mended.
fn read(tools: &ToolSet, reply: &str, size: usize) -> (String, Vec<String>) {
    let mut extractor = Extractor::new(tools, ExtractOptions::default());
    let (mut text, mut calls) = (String::new(), Vec::new());
    let mut sink = |piece: Piece<'_>| match piece {
        Piece::Text(more) => text.push_str(more),
        Piece::Syntax(_) | Piece::CallStart { .. } | Piece::CallArgs { .. } => {}
        piece => calls.push(format!("{piece:?}")),
    };
    for chunk in reply.as_bytes().chunks(size) {
        extractor.push(chunk, &mut sink);
    }
    extractor.finish(&mut sink);
    (text, calls)
}

/// The calls of a reply, which are the same in every way of cutting it.
fn agree(reply: &str) -> Vec<String> {
    let tools = tools();
    let by_bytes = read(&tools, reply, 1);
    for size in [reply.len().max(1), reply.len().max(1), 64, 7] {
        // The second time the names of the arguments are known.
        assert_eq!(read(&tools, reply, size), by_bytes, "{reply} in {size}");
    }
    by_bytes.1
}

/// The call in the `form`th of the ways to write one.
fn written(form: usize, name: &str, arguments: &[(String, String)]) -> String {
    let parts = |one: &dyn Fn(&str, &str) -> String| -> String {
        arguments
            .iter()
            .map(|(key, value)| one(key, value))
            .collect()
    };
    match form {
        0 => {
            let parts = parts(&|key, value| format!("<parameter={key}>\n{value}\n</parameter>\n"));
            format!("<tool_call>\n<function={name}>\n{parts}</function>\n</tool_call>")
        }
        1 => {
            let parts = parts(&|key, value| {
                format!("<arg_key>{key}</arg_key><arg_value>{value}</arg_value>")
            });
            format!("<tool_call>{name}{parts}</tool_call>")
        }
        2 => {
            let parts = parts(&|key, value| {
                let is_string = value.len() % 2 == 0;
                format!(
                    "<｜DSML｜parameter name=\"{key}\" string=\"{is_string}\">{value}</｜DSML｜parameter>\n"
                )
            });
            format!("<｜DSML｜invoke name=\"{name}\">\n{parts}</｜DSML｜invoke>\n")
        }
        _ => {
            let parts: Vec<String> = arguments
                .iter()
                .map(|(key, value)| match value.parse::<i64>() {
                    Ok(number) => format!("{key}:{number}"),
                    Err(_) => format!("{key}:<|\"|>{value}<|\"|>"),
                })
                .collect();
            format!("<|tool_call>call:{name}{{{}}}<tool_call|>", parts.join(","))
        }
    }
}

/// A reply with the calls, in the wrapper of their form.
fn reply(form: usize, gap: &str, calls: &[String]) -> String {
    let calls = calls.join(gap);
    match form {
        2 => format!("Well.\n<｜DSML｜tool_calls>\n{calls}</｜DSML｜tool_calls> Done."),
        _ => format!("Well.\n{calls}{gap}Done."),
    }
}

#[test]
fn calls_of_each_form_are_all_found() {
    let arguments = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        let owned = list
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        owned.collect()
    };
    for form in 0..4 {
        let one = written(
            form,
            "find",
            &arguments(&[("text", "a < b"), ("count", "3")]),
        );
        let other = written(
            form,
            "find",
            &arguments(&[("count", "4"), ("text", "x\ny")]),
        );
        for gap in ["", "\n", " and "] {
            let calls = agree(&reply(form, gap, &[one.clone(), other.clone()]));
            assert_eq!(calls.len(), 2, "{form} {gap:?} {calls:?}");
        }
    }
}

#[test]
fn calls_in_a_quoted_line_are_quoted_however_they_come() {
    let arguments = [
        r#"arguments:<|"|>{"deep": "x"}<|"|>"#,
        r#"text:<|"|>{"deep": "x"}<|"|>"#,
        r#"text:<|"|><<A>é<A><A><|"|>"#,
    ];
    let calls = arguments.map(|all| format!("<|tool_call>call:find{{{all}}}<tool_call|>"));
    let calls = agree(&format!("Well.\n>{} Done.", calls.join(" ")));
    assert!(
        calls.iter().all(|call| call.starts_with("NotACall")),
        "{calls:?}"
    );
}

proptest! {
    #[test]
    fn calls_are_read_alike_however_they_come(
        form in 0..4_usize,
        calls in prop::collection::vec(
            (
                prop::sample::select(vec!["find", "stop", "Find", "lose"]),
                prop::collection::vec(
                    (
                        prop::sample::select(vec![
                            "text", "count", "any", "more", "list", "both", "Count", "name", "arguments",
                        ]),
                        prop_oneof![
                            "([a-zST<>=/ 1\\n\\]|!\"{}é_]|<[A-Z]>){0,12}",
                            "[0-9.]{1,4}",
                            Just("true".to_owned()),
                            Just("null".to_owned()),
                            Just("{\"deep\": \"x\"}".to_owned()),
                            Just("[\"a\", \"b\"]".to_owned()),
                        ],
                    ),
                    0..4,
                ),
            ),
            1..4,
        ),
        gap in prop::sample::select(vec!["", "\n", "\n\n", " "]),
        damage in prop::option::of(("[<>/\\n a{}|]", any::<prop::sample::Index>())),
    ) {
        let calls: Vec<String> = calls
            .into_iter()
            .map(|(name, list)| {
                let list: Vec<_> =
                    list.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
                written(form, name, &list)
            })
            .collect();
        let mut reply = reply(form, gap, &calls);
        if let Some((sign, at)) = damage {
            let mut at = at.index(reply.len() + 1);
            while !reply.is_char_boundary(at) {
                at -= 1;
            }
            reply.insert_str(at, &sign);
        }
        agree(&reply);
    }
}
