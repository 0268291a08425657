use super::*;
use crate::formats::Role;

use Role::{Channel, Close, Invoke, Key, Noise, Parameter, Separator, Thinking, ThinkingEnd};
use Role::{Type, Value, Wrapper};

/// Markers as models write them, what they mean, and whether they close something.
const WRITTEN: &[(&str, Role, bool)] = &[
    ("<tool_call>", Wrapper, false),
    ("</tool_call>", Wrapper, true),
    ("<function=get_weather>", Invoke, false),
    ("</function>", Invoke, true),
    ("<parameter=city>", Parameter, false),
    ("</parameter>", Parameter, true),
    ("<seed:tool_call>", Wrapper, false),
    ("<seed:think>", Thinking, false),
    ("<|python_tag|>", Wrapper, false),
    ("<|eom_id|>", Noise, false),
    ("<|eot_id|>", Noise, false),
    ("<|python_start|>", Wrapper, false),
    ("<|python_end|>", Close, false),
    ("<function_calls>", Wrapper, false),
    ("</function_calls>", Wrapper, true),
    ("<|tool_call_start|>", Wrapper, false),
    ("<|tool_call_end|>", Close, false),
    ("[TOOL_CALLS]", Wrapper, false),
    ("[ARGS]", Separator, false),
    ("[CALL_ID]", Separator, false),
    ("[THINK]", Thinking, false),
    ("[/THINK]", Thinking, true),
    ("<｜tool▁calls▁begin｜>", Wrapper, false),
    ("<｜tool▁call▁begin｜>", Wrapper, false),
    ("<｜tool▁sep｜>", Separator, false),
    ("<｜tool▁call▁end｜>", Close, false),
    ("<｜tool▁calls▁end｜>", Close, false),
    ("<｜end▁of▁sentence｜>", Noise, false),
    ("<｜DSML｜function_calls>", Wrapper, false),
    ("</｜DSML｜function_calls>", Wrapper, true),
    ("<｜DSML｜tool_calls>", Wrapper, false),
    ("<｜DSML｜invoke name=\"f\">", Invoke, false),
    ("</｜DSML｜invoke>", Invoke, true),
    (
        "<｜DSML｜parameter name=\"k\" string=\"true\">",
        Parameter,
        false,
    ),
    ("</｜DSML｜parameter>", Parameter, true),
    ("<｜DSML｜ calls>", Wrapper, false),
    ("</｜DSML｜ calls>", Wrapper, true),
    ("<｜DSML｜ invoke name=\"f\">", Invoke, false),
    (
        "<｜DSML｜ parameter name=\"k\" string=\"false\">",
        Parameter,
        false,
    ),
    ("</｜DSML｜ parameter>", Parameter, true),
    ("<｜GCML｜tool_calls>", Wrapper, false),
    ("<｜GCML｜invoke name=\"f\">", Invoke, false),
    ("<|tool_calls_section_begin|>", Wrapper, false),
    ("<|tool_call_begin|>", Wrapper, false),
    ("<|tool_call_argument_begin|>", Separator, false),
    ("<|tool_calls_section_end|>", Close, false),
    ("<|open|>", Channel, false),
    ("<|close|>", Channel, false),
    ("<|sep|>", Channel, false),
    ("<arg_key>", Key, false),
    ("</arg_key>", Key, true),
    ("<arg_value>", Value, false),
    ("</arg_value>", Value, true),
    ("<arg_key:7f3a>", Key, false),
    ("<tool_call:7f3a>", Wrapper, false),
    ("</tool_call:7f3a>", Wrapper, true),
    ("<iquest_tool_call>", Wrapper, false),
    ("<tool_sep>", Separator, false),
    ("<tool_calls>", Wrapper, false),
    ("<minimax:tool_call>", Wrapper, false),
    ("</minimax:tool_call>", Wrapper, true),
    ("<invoke name=\"f\">", Invoke, false),
    ("<parameter name=\"k\">", Parameter, false),
    ("<dots_function_call>", Wrapper, false),
    ("<|tool_call|>", Wrapper, false),
    ("<|/tool_call|>", Wrapper, true),
    ("<function_call>", Wrapper, false),
    ("<|action_start|>", Wrapper, false),
    ("<|plugin|>", Wrapper, false),
    ("<|action_end|>", Close, false),
    ("<TOOLCALL>", Wrapper, false),
    ("</TOOLCALL>", Wrapper, true),
    ("<longcat_tool_call>", Wrapper, false),
    ("<|tools_prefix|>", Wrapper, false),
    ("<|tools_suffix|>", Close, false),
    ("<|start|>", Channel, false),
    ("<|channel|>", Channel, false),
    ("<|constrain|>", Channel, false),
    ("<|message|>", Channel, false),
    ("<|call|>", Channel, false),
    ("<|end|>", Channel, false),
    ("<rfl:parameter name=\"k\">", Parameter, false),
    ("</rfl:parameter>", Parameter, true),
    ("<atem:function_calls>", Wrapper, false),
    ("<atem:invoke name=\"t.f\">", Invoke, false),
    ("<atem:parameter name=\"k\">", Parameter, false),
    ("<|eom|>", Channel, false),
    ("<|message_model|>", Channel, false),
    ("<|content_invoke_tool_json|>", Channel, false),
    ("<|end_message|>", Channel, false),
    ("<start_function_call>", Wrapper, false),
    ("<end_function_call>", Close, false),
    ("<|tool_call>", Wrapper, false),
    ("<tool_call|>", Wrapper, true),
    ("<channel|>", Channel, true),
    ("<|START_ACTION|>", Wrapper, false),
    ("<|END_ACTION|>", Close, false),
    ("<|START_THINKING|>", Thinking, false),
    ("<|END_THINKING|>", ThinkingEnd, false),
    ("<｜tool_calls_begin｜>", Wrapper, false),
    ("<｜tool_sep｜>", Separator, false),
    ("<steptml:invoke name=\"f\">", Invoke, false),
    ("<steptml:parameter name=\"k\">", Parameter, false),
    ("</steptml:parameter>", Parameter, true),
    ("<function name=\"f\">", Invoke, false),
    ("<param name=\"k\">", Parameter, false),
    ("</param>", Parameter, true),
    ("<ifm|tool_calls>", Wrapper, false),
    ("<ifm|tool_call>", Wrapper, false),
    ("</ifm|tool_call>", Wrapper, true),
    ("<ifm|arg_key>", Key, false),
    ("</ifm|arg_key>", Key, true),
    ("<ifm|arg_type>", Type, false),
    ("<ifm|arg_value>", Value, false),
    ("<|plamo:begin_tool_request:plamo|>", Wrapper, false),
    ("<|plamo:msg:plamo|>", Separator, false),
    ("<|plamo:end_tool_request:plamo|>", Close, false),
    ("<|tool_calls|>", Wrapper, false),
    ("<think>", Thinking, false),
    ("</think>", Thinking, true),
    ("<mm:think>", Thinking, false),
    // Damaged, but whole.
    ("<toolcall>", Wrapper, false),
    ("<Tool_Call>", Wrapper, false),
    ("<tool-call>", Wrapper, false),
    ("<｜DSML｜toolcalls>", Wrapper, false),
    ("<tool_call >", Wrapper, false),
];

/// Reads a tag that must be whole and known: what it is, and whether it closes.
fn read(text: &str) -> (Role, bool) {
    let Some(tag) = whole_tag(text) else {
        panic!("not a tag: {text}");
    };
    let marker = tag.marker.unwrap_or_else(|| panic!("not a marker: {text}"));
    assert!(!tag.damaged, "{text}");
    assert_eq!(tag.len, text.len(), "{text}");
    assert!(text.get(tag.name).is_some(), "{text}");
    (marker.role, tag.close)
}

#[test]
fn every_marker_is_read_in_its_written_form() {
    for (text, role, close) in WRITTEN.iter().copied() {
        assert_eq!(read(text), (role, close), "{text}");
    }
}

#[test]
fn every_cut_of_a_tag_asks_for_more() {
    for text in [
        "</｜DSML｜ parameter>",
        "<parameter=city>",
        "<invoke name=\"f\">",
        "<|\"|>",
        "[TOOL_CALLS]",
        "<tool_call|>",
        "<ifm|arg_key>",
        "<｜tool▁calls▁begin｜>",
    ] {
        for (cut, _) in text.char_indices().skip(1) {
            assert_eq!(
                kind(text.get(..cut).unwrap(), false),
                "more",
                "{}",
                text.get(..cut).unwrap()
            );
        }
        assert_eq!(kind(text, false), "yes", "{text}");
    }
}

#[test]
fn a_lost_bracket_does_not_hide_a_marker() {
    let cases = [
        ("<tool_call\n<function=f>", 10, ""),
        ("<tool_call{\"name\"", 10, ""),
        ("</tool_call", 11, ""),
        ("</tool_call\nDone.", 11, ""),
        ("</tool_call and so on\n", 11, ""),
        ("<function=f\n<parameter=k>", 11, "=f"),
        ("<parameter=city\nOslo", 15, "=city"),
        ("<arg_key city</arg_key>", 8, ""),
    ];
    for (text, len, attributes) in cases {
        let Some(tag) = whole_tag(text) else {
            panic!("not a tag: {text}");
        };
        assert!(tag.damaged, "{text}");
        assert_eq!(tag.len, len, "{text}");
        assert_eq!(text.get(tag.attributes).unwrap(), attributes, "{text}");
    }
}

#[test]
fn what_is_no_tag_is_left_alone() {
    for text in [
        "< tool_call>",
        "<",
        "<3",
        "<=",
        "<<tool_call>",
        "[tool_calls]",
        "[1, 2]",
        "[NOTE]",
        "<–dash>",
        "<ａ>",
        "<think",
        "<br",
    ] {
        assert_eq!(kind(text, true), "no", "{text}");
    }
}

#[test]
fn a_tag_of_any_length_is_the_same_whole_and_cut() {
    for unit in ["a", "<", "=\"", "x=\"y\" ", "▁", "｜", " "] {
        let text = format!("<a{}", unit.repeat(700));
        let whole = kind(&text, true);
        for (cut, _) in text.char_indices().skip(1) {
            let kind = kind(text.get(..cut).unwrap(), false);
            assert!(kind == "more" || kind == whole, "{unit} at {cut}: {kind}");
        }
    }
}

#[test]
fn attributes_are_found_quoted_or_not() {
    let cases = [
        ("=city", "name", Some("city")),
        ("=\"city\"", "name", Some("city")),
        (" = city ", "name", Some("city")),
        ("=full name", "name", Some("full name")),
        ("=city type=\"string\"", "name", Some("city")),
        ("=city type=\"string\"", "type", Some("string")),
        (" name=\"city\" string=\"true\"", "string", Some("true")),
        (" name='city'", "name", Some("city")),
        (" name=city", "name", Some("city")),
        (" name = \"a b\"", "name", Some("a b")),
        (" city", "name", None),
        (" name", "name", None),
        ("", "name", None),
        (" data-name=\"x\" name=\"y\"", "name", Some("y")),
    ];
    for (attributes, wanted, found) in cases {
        assert_eq!(attribute(attributes, wanted), found, "{attributes}");
    }
}

fn kind(text: &str, finished: bool) -> &'static str {
    match tag_at(Text { text, finished }, 0) {
        Err(More) => "more",
        Ok(None) => "no",
        Ok(Some(_)) => "yes",
    }
}
