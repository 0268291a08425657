use super::*;
use crate::{Dataset, Expected};

const QUESTION: &str = r#"{"id": "simple_0", "question": [[{"role": "user", "content": "2 + 3?"}]], "function": [{"name": "math.add", "description": "Adds", "parameters": {"type": "dict", "properties": {"a": {"type": "float"}}, "required": ["a"]}}]}"#;
const ANSWER: &str =
    r#"{"id": "simple_0", "ground_truth": [{"math.add": {"a": [2], "b": ["", 3]}}]}"#;

#[test]
fn published_files_are_read_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("BFCL_v4_simple_python.json");
    std::fs::write(&file, QUESTION).unwrap();
    let missing = Dataset::open(file.to_str().unwrap()).unwrap_err();
    assert!(
        missing.hint().unwrap().contains("possible_answer"),
        "{missing}"
    );
    std::fs::create_dir(folder.path().join("possible_answer")).unwrap();
    let answers = folder
        .path()
        .join("possible_answer/BFCL_v4_simple_python.json");
    std::fs::write(answers, ANSWER).unwrap();
    let dataset = Dataset::open(file.to_str().unwrap()).unwrap();
    let case = &dataset.cases[0];
    assert_eq!(
        (
            case.id.as_str(),
            case.category.as_str(),
            case.query.as_str()
        ),
        ("simple_0", "simple_python", "2 + 3?")
    );
    let Expected::Calls(lists) = &case.expected else {
        panic!("{:?}", case.expected);
    };
    assert_eq!(lists[0][0].name, "math.add");
    assert_eq!(lists[0][0].args[1].0, "b");
}

#[test]
fn categories_without_answers_expect_no_call_or_some_call() {
    for (category, expected) in [
        ("irrelevance", "\"expect\":\"no_call\""),
        ("live_irrelevance", "\"expect\":\"no_call\""),
        ("live_relevance", "\"expect\":\"some_call\""),
    ] {
        let cases = as_cases(category, QUESTION, None).unwrap();
        assert!(cases.contains(expected), "{category}: {cases}");
    }
}

#[test]
fn several_turns_and_missing_answers_are_refused() {
    let turns = QUESTION.replace("]], \"function\"", "], []], \"function\"");
    let refused = as_cases("multi_turn_base", &turns, Some(ANSWER)).unwrap_err();
    assert!(refused.to_string().contains("several turns"), "{refused}");
    let refused = as_cases("simple", QUESTION, Some("")).unwrap_err();
    assert_eq!(refused.to_string(), "simple_0: it has no answer");
    let refused = as_cases("simple", "{", Some(ANSWER)).unwrap_err();
    assert!(
        refused.to_string().starts_with("questions, line 1"),
        "{refused}"
    );
}
