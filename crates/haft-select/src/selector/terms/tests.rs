use super::*;

fn count(word: &str) -> usize {
    let mut count = 0;
    fragments(word, |_| count += 1);
    count
}

#[test]
fn a_word_has_a_fragment_for_each_place() {
    // `#weather#` is nine characters.
    assert_eq!(count("weather"), 6);
    assert_eq!(count("ab"), 1);
    assert_eq!(count("a"), 1);
}

#[test]
fn words_with_a_common_part_share_fragments() {
    let (a, b) = (QueryTerms::of("playlist"), QueryTerms::of("playlists"));
    let shared = a
        .fragments
        .iter()
        .filter(|fragment| b.fragments.contains(fragment));
    assert_eq!(shared.count(), 6);
    assert_eq!(a.words, b.words);
}

#[test]
fn a_query_counts_each_word_once() {
    assert_eq!(QueryTerms::of("rain, rain, RAIN").words.len(), 1);
}

#[test]
fn a_long_query_is_read_in_part() {
    let query: String = (0..100_000).map(|n| format!("w{n} ")).collect();
    assert!(QueryTerms::of(&query).words.len() <= MAX_QUERY);
}
