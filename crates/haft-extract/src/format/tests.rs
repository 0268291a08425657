use super::*;

#[test]
fn no_name_stands_for_two_formats() {
    for format in Format::all() {
        assert_eq!(Format::named(format.name()), Some(format));
    }
    let names = Format::all().flat_map(Format::names);
    let mut letters: Vec<String> = names.map(|name| letters(name)).collect();
    let all = letters.len();
    letters.sort();
    letters.dedup();
    assert_eq!(letters.len(), all);
}
