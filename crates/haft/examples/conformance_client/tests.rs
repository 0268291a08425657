use haft::ToolError;
use haft::tools::tool;

use super::*;

#[derive(serde::Deserialize, haft::schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
#[schemars(crate = "haft::schemars")]
struct Sum {
    a: f64,
    b: i64,
    label: String,
    exact: bool,
    unit: Option<String>,
}

fn sum() -> Arc<dyn Tool> {
    let add = |_: Sum| async { Ok::<_, ToolError>("1".to_owned()) };
    Arc::new(tool("add", "Adds", add))
}

#[test]
fn a_tool_is_called_with_what_it_must_have() {
    let called = calls(&[sum()], Vec::new());
    assert_eq!(called.len(), 1);
    let expected = json!({"a": 1, "b": 1, "label": "one", "exact": true});
    assert_eq!(Value::from(called[0].args.clone()), expected);
}

#[test]
fn what_a_scenario_wants_is_called_and_nothing_else() {
    let wanted = Wanted {
        name: "other".to_owned(),
        arguments: Map::from_iter([("x".to_owned(), Value::Null)]),
    };
    let called = calls(&[sum()], vec![wanted]);
    assert_eq!((called.len(), called[0].name.as_str()), (1, "other"));
}
