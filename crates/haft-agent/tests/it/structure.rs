//! Rules about the source code itself: the loop knows no wire format and does not bypass the
//! executor.

use std::path::Path;

/// All source files of a crate, without tests.
fn sources(name: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            if path.is_dir() {
                walk(&path, found);
            } else if name.ends_with(".rs") && !name.contains("tests") {
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(name)
            .join("src"),
        &mut found,
    );
    assert!(!found.is_empty(), "no sources of {name}");
    found
}

/// The files of a crate that contain one of `words` outside of comments.
fn files_with(name: &str, words: &[&str]) -> Vec<String> {
    let code = |text: &str| -> String {
        text.lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let hit = |text: &str| words.iter().any(|word| text.contains(word));
    sources(name)
        .into_iter()
        .filter(|(_, text)| hit(&code(text)))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn s000_04_the_loop_knows_no_wire_format() {
    let wire = [
        "\"tool_calls\"",
        "\"function\"",
        "\"tool_use\"",
        "reqwest",
        "input_schema",
    ];
    assert_eq!(files_with("haft-agent", &wire), Vec::<String>::new());
}

#[test]
fn s000_05_only_one_function_pairs_calls_and_results() {
    let files = files_with(
        "haft-tools",
        &["-> Vec<ToolMessage> {\n    let mut results"],
    );
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(files[0].ends_with("round.rs"), "{files:?}");
    assert_eq!(
        files_with("haft-agent", &["tool_call_id:"]),
        Vec::<String>::new()
    );
}

#[test]
fn s002_08_only_the_executor_invokes_tools() {
    let invoking: Vec<_> = [
        "haft-agent",
        "haft-models",
        "haft-tools",
        "haft-mcp",
        "haft",
        "haft-cli",
    ]
    .iter()
    .flat_map(|name| files_with(name, &["tool.invoke("]))
    .collect();
    assert_eq!(invoking.len(), 1, "{invoking:?}");
    assert!(invoking[0].contains("/src/executor/"), "{invoking:?}");
}

#[test]
fn s002_07_and_09_the_collection_converts_nothing_and_keeps_no_map() {
    let manager = sources("haft-tools")
        .into_iter()
        .find(|(name, _)| name.ends_with("manager.rs"));
    let (_, text) = manager.unwrap();
    for word in [
        "HashMap",
        "BTreeMap",
        "IndexMap",
        "\"function\"",
        "\"input_schema\"",
        "Box<dyn Fn",
    ] {
        assert!(!text.contains(word), "{word}");
    }
    assert!(text.contains("tools: Vec<Arc<dyn Tool>>"));
}

#[test]
fn s002_13_the_decision_on_parameter_names_names_its_test() {
    let manager = sources("haft-tools")
        .into_iter()
        .find(|(name, _)| name.ends_with("manager.rs"));
    let (_, text) = manager.unwrap();
    assert!(text.contains("haft-mcp/tests/it/normalization.rs") && text.contains("s002_12_"));
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("../haft-mcp/tests/it/normalization.rs");
    let test = std::fs::read_to_string(test).unwrap();
    assert!(test.contains("fn s002_12_evaluation_snake_case_reaches_the_server_unchanged"));
}
