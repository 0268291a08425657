use super::*;

#[test]
fn constants_stand_for_the_formats_they_are_named_after() {
    assert_eq!(Format::named("auto"), Some(Format::AUTO));
    assert_eq!(Format::named("plain_call"), Some(Format::PLAIN_CALL));
}

#[test]
fn no_name_stands_for_two_formats() {
    for format in Format::all() {
        assert_eq!(Format::named(format.name()), Some(format));
    }
    let names = FORMATS.iter().copied().flatten();
    let mut letters: Vec<String> = names.map(|name| letters(name)).collect();
    let all = letters.len();
    letters.sort();
    letters.dedup();
    assert_eq!(letters.len(), all);
}
