use super::*;

fn read(text: &str) -> Result<GatewaySection, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn models_have_switches_of_their_own() {
    let section = read(
        r#"
        select = true
        [models."qwen3:0.6b"]
        repair = false
        recovery = ["without_tools"]
        "#,
    )
    .unwrap();
    assert_eq!(section.overrides.select, Some(true));
    let small = section.models["qwen3:0.6b"];
    assert_eq!(small.repair, Some(false));
    let steps = small.recovery.unwrap();
    assert!(steps.has(RecoveryStep::WithoutTools) && !steps.has(RecoveryStep::InvalidCalls));
    assert_eq!(
        section.row(),
        json!({"select": true, "models": {"qwen3:0.6b": {
            "repair": false, "recovery": ["without_tools"]}}})
    );
}

#[test]
fn unknown_names_are_refused_by_name() {
    let error = read("[models.x]\nrepairs = true").unwrap_err();
    assert!(error.contains("repairs"), "{error}");
    let error = read("recovery = [\"magic\"]").unwrap_err();
    assert!(
        error.contains("magic") && error.contains("invalid_calls"),
        "{error}"
    );
}
