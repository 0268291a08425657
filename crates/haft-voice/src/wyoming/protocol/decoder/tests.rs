use super::*;

/// Events as written by the `wyoming` package 1.10.2, and by older servers, with the data in the
/// header line.
const STREAM: &[u8] = b"{\"type\": \"describe\", \"version\": \"1.10.2\"}\n\
    {\"type\": \"transcript\", \"version\": \"1.10.2\", \"data_length\": 15}\n{\"text\": \"a\\n\"}\
    {\"type\": \"audio-chunk\", \"data\": {\"rate\": 8000, \"width\": 2}, \"data_length\": 15, \
    \"payload_length\": 5}\n{\"rate\": 16000}ab\n{}\
    {\"type\": \"audio-stop\", \"data\": {\"timestamp\": null}, \"payload_length\": null}\n";

fn events() -> Vec<Event> {
    vec![
        Event::new("describe"),
        Event::new("transcript").with("text", "a\n"),
        Event::new("audio-chunk")
            .with("rate", 16_000)
            .with("width", 2)
            .with_payload(*b"ab\n{}"),
        Event::new("audio-stop").with("timestamp", Value::Null),
    ]
}

fn decode(pieces: &[&[u8]]) -> Result<Vec<Event>, FramingError> {
    let mut decoder = EventDecoder::default();
    let mut events = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        while let Some(event) = decoder.next_event()? {
            events.push(event);
        }
    }
    decoder.finish()?;
    Ok(events)
}

#[test]
fn events_are_the_same_wherever_the_bytes_are_cut() {
    for at in 0..=STREAM.len() {
        let (head, tail) = STREAM.split_at(at);
        assert_eq!(decode(&[head, tail]).unwrap(), events(), "cut at {at}");
    }
    let bytes: Vec<&[u8]> = STREAM.chunks(1).collect();
    assert_eq!(decode(&bytes).unwrap(), events());
}

#[test]
fn events_survive_a_round_trip() {
    let bytes: Vec<u8> = events().iter().flat_map(Event::encode).collect();
    assert_eq!(decode(&[&bytes]).unwrap(), events());
}

#[test]
fn an_end_inside_an_event_is_named() {
    let mut whole = 0;
    for at in 0..STREAM.len() {
        match decode(&[&STREAM[..at]]) {
            Ok(_) => whole += 1,
            Err(FramingError::Cut { .. }) => {}
            Err(error) => panic!("cut at {at}: {error}"),
        }
    }
    // Before each of the four parts.
    assert_eq!(whole, 4);
    let cut = decode(&[b"{\"type\": \"transcript\", \"data_length\": 9}\n{"]).unwrap_err();
    assert_eq!(
        cut.to_string(),
        "the connection ended in the middle of an event `transcript`"
    );
}

#[test]
fn a_damaged_header_is_shown() {
    for (line, reason) in [
        ("GET / HTTP/1.1\r", "expected value at line 1 column 1"),
        ("", "EOF while parsing a value at line 1 column 0"),
        (
            "[]",
            "invalid length 0, expected struct Header with 4 elements at line 1 column 2",
        ),
        ("{}", "missing field `type` at line 1 column 2"),
        ("{\"type\": \"\"}", "its type is empty"),
        (
            "{\"type\": \"a\", \"data_length\": -1}",
            "invalid value: integer `-1`, expected u64 at line 1 column 31",
        ),
    ] {
        let error = decode(&[line.as_bytes(), b"\n"]).unwrap_err();
        let expected = FramingError::Header {
            header: line.to_owned(),
            reason: reason.to_owned(),
        };
        assert_eq!(error, expected);
    }
    let long = decode(&["ä".repeat(1_000).as_bytes(), b"\n"]).unwrap_err();
    assert!(long.to_string().len() < 300, "{long}");
}

#[test]
fn an_excessive_length_is_refused_when_it_is_announced() {
    for (bytes, part) in [
        (
            "{\"type\": \"info\", \"data_length\": 1048577}\n",
            "the data of an event `info`",
        ),
        (
            "{\"type\": \"audio-chunk\", \"payload_length\": 18446744073709551615}\n",
            "the payload of an event `audio-chunk`",
        ),
        (&"x".repeat(MAX_HEADER + 1), "the header of an event"),
    ] {
        let error = decode(&[bytes.as_bytes()]).unwrap_err();
        assert!(error.to_string().starts_with(part), "{error}");
        assert!(matches!(error, FramingError::TooLong { .. }));
    }
}

#[test]
fn damaged_data_names_its_event() {
    let error = decode(&[b"{\"type\": \"handled\", \"data_length\": 2}\n[]"]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the data of an event `handled` is damaged: "),
        "{error}"
    );
}
