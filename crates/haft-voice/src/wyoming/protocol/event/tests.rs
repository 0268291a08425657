use super::*;

#[test]
fn an_event_without_data_is_one_line() {
    assert_eq!(
        Event::new("describe").encode(),
        b"{\"type\":\"describe\"}\n"
    );
}

#[test]
fn the_payload_follows_the_data() {
    let event = Event::new("audio-chunk")
        .with("rate", 16_000)
        .with_payload([1, 2, 0, b'\n']);
    let mut expected =
        b"{\"type\":\"audio-chunk\",\"data_length\":14,\"payload_length\":4}\n{\"rate\":16000}"
            .to_vec();
    expected.extend([1, 2, 0, b'\n']);
    assert_eq!(event.encode(), expected);
}

#[test]
fn a_line_break_in_a_text_does_not_break_the_line() {
    let bytes = Event::new("a\nb").with("text", "ü\n").encode();
    assert_eq!(
        bytes,
        b"{\"type\":\"a\\nb\",\"data_length\":15}\n{\"text\":\"\xc3\xbc\\n\"}"
    );
}

#[test]
fn fields_of_another_type_are_ignored() {
    let event = Event::new("x")
        .with("text", 5)
        .with("rate", -1)
        .with("width", 70_000);
    assert_eq!(event.text(), None);
    assert_eq!(event.number::<u32>("rate"), None);
    assert_eq!(event.number::<u16>("width"), None);
    assert_eq!(event.number::<u32>("width"), Some(70_000));
}
