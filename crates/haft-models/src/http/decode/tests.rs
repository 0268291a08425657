use std::collections::VecDeque;

use bytes::Bytes;
use haft_core::ModelErrorKind;
use proptest::prelude::*;

use super::{Decoder, Frame, Framing};

const LINE: usize = 1000;

/// The frames of `bytes` when they come in the given pieces.
fn frames<'a>(framing: Framing, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Frame> {
    let mut decoder = Decoder::new(framing, LINE);
    let mut frames = VecDeque::new();
    for piece in pieces {
        decoder
            .push(Bytes::copy_from_slice(piece), &mut frames)
            .unwrap();
    }
    let last = decoder.finish(&mut frames).unwrap();
    frames.extend(last);
    frames.into()
}

fn event(data: &str) -> Frame {
    Frame {
        data: data.to_owned(),
        whole: false,
    }
}

const STREAM: &str = "\u{feff}: hello\nid: 7\nretry: 10\ndata: {\"a\": \"é🌧\"}\n\n\nevent: ping\n\
                      data\n\ndata: one\ndata:  two\n: more\n\nevent:stop\nother: x\ndata:[DONE]\n\n";

fn expected() -> Vec<Frame> {
    vec![
        event("{\"a\": \"é🌧\"}"),
        event(""),
        event("one\n two"),
        event("[DONE]"),
    ]
}

#[test]
fn events_are_the_same_for_every_cut() {
    for stream in [STREAM.to_owned(), STREAM.replace('\n', "\r\n")] {
        let bytes = stream.as_bytes();
        assert_eq!(frames(Framing::Sse, [bytes]), expected());
        assert_eq!(frames(Framing::Sse, bytes.chunks(1)), expected());
        for cut in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(cut);
            assert_eq!(
                frames(Framing::Sse, [head, tail]),
                expected(),
                "cut at {cut}"
            );
        }
    }
}

#[test]
fn the_last_event_needs_no_blank_line() {
    for end in ["", "\n", "\r\n"] {
        let stream = format!("data: 1\n\ndata: 2{end}");
        let seen = frames(Framing::Sse, [stream.as_bytes()]);
        assert_eq!(seen, [event("1"), event("2")]);
    }
}

#[test]
fn comments_alone_are_not_events() {
    assert_eq!(frames(Framing::Sse, [&b": wait\n\n: wait\n\n"[..]]), []);
    assert_eq!(frames(Framing::Sse, [&b"event: ping\n\n"[..]]), []);
    assert_eq!(frames(Framing::Sse, [&b""[..]]), []);
    assert_eq!(frames(Framing::Sse, [&b"\n \r\n"[..]]), []);
}

#[test]
fn json_lines_are_the_same_for_every_cut() {
    let text = "\u{feff}\n{\"a\":\"é\"}\n\n  \r\n{\"b\":1}\r\n{\"c\":2}";
    let expected = ["{\"a\":\"é\"}", "{\"b\":1}", "{\"c\":2}"].map(event);
    let bytes = text.as_bytes();
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        assert_eq!(
            frames(Framing::Ndjson, [head, tail]),
            expected,
            "cut at {cut}"
        );
    }
}

#[test]
fn the_first_byte_distinguishes_a_stream_from_a_whole_body() {
    let json = " \n{\"error\":\n\"x\"}";
    for framing in [Framing::Sse, Framing::Whole] {
        let seen = frames(framing, json.as_bytes().chunks(1));
        assert_eq!(seen.len(), 1);
        assert!(seen[0].whole);
        assert_eq!(seen[0].data, "{\"error\":\n\"x\"}");
        assert_eq!(frames(framing, [STREAM.as_bytes()]), expected());
        assert!(frames(framing, [&b"<html>"[..]])[0].whole);
    }
}

#[test]
fn lines_are_bounded() {
    for framing in [Framing::Sse, Framing::Ndjson] {
        let mut decoder = Decoder::new(framing, 10);
        let error = decoder
            .push(
                Bytes::from("data: 12345678901234567890"),
                &mut VecDeque::new(),
            )
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Malformed);
        assert!(error.to_string().contains("10 bytes"), "{error}");
    }
}

#[test]
fn invalid_utf8_is_malformed() {
    for (framing, bytes) in [
        (Framing::Sse, &b"data: \xff\n\n"[..]),
        (Framing::Ndjson, b"\xff\n"),
        (Framing::Whole, b"{\xff}"),
    ] {
        let mut decoder = Decoder::new(framing, LINE);
        let pushed = decoder.push(Bytes::from(bytes), &mut VecDeque::new());
        let error = pushed
            .and_then(|()| decoder.finish(&mut VecDeque::new()))
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Malformed, "{framing:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_give_the_same(
        bytes in proptest::collection::vec(
            prop_oneof![
                Just(b'\n'), Just(b'\r'), Just(b':'), Just(b' '), Just(b'd'), Just(b'{'), b'a'..b'f',
            ],
            0..60,
        ),
        tail in "(data: [a-zé🌧]{0,5}\r?\n|event: [a-z]{1,3}\n|\r?\n|: x\n){0,12}",
        cuts in proptest::collection::vec(0..200_usize, 0..6),
        framing in prop_oneof![Just(Framing::Sse), Just(Framing::Ndjson), Just(Framing::Whole)],
    ) {
        let mut bytes = bytes;
        bytes.extend_from_slice(tail.as_bytes());
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= bytes.len()).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        pieces.push(&bytes[from..]);
        prop_assert_eq!(frames(framing, pieces), frames(framing, [&bytes[..]]));
    }
}

#[test]
fn lines_may_come_where_one_piece_was_asked_for() {
    let stream = "{\"a\": 1}\n\n{\"b\": 2}\n{\"c\": 3}";
    let lines = ["{\"a\": 1}", "{\"b\": 2}", "{\"c\": 3}"].map(event);
    assert_eq!(frames(Framing::Whole, [stream.as_bytes()]), lines);
    assert_eq!(frames(Framing::Whole, stream.as_bytes().chunks(3)), lines);
    for whole in ["{\n\"a\": [\n{}\n]}\n", "{\"a\": 1}\n", "{\"a\": 1}\n \n"] {
        let frames = frames(Framing::Whole, [whole.as_bytes()]);
        assert!(
            matches!(frames.as_slice(), [frame] if frame.whole),
            "{whole}"
        );
    }
}
