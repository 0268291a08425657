use super::*;

fn document(texts: &[&str]) -> ClientDocument {
    let messages = texts.iter().enumerate().map(|(place, text)| ClientMessage {
        message: Message::human(*text),
        place: Some(place),
        opaque: Vec::new(),
    });
    let options = CallOptions::default();
    ClientDocument::new(ClientApi::OpenAi, "{}".into(), messages.collect(), &options)
}

fn places(document: &ClientDocument, conversation: &[&str]) -> Vec<Option<usize>> {
    let conversation: Vec<_> = conversation
        .iter()
        .map(|text| Message::human(*text))
        .collect();
    let sources = document.sources(&conversation);
    sources
        .iter()
        .map(|source| source.and_then(|source| source.place))
        .collect()
}

#[test]
fn unchanged_messages_are_found_between_added_changed_and_missing_ones() {
    let document = document(&["a", "b", "b", "c"]);
    assert_eq!(
        places(&document, &["a", "b", "b", "c"]),
        [Some(0), Some(1), Some(2), Some(3)]
    );
    assert_eq!(
        places(&document, &["a", "new", "b", "changed", "c", "new"]),
        [Some(0), None, Some(1), None, Some(3), None]
    );
}

#[test]
fn no_content_is_shown() {
    let shown = format!("{:?}", document(&["secret"]));
    assert!(
        !shown.contains("secret") && shown.contains("bytes"),
        "{shown}"
    );
}
