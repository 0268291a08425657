use haft::ToolCall;
use haft::extract::Piece;
use haft::schema::{Repair, RepairKind};
use haft::types::InvalidToolCall;
use insta::assert_snapshot;
use serde_json::json;

use super::*;

const PIPE: Paper = Paper {
    coloured: false,
    is_terminal: false,
};

const TERMINAL: Paper = Paper {
    coloured: true,
    is_terminal: true,
};

fn pieces() -> Vec<Piece<'static>> {
    vec![
        Piece::Reasoning("Bright.\nToo bright."),
        Piece::Text("Sure\u{1b}[31m.\n"),
        Piece::Syntax("<tool_call>\n"),
        Piece::CallStart {
            index: 0,
            name: "dim",
        },
        Piece::CallArgs {
            index: 0,
            fragment: "{'level': '40'}",
        },
        Piece::CallEnd {
            index: 0,
            call: ToolCall::new("dim", json!({"level": 40, "room": "a\nb"}), "dim_0"),
            repairs: vec![Repair::new(
                "/level",
                RepairKind::TextToNumber,
                "\"40\"",
                "40",
            )],
            format: "hermes",
            is_bare: false,
        },
        Piece::Invalid {
            index: 1,
            call: InvalidToolCall {
                name: "dimm".to_owned(),
                args: "{\n\"level\"".to_owned(),
                id: "dimm_1".to_owned(),
                error: "There is no tool \"dimm\"".to_owned(),
            },
            format: "hermes",
        },
    ]
}

fn read(pieces: Vec<Piece<'_>>) -> (Trail, Reading) {
    let (mut trail, mut reading) = (Trail::default(), Reading::default());
    for piece in pieces {
        trail.add(&piece);
        reading.add(piece);
    }
    (trail, reading)
}

#[test]
fn a_pipe_gets_calls_and_then_the_text_as_it_was() {
    let page = PIPE.whole(&read(pieces()).1);
    assert_eq!(
        page,
        "call    dim {\"level\":40,\"room\":\"a\\nb\"}\n        \
         repaired: level: text \"40\" became the number 40\n\
         invalid dimm {\\n\"level\"\n        There is no tool \"dimm\"\n\
         \nSure\u{1b}[31m.\n"
    );
}

#[test]
fn text_without_calls_is_printed_alone() {
    let (_, reading) = read(vec![Piece::Text("  Hello\nthere\n\n")]);
    assert_eq!(PIPE.whole(&reading), "  Hello\nthere\n");
    let (_, nothing) = read(Vec::new());
    assert_eq!(PIPE.whole(&nothing), "");
}

#[test]
fn without_colours_each_piece_has_its_line() {
    let (trail, reading) = read(pieces());
    assert_snapshot!(PIPE.explained(&trail, &reading), @r#"
    thinking  Bright.\nToo bright.
    text      Sure\u{1b}[31m.\n
    markup    <tool_call>\n
    call      dim
    arguments {'level': '40'}

    call    dim {"level":40,"room":"a\nb"}
            repaired: level: text "40" became the number 40
    invalid dimm {\n"level"
            There is no tool "dimm"
    "#);
}

#[test]
fn with_colours_the_reply_keeps_its_lines() {
    let (trail, reading) = read(pieces());
    let page = TERMINAL.explained(&trail, &reading);
    assert!(
        page.contains("\u{1b}[36m<tool_call>\n\u{1b}[0m"),
        "{page:?}"
    );
    assert!(
        page.contains("\u{1b}[33m{'level': '40'}\u{1b}[0m"),
        "{page:?}"
    );
    let calls = "\u{1b}[32mcall    \u{1b}[0mdim {\"level\":40,\"room\":\"a\\nb\"}\n";
    assert!(page.contains(calls), "{page:?}");
    // The model's own escape sequence was removed.
    assert!(!page.contains("\u{1b}[31m."), "{page:?}");
    assert!(page.contains("Sure.\n"), "{page:?}");
}
