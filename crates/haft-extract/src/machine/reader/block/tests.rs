use super::LineEnd;

#[test]
fn the_end_of_a_line_is_found_in_any_parts() {
    let text = "one two\nthree\n";
    for cut in 0..text.len() {
        let mut line = LineEnd::default();
        let early = line.find(text.get(..cut).unwrap_or_default(), 2);
        assert_eq!(early, (cut > 7).then_some(7), "{cut}");
        assert_eq!(line.find(text, 2), Some(7), "{cut}");
        assert_eq!(line.find(text, 8), Some(13), "{cut}");
    }
}

#[test]
fn what_was_searched_is_not_searched_again() {
    let mut line = LineEnd::default();
    assert_eq!(line.find("one two", 0), None);
    // It would be found in the part that was searched, were that not skipped.
    assert_eq!(line.find("one\ntwo\n", 0), Some(7));
    assert_eq!(line.find("one\ntwo\n", 4), Some(7));
}
