use serde_json::json;

use super::*;

fn of_text(text: &str, artifact: Option<Value>) -> ResultText {
    ResultText {
        text: text.to_owned(),
        artifact,
    }
}

#[test]
fn s000_03_results_are_normalised_to_text() {
    for (value, text) in [
        (json!("as it is"), "as it is"),
        (json!({"a": 1, "b": [true]}), "{\"a\":1,\"b\":[true]}"),
        (json!(42), "42"),
        (json!(1.5), "1.5"),
        (json!(false), "false"),
        (json!(["x", "y"]), "[\"x\",\"y\"]"),
        (json!([1, 2, 3]), "[1,2,3]"),
        (json!(null), "The tool has nothing to report."),
        (json!([]), "The list is empty."),
    ] {
        assert_eq!(result_text(value.clone().into()).text, text, "{value}");
    }
}

#[test]
fn s000_03_a_pair_of_text_and_artifacts_gives_its_text() {
    let ResultText { text, artifact } = result_text(json!(["two photos", [{"id": 1}]]).into());
    assert_eq!(text, "two photos");
    assert_eq!(artifact, Some(json!([{"id": 1}])));
    assert_eq!(
        result_text(json!(["text", null]).into()),
        of_text("text", None)
    );
    assert_eq!(
        result_text(json!(["text", []]).into()),
        of_text("text", Some(json!([])))
    );
}

#[test]
fn a_tools_own_artifact_is_kept() {
    let output = ToolOutput::from("x").with_artifact(json!({"k": 1}));
    assert_eq!(result_text(output), of_text("x", Some(json!({"k": 1}))));
}

#[test]
fn long_text_keeps_its_head_and_its_tail() {
    let text = format!("{}{}", "ä".repeat(900), "z".repeat(300));
    let short = capped(text.clone(), 400);
    assert!(short.starts_with(&"ä".repeat(300)), "{short}");
    assert!(short.ends_with(&"z".repeat(100)), "{short}");
    assert!(
        short.contains("[... 800 characters left out ...]"),
        "{short}"
    );
    assert_eq!(capped(text.clone(), 1200), text);
}
