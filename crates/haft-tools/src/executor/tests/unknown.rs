//! Arguments that no parameter takes: mapped, refused or passed on, but never dropped silently.

use super::*;

fn spy(schema: Value) -> Arc<SpyTool> {
    Arc::new(SpyTool::new("f", |_| Ok("ok".into())).with_schema(schema))
}

fn notes() -> Value {
    json!({"type": "object", "properties": {
        "title": {"type": "string"}, "due": {"type": "string"}}, "required": ["title"]})
}

#[tokio::test]
async fn issue_3_an_unknown_argument_is_an_error_that_names_it_and_the_parameters() {
    let tool = spy(notes());
    let message = asks([("f", json!({"title": "milk", "colour": "red"}))]);
    assert_eq!(
        texts(&executor(vec![tool.clone()]), &message).await,
        [
            "Error: Invalid arguments for f: unknown argument \"colour\". Expected: title (text), \
          due (text, optional)"
        ]
    );
    assert!(tool.seen().is_empty());
}

#[tokio::test]
async fn issue_3_a_word_with_one_meaning_is_mapped_and_reported() {
    let tool = spy(json!({"type": "object", "properties": {"query": {"type": "string"}}}));
    let executor = executor(vec![tool.clone()]);
    let call = ToolCall::new("f", json!({"q": "rust"}), "1");
    let CheckedCall {
        call: checked,
        repairs,
    } = executor.check(&call).unwrap();
    assert_eq!(Value::Object(checked.args), json!({"query": "rust"}));
    let kinds: Vec<_> = repairs
        .iter()
        .map(|repair| (repair.kind.as_str(), repair.what.as_str()))
        .collect();
    assert_eq!(kinds, [("synonym", "q was taken as query")]);
    executor.execute(&call).await.unwrap();
    assert_eq!(json!(tool.seen()[0].input), json!({"query": "rust"}));
}

#[tokio::test]
async fn a_tool_without_parameters_ignores_an_empty_argument_and_refuses_a_full_one() {
    let tool = spy(json!({"type": "object", "properties": {}}));
    let executor = executor(vec![tool.clone()]);
    let call = ToolCall::new("f", json!({"dummy": "", "input": {}}), "1");
    let CheckedCall {
        call: checked,
        repairs,
    } = executor.check(&call).unwrap();
    assert!(checked.args.is_empty());
    assert_eq!(repairs.len(), 2, "left out, but not silently: {repairs:?}");
    let message = asks([("f", json!({"room": "kitchen"}))]);
    assert_eq!(
        texts(&executor, &message).await,
        ["Error: Invalid arguments for f: unknown argument \"room\", there are no parameters"]
    );
    assert!(tool.seen().is_empty());
}

#[tokio::test]
async fn a_tool_that_accepts_additional_names_gets_them_unchanged() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"a": {}}, "additionalProperties": true}),
        json!({"type": "object", "properties": {"a": {}}, "patternProperties": {"^x-": {}}}),
    ] {
        let tool = spy(schema);
        let given = json!({"x-colour": "red", "note": ""});
        texts(&executor(vec![tool.clone()]), &asks([("f", given.clone())])).await;
        assert_eq!(json!(tool.seen()[0].input), given);
    }
}

#[tokio::test]
async fn a_function_without_parameters_says_so_in_its_schema() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Nothing {}
    let function = tool(
        "f",
        "",
        |_: Nothing| async move { Ok::<_, ToolError>("ok") },
    );
    let message = asks([("f", json!({"room": "kitchen"}))]);
    let answers = texts(&executor(vec![Arc::new(function)]), &message).await;
    assert!(
        answers[0].contains("unknown argument \"room\""),
        "{answers:?}"
    );
}
