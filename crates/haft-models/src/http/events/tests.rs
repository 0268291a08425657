use haft_core::ModelErrorKind;

use super::*;

const SSE: &str = "data: {\"a\": 1}\n\n: still there\n\nevent: x\r\ndata: \u{e9}\r\n\r\ndata: one\ndata: two\n\ndata: [DONE]\n\nrest";
const LINES: &str = "{\"a\": 1}\n\n{\"b\": \"\u{1f327}\"}\r\n{\"c\"";

/// What comes of pieces: the bytes given back, the data of their events, and what is left.
fn cut(framing: Framing, pieces: &[&[u8]]) -> (Vec<u8>, Vec<String>, Vec<u8>) {
    let mut events = Events::new(framing, 1000);
    let (mut bytes, mut found) = (Vec::new(), Vec::new());
    for piece in pieces {
        let complete = events.push(Bytes::copy_from_slice(piece)).unwrap();
        bytes.extend_from_slice(&complete);
        let mut left = complete;
        while let Some(size) = events.next(&left) {
            let event = left.split_to(size);
            found.extend(framing.data(&event).unwrap().map(Cow::into_owned));
        }
        assert!(left.is_empty(), "{left:?}");
    }
    (bytes, found, events.rest().to_vec())
}

#[test]
fn events_are_the_same_wherever_they_are_cut() {
    let sse = ["{\"a\": 1}", "\u{e9}", "one\ntwo", "[DONE]"];
    let lines = ["{\"a\": 1}", "{\"b\": \"\u{1f327}\"}"];
    for (framing, text, data) in [
        (Framing::Sse, SSE, &sse[..]),
        (Framing::Ndjson, LINES, &lines[..]),
    ] {
        let whole = cut(framing, &[text.as_bytes()]);
        assert_eq!(whole.1, data);
        assert_eq!([whole.0.as_slice(), &whole.2].concat(), text.as_bytes());
        for at in 0..=text.len() {
            let (before, after) = text.as_bytes().split_at(at);
            assert_eq!(cut(framing, &[before, after]), whole, "{framing:?} at {at}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(cut(framing, &bytes), whole, "{framing:?} byte by byte");
    }
}

#[test]
fn an_event_without_end_is_bounded() {
    let mut events = Events::new(Framing::Sse, 1000);
    let endless = Bytes::from(vec![b'x'; 600]);
    assert!(events.push(endless.clone()).is_ok());
    let error = events.push(endless).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Malformed);
}

#[test]
fn bytes_that_are_not_utf8_have_no_data() {
    let error = Framing::Sse.data(b"data: \xff\n\n").unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Malformed);
    assert_eq!(Framing::Sse.data(b": hello\n\n").unwrap(), None);
    assert_eq!(Framing::Sse.data(b"data\n\n").unwrap().unwrap(), "");
}
