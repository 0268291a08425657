use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;

use super::super::ToolText;
use super::*;

fn selector() -> ToolSelector {
    static SELECTOR: LazyLock<ToolSelector> = LazyLock::new(built);
    SELECTOR.clone()
}

/// A set that is too large to be bound completely.
fn built() -> ToolSelector {
    let subjects = [
        "weather", "mail", "music", "flight", "hotel", "calendar", "alarm", "shopping", "bank",
        "recipe",
    ];
    let verbs = ["get", "create", "delete", "search"];
    let filling = "Takes some arguments and returns a result to the caller. ".repeat(10);
    let tools: Vec<_> = subjects
        .iter()
        .flat_map(|subject| {
            verbs.map(|verb| {
                (
                    format!("{verb}_{subject}"),
                    format!("To {verb} {subject}. {filling}"),
                )
            })
        })
        .collect();
    ToolSelector::new(
        tools
            .iter()
            .map(|(name, text)| ToolText::new(name, text, &Value::Null)),
    )
}

#[test]
fn a_session_binds_few_and_only_adds() {
    let mut session = selector().session();
    let first = session.bind("what is the weather in Oslo").to_vec();
    assert!(first.contains(&0) && first.len() < 20, "{first:?}");
    assert!(first.is_sorted());
    let second = session.bind("book a hotel").to_vec();
    assert!(second.starts_with(&first));
    assert!(second.contains(&19));
    assert!(second[first.len()..].is_sorted());
    assert_eq!(session.bound(), second);
}

#[test]
fn the_same_query_adds_nothing() {
    let mut session = selector().session();
    let first = session.bind("play some music").to_vec();
    assert_eq!(session.clone().bind("play some music"), first);
}

#[test]
fn a_follow_up_continues_the_subject() {
    let (mut session, alone) = (selector().session(), selector());
    session.bind("search for a flight to Lima");
    let before = session.bound().len();
    let added = session.bind("and back?").len() - before;
    assert!(added < alone.bind("and back?").len());
}

#[test]
fn a_query_without_known_words_withholds_nothing() {
    assert_eq!(selector().bind("북경 날씨").len(), 40);
    assert_eq!(selector().bind("").len(), 40);
}

#[test]
fn pinned_tools_are_bound_once_and_stay() {
    let mut session = selector().session();
    session.pin(39);
    session.pin(39);
    session.pin(1000);
    assert_eq!(session.bound(), [39]);
    assert!(
        session
            .bind("what is the weather in Oslo")
            .starts_with(&[39])
    );
}

#[test]
fn the_saved_tokens_are_those_of_withheld_tools() {
    let mut session = selector().session();
    let all = session.tokens_saved();
    session.bind("what is the weather in Oslo");
    let bound = session.bound().len();
    assert!(session.tokens_saved() > all * (39 - bound) / 40);
    assert!(session.tokens_saved() < all);
    for tool in 0..40 {
        session.pin(tool);
    }
    assert_eq!(session.tokens_saved(), 0);
}

proptest! {
    #[test]
    fn each_request_extends_the_last(queries in prop::collection::vec(any::<String>(), 1..6)) {
        let mut session = selector().session();
        let mut before = Vec::new();
        for query in queries {
            let now = session.bind(&query).to_vec();
            prop_assert!(now.starts_with(&before));
            let mut once = now.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), now.len());
            before = now;
        }
    }
}
