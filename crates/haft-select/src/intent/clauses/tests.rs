use super::*;

fn clauses(text: &str) -> Vec<&str> {
    of(text).map(str::trim).collect()
}

#[test]
fn conjunctions_and_full_stops_split_a_text() {
    assert_eq!(
        clauses("what time is it AND show me devices"),
        ["what time is it", "show me devices"]
    );
    assert_eq!(
        clauses("Lights off. Then lock the door, please!"),
        ["Lights off", "lock the door", "please"]
    );
    assert_eq!(clauses("a then b also c"), ["a", "b", "c"]);
}

#[test]
fn other_uses_of_these_words_do_not_split() {
    for text in [
        "turn on the sand lamp",
        "and turn it off",
        "android",
        "band and",
    ] {
        assert_eq!(clauses(text).len(), 1, "{text}");
    }
    assert!(clauses(" ,.?!").is_empty());
}

#[test]
fn the_number_of_clauses_is_limited() {
    assert_eq!(clauses(&"a,".repeat(1000)).len(), MOST);
}

#[test]
fn an_initial_remark_is_removed() {
    assert_eq!(
        without_remark("As of today, what is gold worth"),
        " what is gold worth"
    );
    for text in [
        "as of today",
        "as of today, ",
        "as it is, go on",
        "what, as of now, is it",
        "",
    ] {
        assert_eq!(without_remark(text), text);
    }
}
