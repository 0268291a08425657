//! `docs/scenarios.md` lists every required behaviour by its id, and the tests that prove it. Here
//! the page and the tests are compared: no id without a test, no test with an unknown id.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Ids of the scenarios that no test can prove.
const WITHOUT_A_TEST: [&str; 2] = ["s002_14", "s004_23"];

#[test]
fn each_scenario_has_a_test_and_each_test_a_scenario() {
    let listed = listed();
    let mut tests = BTreeSet::new();
    collect(&root().join("crates"), &mut tests);
    let mut wrong = Vec::new();
    for (id, names) in &listed {
        if names.is_empty() && !WITHOUT_A_TEST.contains(&id.as_str()) {
            wrong.push(format!("{id} names no test"));
        }
        for name in names {
            if !ids(name).contains(id) {
                wrong.push(format!(
                    "{id} names {name}, which is a test of another scenario"
                ));
            }
            if !tests.contains(name) {
                wrong.push(format!("{id} names {name}, which is not a test"));
            }
        }
    }
    for test in &tests {
        for id in ids(test) {
            if !listed.contains_key(&id) {
                wrong.push(format!("{test} is a test of {id}, which is not listed"));
            }
        }
    }
    assert!(
        listed.len() > 60 && tests.len() > 150,
        "the page was not read"
    );
    assert!(wrong.is_empty(), "docs/scenarios.md:\n{}", wrong.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the page: an id, and the tests that its row names.
fn listed() -> BTreeMap<String, Vec<String>> {
    let page = std::fs::read_to_string(root().join("docs/scenarios.md")).unwrap();
    let mut rows = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| s00")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let names = cells[3].split('`').filter(|name| name.starts_with("s00"));
        let earlier = rows.insert(cells[1].to_owned(), names.map(str::to_owned).collect());
        assert!(earlier.is_none(), "{} is listed twice", cells[1]);
    }
    rows
}

/// The functions below `folder` that are named after a scenario.
fn collect(folder: &Path, tests: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, tests);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let names = text.lines().filter_map(|line| {
                let (_, rest) = line.split_once("fn s00")?;
                Some(format!("s00{}", rest.split('(').next()?))
            });
            // What is quoted in the text of a test is no name.
            tests.extend(names.filter(|name| name.chars().all(is_of_a_name)));
        }
    }
}

fn is_of_a_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The scenarios that a test names: `s003_08_and_09_the_log` is a test of both.
fn ids(test: &str) -> Vec<String> {
    let mut words = test.split('_');
    let (Some(group), Some(number)) = (words.next(), words.next()) else {
        return Vec::new();
    };
    let mut ids = vec![format!("{group}_{number}")];
    while words.next() == Some("and") {
        match words.next() {
            Some(more) if more.bytes().all(|byte| byte.is_ascii_digit()) => {
                ids.push(format!("{group}_{more}"));
            }
            _ => break,
        }
    }
    ids
}
