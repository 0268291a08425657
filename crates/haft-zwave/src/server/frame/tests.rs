use super::*;

const LIMIT: usize = 100_000;

/// A frame as a server sends it.
fn served(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        length @ 0..126 => frame.push(length as u8),
        length @ 126..65_536 => {
            frame.push(126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend(payload);
    frame
}

fn read_all(reader: &mut FrameReader) -> Vec<Message> {
    std::iter::from_fn(|| reader.next().unwrap()).collect()
}

#[test]
fn messages_are_the_same_wherever_the_bytes_are_cut() {
    let long = vec![b'x'; 300];
    let stream = [
        served(0x81, b"{}"),
        served(0x01, b"one "),
        served(0x89, b"ping"),
        served(0x00, b"two "),
        served(0x80, b"three"),
        served(0x81, &long),
        served(0x82, b""),
        served(0x8A, b""),
        served(0x88, &[3, 232]),
    ]
    .concat();
    let wanted = [
        Message::Data(b"{}".to_vec()),
        Message::Ping(b"ping".to_vec()),
        Message::Data(b"one two three".to_vec()),
        Message::Data(long),
        Message::Data(Vec::new()),
        Message::Pong,
        Message::Close,
    ];
    for cut in 0..=stream.len() {
        let (head, tail) = stream.split_at(cut);
        let mut reader = FrameReader::new(LIMIT);
        reader.push(head);
        let mut messages = read_all(&mut reader);
        reader.push(tail);
        messages.extend(read_all(&mut reader));
        assert_eq!(messages, wanted, "cut at {cut}");
    }
    let mut reader = FrameReader::new(LIMIT);
    let mut messages = Vec::new();
    for byte in stream {
        reader.push(&[byte]);
        messages.extend(read_all(&mut reader));
    }
    assert_eq!(messages, wanted);
}

#[test]
fn a_long_message_is_refused_before_it_is_there() {
    let mut reader = FrameReader::new(LIMIT);
    reader.push(&served(0x81, &vec![b'x'; LIMIT]));
    assert!(matches!(reader.next(), Ok(Some(Message::Data(data))) if data.len() == LIMIT));
    reader.push(&[0x81, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xA1]);
    assert_eq!(reader.next(), Err(Violation::TooLong));

    let mut reader = FrameReader::new(LIMIT);
    reader.push(&[0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255]);
    assert_eq!(reader.next(), Err(Violation::TooLong));

    // Neither does it help to send it in parts.
    let mut reader = FrameReader::new(LIMIT);
    reader.push(&served(0x01, &vec![b'x'; 60_000]));
    assert_eq!(reader.next(), Ok(None));
    reader.push(&served(0x80, &vec![b'x'; 60_000]));
    assert_eq!(reader.next(), Err(Violation::TooLong));
}

#[test]
fn what_is_no_frame_of_a_server_is_refused() {
    for (bytes, why) in [
        (vec![0xC1, 0], "compressed without asking"),
        (vec![0x81, 0x80, 0, 0, 0, 0], "masked"),
        (vec![0x83, 0], "unknown kind"),
        (vec![0x09, 0], "a ping in parts"),
        (served(0x89, &[0; 126]), "a long ping"),
        (served(0x80, b"x"), "a continuation of nothing"),
        (
            [served(0x01, b"a"), served(0x81, b"b")].concat(),
            "two begun",
        ),
        (b"HTTP/1.1 200 OK".to_vec(), "no WebSocket at all"),
    ] {
        let mut reader = FrameReader::new(LIMIT);
        reader.push(&bytes);
        assert!(
            matches!(reader.next(), Err(Violation::Malformed(_))),
            "{why}"
        );
    }
}

#[test]
fn a_clients_frame_is_masked_and_of_the_right_length() {
    // The example of RFC 6455, section 5.7.
    assert_eq!(
        encode(Opcode::Text, b"Hello", [0x37, 0xfa, 0x21, 0x3d]),
        [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58
        ]
    );
    for (length, header) in [
        (125, vec![0x81, 0x80 | 125]),
        (126, vec![0x81, 0xFE, 0, 126]),
        (65_535, vec![0x81, 0xFE, 255, 255]),
        (65_536, vec![0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] {
        let frame = encode(Opcode::Text, &vec![0; length], [1, 2, 3, 4]);
        assert!(frame.starts_with(&header), "{length}");
        assert_eq!(frame.len(), header.len() + 4 + length);
    }
}
