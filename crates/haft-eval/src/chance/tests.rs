//! The random model and what it is worth.

use haft_agent::Routing;
use haft_testing::ScriptedModel;
use serde_json::json;

use super::*;
use crate::Dataset;

#[test]
fn arguments_are_allowed_values_of_required_parameters() {
    let schema = json!({
        "properties": {"a": {"enum": [1, 2]}, "b": {"enum": ["x"]}, "c": {"type": "string"}},
        "required": ["a", "c"],
    });
    for seed in 0..8 {
        let found = arguments(&schema, &mut Random::new(seed));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found["a"] == json!(1) || found["a"] == json!(2));
    }
}

#[tokio::test]
async fn what_the_engine_does_alone_is_always_right() {
    let dataset = Dataset::bundled("home-50").unwrap();
    let case = dataset.cases.iter().find(|case| case.id == "switch-1");
    let mut options = EvalOptions::default();
    options.agent.routing = Routing::Always;
    let model = ScriptedModel::new([]);
    let share = chance(case.unwrap(), &model, &options).await.unwrap();
    assert!((share - 1.0).abs() < f64::EPSILON, "{share}");
}
