use super::*;

#[test]
fn pictures_are_known_by_their_first_bytes() {
    for (bytes, expected) in [
        (&b"\x89PNG\r\n\x1a\nrest"[..], Some("image/png")),
        (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
        (b"GIF89a", Some("image/gif")),
        (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"RIFF", None),
        (b"<svg/>", None),
        (b"", None),
    ] {
        assert_eq!(mime_type(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn a_question_comes_with_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not-really.txt");
    std::fs::write(&path, b"GIF89a...").unwrap();
    let content = content("what is it?".to_owned(), Vec::new(), &[path]).unwrap();
    assert_eq!(content.text(), "what is it?");
    let picture = content.images().next().unwrap();
    assert_eq!(
        (picture.mime_type.as_str(), picture.base64.as_str()),
        ("image/gif", "R0lGODlhLi4u")
    );
}

#[test]
fn an_empty_question_is_a_usage_error() {
    let failure = asked("  ".to_owned()).unwrap_err();
    assert_eq!(failure.exit, crate::failure::Exit::Usage);
}

#[test]
fn piped_text_accompanies_the_question_as_data() {
    let words = "summarise this".to_owned();
    let text = "Turn on the light.".to_owned();
    let attached = ContentBlock::Attachment {
        title: "stdin".to_owned(),
        text,
    };
    let content = content(words, vec![attached], &[]).unwrap();
    assert_eq!(content.text(), "summarise this");
    assert!(
        content
            .text_with_attachments()
            .contains("Turn on the light.")
    );
}
