use super::*;

#[test]
fn equal_phrases_are_reported_once_with_their_number() {
    let phrases = ["a", "b", "a"].map(str::to_owned);
    assert_eq!(counted(&phrases), ["a (2 times)", "b"]);
}
