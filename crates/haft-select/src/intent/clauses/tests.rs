use super::*;

fn clauses(text: &str) -> Vec<&str> {
    of(text).map(str::trim).collect()
}

#[test]
fn joints_and_stops_part_a_text() {
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
fn what_only_looks_like_a_joint_parts_nothing() {
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
fn there_are_not_too_many() {
    assert_eq!(clauses(&"a,".repeat(1000)).len(), MOST);
}

#[test]
fn a_remark_in_front_is_left_out() {
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
