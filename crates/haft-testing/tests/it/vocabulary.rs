//! The code and its documentation use the terms of `docs/glossary.md`: retired words do not come
//! back. The inside of `haft-extract` is not checked yet.

use std::fs;
use std::path::{Path, PathBuf};

/// Retired words, and what is said instead. Whole words, with this case.
const RETIRED: [(&str, &str); 35] = [
    ("Mend", "CallRepair"),
    ("mend", "repair"),
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("mending", "repairing"),
    ("Rung", "RecoveryStep"),
    ("Rungs", "RecoverySteps"),
    ("rung", "step"),
    ("rungs", "steps"),
    ("ladder", "recovery"),
    ("MoreRoom", "RaiseMaxTokens"),
    ("more_room", "raise_max_tokens"),
    ("CallTakenBack", "CallRetracted"),
    ("two_turns", "schema_after_tools"),
    ("Passage", "Channel"),
    ("CallDue", "ToolNeedDetector"),
    ("call_due", "tool_need"),
    ("sayings", "refusal_phrases"),
    ("Deeds", "Interventions"),
    ("deeds", "interventions"),
    ("Seat", "Slot"),
    ("relayed", "pass_through"),
    ("passthrough", "forward"),
    ("LiveTools", "ToolUpdates"),
    ("salvage", "partial_response"),
    ("Witness", "RecordingModel"),
    ("spoilt", "made wrong"),
    ("tiers", "tool groups"),
    ("Tiers", "ToolGroups"),
    ("patience", "timeout"),
    ("ladders", "recovery"),
    ("TwoTurns", "SchemaAfterTools"),
    ("Account", "RequestLog"),
    ("Relay", "PassThrough"),
    ("spoiled", "made wrong"),
];

/// Files that may contain retired words, because they read old names or describe the history.
const ALLOWED: [&str; 8] = [
    "crates/haft-agent/src/attempts/store/",
    "crates/haft-eval/src/result.rs",
    "crates/haft-select/examples/selector/learn.rs",
    "crates/haft-core/src/recovery.rs",
    "crates/haft-cli/src/args/serve.rs",
    "crates/haft-cli/tests/it/serve.rs",
    "crates/haft-cli/src/settings/renamed.rs",
    "crates/haft-cli/src/settings/file",
];

#[test]
fn retired_words_do_not_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut files);
    collect(&root.join("crates"), &mut files);
    assert!(files.len() > 500, "the repository was not found");
    let mut found = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            if let Some((old, new)) = retired(line) {
                found.push(format!("{path}:{}: `{old}` is `{new}` here", number + 1));
            }
            if is_unfinished(line) {
                found.push(format!("{path}:{}: begins with \"The same\"", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Rust sources and pages below `folder`, without those that may hold an old word.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        let is_exempt = name.contains("/crates/haft-extract")
            || name.contains("/target")
            || name.ends_with("tests/it/vocabulary.rs")
            || ALLOWED.iter().any(|allowed| name.contains(allowed));
        if is_exempt {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if name.ends_with(".rs") || name.ends_with(".md") {
            files.push(path);
        }
    }
}

/// The first retired word in a line.
fn retired(line: &str) -> Option<&'static (&'static str, &'static str)> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find_map(|word| RETIRED.iter().find(|(old, _)| *old == word))
}

/// True for a comment that says nothing without its neighbours.
fn is_unfinished(line: &str) -> bool {
    let line = line.trim_start();
    ["/// The same", "//! The same"]
        .iter()
        .any(|begin| line.starts_with(begin))
}
