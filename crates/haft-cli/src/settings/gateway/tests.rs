use haft::gateway::GatewayLimits;

use super::*;

fn read(text: &str) -> Result<GatewaySection, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn models_have_switches_of_their_own() {
    let section = read(
        r#"
        select = true
        stable_prefix = false
        [models."qwen3:0.6b"]
        repair = false
        stable_prefix = true
        recovery = ["without_tools"]
        "#,
    )
    .unwrap();
    assert_eq!(section.overrides.select, Some(true));
    let small = section.models["qwen3:0.6b"];
    assert_eq!(small.repair, Some(false));
    assert_eq!(small.stable_prefix, Some(true));
    let steps = small.recovery.unwrap();
    assert!(steps.has(RecoveryStep::WithoutTools) && !steps.has(RecoveryStep::InvalidCalls));
    assert_eq!(
        section.row(),
        json!({"select": true, "stable_prefix": false, "models": {"qwen3:0.6b": {
            "repair": false, "recovery": ["without_tools"], "stable_prefix": true}}})
    );
}

#[test]
fn the_content_of_the_page_is_a_switch_of_the_gateway() {
    let section = read("page_content = false").unwrap();
    assert_eq!(section.page_content, Some(false));
    assert_eq!(section.row(), json!({"page_content": false}));
    assert_eq!(read("").unwrap().page_content, None);
    let error = read("[models.x]\npage_content = true").unwrap_err();
    assert!(error.contains("page_content"), "{error}");
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

#[test]
fn limits_that_are_set_replace_those_of_the_machine() {
    let section = read("[limits]\nconnections = 100\ndrain = \"30s\"\nwaiting = 7").unwrap();
    let mut limits = GatewayLimits::for_files(1_000_000);
    section.limits.apply(&mut limits);
    assert_eq!(
        (limits.connections, limits.connections_per_address),
        (100, 50)
    );
    assert_eq!(limits.conversations, 100);
    assert_eq!(limits.drain.as_secs(), 30);
    assert_eq!(section.limits.waiting, Some(7));
    assert_eq!(
        section.row()["limits"],
        json!({"connections": 100, "waiting": 7, "drain": 30.0})
    );
    for wrong in ["connections = 0", "drain = \"soon\"", "conections = 1"] {
        assert!(read(&format!("[limits]\n{wrong}")).is_err(), "{wrong}");
    }
}
