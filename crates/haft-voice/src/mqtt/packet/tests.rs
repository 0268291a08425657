use super::*;

fn read(pieces: &[&[u8]]) -> Result<Vec<Packet>, &'static str> {
    let mut reader = PacketReader::default();
    let mut packets = Vec::new();
    for piece in pieces {
        reader.push(piece);
        while let Some(packet) = reader.next_packet()? {
            packets.push(packet);
        }
    }
    Ok(packets)
}

#[test]
fn packets_are_the_same_wherever_the_bytes_are_cut() {
    let long = packet(0x30, &[7; 300]);
    let stream = [&[0x20, 2, 0, 5][..], &[0xD0, 0], &long, &[0x40, 2, 1, 2]].concat();
    let expected = [
        Packet::Connected(5),
        Packet::Pong,
        Packet::Other,
        Packet::Published(258),
    ];
    for at in 0..=stream.len() {
        let (head, tail) = stream.split_at(at);
        assert_eq!(read(&[head, tail]).unwrap(), expected, "cut at {at}");
    }
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn damaged_and_endless_packets_are_refused() {
    for bytes in [
        &[0x40, 1, 0][..],
        &[0x20, 0xFF, 0xFF, 0xFF, 0xFF],
        &[0x30, 0xFF, 0xFF, 0xFF, 0x7F],
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ] {
        let seen = read(&[bytes]);
        // The reply of a web server is read as another packet, and is never an acceptance.
        assert!(seen.is_err() || !seen.unwrap().contains(&Packet::Connected(0)));
    }
}

#[test]
fn packets_are_encoded_as_in_the_standard() {
    let mut options = MqttOptions::parse("mqtt://me:secret@localhost").unwrap();
    options.client = "haft".to_owned();
    let bytes = connect(&options, 60);
    assert_eq!(
        bytes,
        b"\x10\x1c\0\x04MQTT\x04\xc2\0\x3c\0\x04haft\0\x02me\0\x06secret"
    );
    assert_eq!(
        publish("a/b", "hi", 10, false),
        b"\x32\x09\0\x03a/b\0\x0ahi"
    );
    assert_eq!(publish("a/b", "hi", 10, true)[0], 0x3A);
    let long = publish("t", &"x".repeat(200), 1, false);
    // 205 bytes follow: 77 + 1 * 128.
    assert_eq!(&long[..3], [0x32, 0xCD, 0x01]);
}
