use super::Block;

#[test]
fn the_end_of_a_line_is_found_in_any_parts() {
    let text = "one two\nthree\n";
    for cut in 0..text.len() {
        let mut block = Block::default();
        let early = block.line_end(text.get(..cut).unwrap_or_default(), 2);
        assert_eq!(early, (cut > 7).then_some(7), "{cut}");
        assert_eq!(block.line_end(text, 2), Some(7), "{cut}");
        assert_eq!(block.line_end(text, 8), Some(13), "{cut}");
    }
}

#[test]
fn what_was_searched_is_not_searched_again() {
    let mut block = Block::default();
    assert_eq!(block.line_end("one two", 0), None);
    // It would be found in the part that was searched, were that not skipped.
    assert_eq!(block.line_end("one\ntwo\n", 0), Some(7));
    assert_eq!(block.line_end("one\ntwo\n", 4), Some(7));
}
