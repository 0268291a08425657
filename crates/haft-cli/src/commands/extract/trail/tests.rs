use haft::ToolCall;
use serde_json::json;

use super::*;

fn trail(pieces: &[Piece<'_>]) -> Vec<(Kind, String)> {
    let mut trail = Trail::default();
    for piece in pieces {
        trail.add(piece);
    }
    trail.pieces
}

fn start(name: &str) -> Piece<'_> {
    begin(0, name)
}

fn begin(index: usize, name: &str) -> Piece<'_> {
    Piece::CallStart { index, name }
}

/// The end of the call with this place.
fn end(index: usize) -> Piece<'static> {
    Piece::CallEnd {
        index,
        call: ToolCall::new("f", json!({}), "f_0"),
        repairs: Vec::new(),
        format: "hermes",
        is_bare: false,
    }
}

fn arguments(fragment: &str) -> Piece<'_> {
    Piece::CallArgs { index: 0, fragment }
}

#[test]
fn neighbours_of_one_kind_are_one_piece() {
    let whole = trail(&[
        Piece::Syntax("<tool_call>"),
        start("f"),
        arguments("{\"a\":1}"),
        Piece::Text("done"),
    ]);
    let split = trail(&[
        Piece::Syntax("<tool"),
        Piece::Syntax("_call>"),
        start("f"),
        arguments("{\"a\""),
        arguments(":1}"),
        Piece::Text("do"),
        Piece::Text("ne"),
    ]);
    assert_eq!(whole, split);
    assert_eq!(whole.len(), 4);
}

#[test]
fn a_late_end_of_thinking_makes_thoughts_of_everything() {
    let seen = trail(&[
        Piece::Reasoning("a "),
        Piece::Text("b "),
        start("f"),
        arguments("{}"),
        Piece::ThinkingEnded,
        Piece::Text("c"),
    ]);
    let wanted = [(Kind::Thinking, "a b {}"), (Kind::Text, "c")];
    assert_eq!(seen, wanted.map(|(kind, text)| (kind, text.to_owned())));
}

/// The pieces of a reply, laid over it.
fn laid(reply: &str, pieces: &[Piece<'_>]) -> Vec<(Kind, String)> {
    let mut trail = Trail::default();
    for piece in pieces {
        trail.add(piece);
    }
    trail.laid_over(reply).pieces
}

fn owned<const N: usize>(pieces: [(Kind, &str); N]) -> [(Kind, String); N] {
    pieces.map(|(kind, text)| (kind, text.to_owned()))
}

#[test]
fn what_the_pieces_left_out_is_markup() {
    let reply = "Hm.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>\n\n";
    let pieces = [
        Piece::Text("Hm."),
        Piece::Syntax("<tool_call>"),
        start("f"),
        arguments("{\"a\": 1}"),
        Piece::Syntax("</tool_call>"),
    ];
    let wanted = owned([
        (Kind::Text, "Hm."),
        (Kind::Markup, "\n<tool_call>\n{\"name\": \""),
        (Kind::Call, "f"),
        (Kind::Markup, "\", \"arguments\": "),
        (Kind::Arguments, "{\"a\": 1}"),
        (Kind::Markup, "}\n</tool_call>"),
    ]);
    assert_eq!(laid(reply, &pieces), wanted);
}

#[test]
fn a_name_with_another_spelling_is_added() {
    let pieces = [
        Piece::Syntax("<function=getTime>"),
        start("get_time"),
        arguments("{}"),
        start("time"),
        Piece::Text("done"),
    ];
    let wanted = owned([
        (Kind::Markup, "<function=getTime>"),
        (Kind::Call, "(get_time)"),
        (Kind::Arguments, "{}"),
        (Kind::Markup, " "),
        (Kind::Call, "(time)"),
        (Kind::Text, "done"),
    ]);
    assert_eq!(laid("<function=getTime>{} done", &pieces), wanted);
}

#[test]
fn a_name_is_matched_as_a_whole_word() {
    let pieces = [Piece::Syntax("call a: day"), start("a"), arguments("{}")];
    let wanted = owned([
        (Kind::Markup, "call "),
        (Kind::Call, "a"),
        (Kind::Markup, ": day"),
        (Kind::Arguments, "{}"),
    ]);
    assert_eq!(laid("call a: day{}", &pieces), wanted);
}

#[test]
fn a_piece_that_is_not_in_the_reply_is_shown() {
    let pieces = [Piece::Text("a & b"), Piece::Syntax("<x>"), Piece::Text("é")];
    let wanted = owned([
        (Kind::Text, "a & b"),
        (Kind::Markup, "a &amp; b<x>ü"),
        (Kind::Text, "é"),
    ]);
    assert_eq!(laid("a &amp; b<x>üé", &pieces), wanted);
}

#[test]
fn repaired_arguments_are_shown_where_they_were_written() {
    let reply = "```json\n{\"name\": \"f\", \"arguments\": {a: 'x', b: True,}}\n{\"name\": \"g\", \"arguments\": {}}\n```\ndone";
    let pieces = [
        start("f"),
        arguments("{\"a\":\"x\",\"b\":true}"),
        end(0),
        Piece::Syntax("{\"name\": \"g\", \"arguments\": "),
        begin(1, "g"),
        arguments("{}"),
        end(1),
        Piece::Syntax("}"),
        Piece::Syntax("\n```"),
        Piece::Text("done"),
    ];
    let wanted = owned([
        (Kind::Markup, "```json\n{\"name\": \""),
        (Kind::Call, "f"),
        (Kind::Markup, "\", \"arguments\": "),
        (Kind::Arguments, "{a: 'x', b: True,}"),
        (Kind::Markup, "}\n{\"name\": \""),
        (Kind::Call, "g"),
        (Kind::Markup, "\", \"arguments\": "),
        (Kind::Arguments, "{}"),
        (Kind::Markup, "}\n```\n"),
        (Kind::Text, "done"),
    ]);
    assert_eq!(laid(reply, &pieces), wanted);
}

#[test]
fn a_call_that_was_announced_appears_once() {
    let reply = "{\"name\": \"f\", \"arguments\": {\"a\": 1,}}\n{\"name\": \"g\", \"arguments\": {\"b\": 2}}";
    let pieces = [
        start("f"),
        arguments("{\"a\": 1,}"),
        begin(1, "g"),
        arguments("{\"b\": 2}"),
        end(0),
        Piece::Syntax("{\"name\": \"g\", \"arguments\": "),
        begin(1, "g"),
        arguments("{\"b\": 2}"),
        end(1),
        Piece::Syntax("}"),
    ];
    let wanted = owned([
        (Kind::Markup, "{\"name\": \""),
        (Kind::Call, "f"),
        (Kind::Markup, "\", \"arguments\": "),
        (Kind::Arguments, "{\"a\": 1,}"),
        (Kind::Markup, "}\n{\"name\": \""),
        (Kind::Call, "g"),
        (Kind::Markup, "\", \"arguments\": "),
        (Kind::Arguments, "{\"b\": 2}"),
        (Kind::Markup, "}"),
    ]);
    assert_eq!(laid(reply, &pieces), wanted);
}

#[test]
fn a_retracted_call_is_shown_as_text_only() {
    let reply = "f({\"a\": 1}) and so on";
    let pieces = [start("f"), arguments("{\"a\": 1}"), Piece::Text(reply)];
    assert_eq!(laid(reply, &pieces), owned([(Kind::Text, reply)]));
}
