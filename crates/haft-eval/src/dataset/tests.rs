use haft_core::Message;
use haft_testing::data_dir;
use serde_json::json;

use super::Dataset;
use crate::case::{CaseTools, Expected};

const CASE: &str = r#"{"id":"a","category":"one","query":"5!","tools":["f#1"],"answer":[{"name":"f","args":{"n":[5]}}]}"#;

fn folder(cases: &str, tools: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.jsonl"), cases).unwrap();
    std::fs::write(folder.path().join("tools.jsonl"), tools).unwrap();
    let name = folder.path().to_str().unwrap().to_owned();
    (folder, name)
}

#[test]
fn a_folder_is_read_and_its_type_names_become_json_schema() {
    let tool = json!({"key": "f#1", "name": "f", "description": "d", "parameters": {"type": "dict", "properties": {
        "n": {"type": "float"}, "t": {"type": "tuple", "items": {"type": "any"}}, "o": {"type": "dict", "properties": {"p": {"type": "float"}}}
    }}});
    let (_kept, name) = folder(&format!("{CASE}\n\n"), &tool.to_string());
    let dataset = Dataset::open(&name).unwrap();
    let CaseTools::Stubs(tools) = &dataset.cases[0].tools else {
        panic!("no definitions")
    };
    assert_eq!(
        tools[0].parameters,
        json!({"type": "object", "properties": {
            "n": {"type": "number"}, "t": {"type": "array", "items": {}},
            "o": {"type": "object", "properties": {"p": {"type": "number"}}}
        }})
    );
    assert_eq!(dataset.cases[0].messages, [Message::human("5!")]);
    assert_ne!(dataset.hash, Dataset::bundled("home-50").unwrap().hash);
}

#[test]
fn a_file_may_hold_lines_or_a_list_with_inline_tools() {
    let case = json!({"id": 7, "query": "x", "tools": [{"name": "f", "inputSchema": {"type": "object"}}], "expect": "no_call"});
    for text in [
        case.to_string(),
        json!([case]).to_string(),
        format!("\u{feff}{case}\n"),
    ] {
        let dataset = Dataset::read("t", &text).unwrap();
        assert_eq!(
            (dataset.cases[0].id.as_str(), &dataset.cases[0].expected),
            ("7", &Expected::NoCall)
        );
        assert_eq!(dataset.categories(), ["all"]);
    }
}

#[test]
fn errors_are_reported_with_their_position() {
    let wrong = |cases: &str| Dataset::read("t", cases).unwrap_err().to_string();
    let good = r#"{"id":1,"query":"x","expect":"no_call"}"#;
    for (cases, message) in [
        (format!("{good}\nno json"), "cases, line 2: "),
        (
            format!("{good}\n{good}"),
            "cases, line 2: the id \"1\" is used twice",
        ),
        (CASE.to_owned(), "tools.jsonl has no key \"f#1\""),
        (
            r#"{"id":1,"query":"x"}"#.to_owned(),
            "`answer` is missing; write \"expect\"",
        ),
        (
            r#"{"id":1,"expect":"no_call"}"#.to_owned(),
            "`query` is missing",
        ),
        (
            r#"{"id":1,"query":"x","answer":[{"name":"f","args":{"n":5}}]}"#.to_owned(),
            "accepted values of `n` are not a list",
        ),
        (
            r#"[{"id":1,"query":"x","expect":"no_call","tools":"home"}]"#.to_owned(),
            "cases[0]: there are no tools \"home\"",
        ),
        (
            r#"{"id":1,"expect":"no_call","messages":[{"role":"robot","content":"x"}]}"#.to_owned(),
            "no role \"robot\"",
        ),
        (String::new(), "t has no cases"),
    ] {
        let said = wrong(&cases);
        assert!(said.contains(message), "{said}");
    }
    let missing = Dataset::open("no such thing").unwrap_err();
    assert!(missing.hint().unwrap().contains("home-50"), "{missing:?}");
}

#[test]
fn conversations_keep_their_messages() {
    let case = json!({"id": "1", "query": "and now?", "expect": "no_call", "messages": [
        {"role": "system", "content": "be brief"}, {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"}, {"role": "user", "content": "and now?"}
    ]});
    let dataset = Dataset::read("t", &case.to_string()).unwrap();
    assert_eq!(dataset.cases[0].messages.len(), 4);
    assert_eq!(dataset.cases[0].messages[0], Message::system("be brief"));
}

#[test]
fn a_limit_takes_from_every_category_and_a_smaller_one_is_a_subset() {
    let case = |id: usize, category: &str| {
        json!({"id": id, "category": category, "query": "x", "expect": "no_call"}).to_string()
    };
    let lines: Vec<String> = (0..9)
        .map(|id| case(id, if id < 6 { "a" } else { "b" }))
        .collect();
    let dataset = Dataset::read("t", &lines.join("\n")).unwrap();
    let ids = |limit| -> Vec<String> {
        let chosen = dataset.choose(&[], limit).unwrap();
        chosen.iter().map(|case| case.id.clone()).collect()
    };
    assert_eq!(ids(Some(4)), ["0", "1", "6", "7"]);
    assert_eq!(ids(Some(8)), ["0", "1", "2", "3", "4", "6", "7", "8"]);
    assert_eq!(ids(None).len(), 9);
    assert_eq!(ids(Some(100)).len(), 9);
    let only = dataset.choose(&["b".to_owned()], Some(2)).unwrap();
    assert_eq!(
        only.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(),
        ["6", "7"]
    );
    let unknown = dataset.choose(&["c".to_owned()], None).unwrap_err();
    assert_eq!(unknown.hint(), Some("there are a, b"));
}

#[test]
fn the_whole_dataset_is_read() {
    let Some(data) = data_dir("the_whole_dataset_is_read") else {
        return;
    };
    let dataset = Dataset::open(data.join("bfcl").to_str().unwrap()).unwrap();
    assert_eq!(
        (dataset.cases.len(), dataset.categories().len()),
        (1697, 11)
    );
    assert_eq!(dataset.name, "bfcl");
}
