use serde_json::json;

use super::*;

fn checked(schema: Option<Value>, output: ToolOutput) -> ToolOutput {
    let definition = Definition {
        name: "weather".to_owned(),
        description: String::new(),
        schema: json!({}),
        output: schema,
        annotations: haft_core::ToolAnnotations::default(),
    };
    OutputSchema::of(&definition).checked(output)
}

fn result(structured: &Value) -> ToolOutput {
    ToolOutput::from("mild").with_artifact(json!({"structuredContent": structured}))
}

fn schema() -> Option<Value> {
    let celsius = json!({"celsius": {"type": "number"}});
    Some(json!({"type": "object", "properties": celsius, "required": ["celsius"]}))
}

#[test]
fn valid_results_are_unchanged() {
    let fine = result(&json!({"celsius": 21}));
    assert_eq!(checked(schema(), fine.clone()), fine);
    let unpromised = result(&json!(["anything"]));
    assert_eq!(checked(None, unpromised.clone()), unpromised);
    let plain = ToolOutput::from("mild");
    assert_eq!(checked(schema(), plain.clone()), plain);
    // The schema may allow any JSON value.
    let list = result(&json!([1, 2]));
    assert_eq!(checked(Some(json!({"type": "array"})), list.clone()), list);
}

#[test]
fn a_result_that_does_not_fit_its_schema_is_reported_to_model_and_programs() {
    let structured = json!({"celsius": "mild"});
    let output = checked(schema(), result(&structured));
    let artifact = output.artifact.unwrap();
    assert_eq!(artifact["structuredContent"], structured);
    let what = artifact["outputSchemaMismatch"].as_str().unwrap();
    assert!(what.contains("celsius"), "{what}");
    assert_eq!(
        output.value,
        format!("mild\n[The data of this result is not as the tool promises: {what}]")
    );
}

#[test]
fn an_unusable_output_schema_checks_nothing() {
    for schema in [
        json!({"type": 17}),
        json!({"$ref": "http://127.0.0.1:1/schema.json"}),
    ] {
        let output = result(&json!({"celsius": "mild"}));
        assert_eq!(checked(Some(schema), output.clone()), output);
    }
}
