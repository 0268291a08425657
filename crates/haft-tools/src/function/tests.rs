use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Deserialize, JsonSchema)]
struct Nested {
    /// City name
    city: String,
    /// How warm
    #[serde(default)]
    limits: Option<Limits>,
}

#[derive(Deserialize, JsonSchema)]
struct Limits {
    /// Lowest
    low: f64,
}

async fn weather(args: Nested) -> Result<String, ToolError> {
    let low = args.limits.map_or(0.0, |limits| limits.low);
    Ok(format!("{} in {}", low, args.city))
}

#[tokio::test]
async fn s002_02_a_plain_async_function_is_a_tool() {
    let tool = tool("get_weather", "Weather", weather);
    let Value::Object(input) = json!({"city": "Oslo", "limits": {"low": 2.5}}) else {
        panic!("not an object")
    };
    let output = tool.invoke(ToolInput::from(input)).await.unwrap();
    assert_eq!(output.value, json!("2.5 in Oslo"));
}

#[test]
fn the_schema_comes_from_the_type_without_references() {
    let tool = tool("get_weather", "Weather", weather);
    let schema = tool.schema();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["city"]["description"], "City name");
    assert_eq!(schema["required"], json!(["city"]));
    let text = schema.to_string();
    assert!(
        !text.contains("$ref") && !text.contains("$schema"),
        "{text}"
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_an_error_of_their_own_kind() {
    let tool = tool("get_weather", "Weather", weather);
    let error = tool.invoke(ToolInput::default()).await.unwrap_err();
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
    assert!(error.message().contains("city"), "{error}");
}

#[test]
fn setters_set_the_annotations() {
    let tool = tool("f", "", weather)
        .read_only()
        .sequential()
        .time_limit(Duration::from_secs(5));
    assert!(tool.annotations().read_only && tool.annotations().sequential);
    assert!(!tool.annotations().destructive);
    assert_eq!(tool.timeout(), Some(Duration::from_secs(5)));
}

#[tokio::test]
async fn a_function_may_take_no_arguments() {
    let tool = tool("ping", "", |(): ()| async { Ok::<_, ToolError>("pong") });
    assert_eq!(*tool.schema(), json!({"type": "object", "properties": {}}));
    assert_eq!(
        tool.invoke(ToolInput::default()).await.unwrap().value,
        json!("pong")
    );
}
