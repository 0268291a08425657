//! The case corpus: every reply of `tests/cases/*.jsonl` must give its right answer whole and byte by
//! byte, with the format named and unnamed; a short one, unnamed, also cut at every place. One test per file; a test
//! lists all that went wrong. `HAFT_CASES_ID=hermes/two_calls cargo test -p haft-extract --test
//! it cases:: -- --nocapture` shows everything about one case.

use std::collections::HashSet;

use crate::support::case;
use crate::support::report::run_group;

/// One test per file, and their names.
macro_rules! groups {
    ($($group:ident),+ $(,)?) => {
        $(#[test]
        fn $group() {
            run_group(stringify!($group));
        })+

        const GROUPS: &[&str] = &[$(stringify!($group)),+];
    };
}

groups!(
    arguments,
    channels,
    collected,
    damage,
    frames,
    frameworks,
    gemma_tokens,
    in_words,
    json_markers,
    key_value,
    known_bugs,
    named_json,
    names,
    outside,
    peers,
    prose,
    python,
    small_models,
    suites,
    tag_damage,
    thinking,
    thoughts_in_line,
    xml,
);

#[test]
fn every_file_of_cases_has_its_test() {
    assert_eq!(case::groups(), GROUPS);
}

#[test]
fn ids_are_unique_and_formats_known() {
    let mut ids = HashSet::new();
    for case in GROUPS.iter().flat_map(|group| case::load(group)) {
        let _ = case.options_with_format();
        let _ = case.tool_set();
        assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
    }
    assert!(ids.len() >= 600, "only {} cases", ids.len());
}

#[test]
fn every_format_has_cases_of_its_own() {
    let cases: Vec<case::Case> = GROUPS.iter().flat_map(|group| case::load(group)).collect();
    for format in haft_extract::Format::all().skip(1) {
        let is_of = |case: &&case::Case| {
            let named = case.format.as_deref().and_then(haft_extract::Format::named);
            named == Some(format)
        };
        let count = cases.iter().filter(is_of).count();
        assert!(count >= 6, "{format} has only {count} cases");
    }
}
