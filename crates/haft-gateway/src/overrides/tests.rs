use axum::http::HeaderValue;

use super::*;

fn read(name: &'static str, value: &'static str) -> Result<Overrides, String> {
    let mut headers = HeaderMap::new();
    headers.insert(name, HeaderValue::from_static(value));
    Overrides::of(&headers)
}

#[test]
fn headers_override_only_what_they_name() {
    assert_eq!(Overrides::of(&HeaderMap::new()), Ok(Overrides::default()));
    let off = read("x-haft-repair", "off").unwrap();
    assert!(!off.repairs() && off.steps() == RecoverySteps::none());
    assert_eq!(off.select, None);
    assert_eq!(read("x-haft-select", "on").unwrap().select, Some(true));
    let tools = read("x-haft-server-tools", "off").unwrap();
    assert_eq!(tools.server_tools, Some(false));
    let prefix = read("x-haft-stable-prefix", "off").unwrap();
    assert_eq!(prefix.stable_prefix, Some(false));
}

#[test]
fn recovery_steps_are_listed_by_name() {
    let some = read("x-haft-recovery", "invalid_calls, without_tools").unwrap();
    assert!(
        some.steps().has(RecoveryStep::InvalidCalls)
            && some.steps().has(RecoveryStep::WithoutTools)
    );
    assert!(!some.steps().has(RecoveryStep::ConstrainedCall));
    assert_eq!(
        read("x-haft-recovery", "none").unwrap().steps(),
        RecoverySteps::none()
    );
    assert_eq!(
        read("x-haft-recovery", "all").unwrap().steps(),
        RecoverySteps::all()
    );
}

#[test]
fn an_unknown_value_is_an_error_that_names_it() {
    let error = read("x-haft-repair", "perhaps").unwrap_err();
    assert!(
        error.contains("x-haft-repair") && error.contains("perhaps"),
        "{error}"
    );
    let error = read("x-haft-recovery", "magic").unwrap_err();
    assert!(
        error.contains("magic") && error.contains("invalid_calls"),
        "{error}"
    );
}

#[test]
fn overrides_of_a_request_win_over_those_of_a_model_and_the_gateway() {
    let request = read("x-haft-select", "off").unwrap();
    let model = Overrides {
        select: Some(true),
        repair: Some(false),
        stable_prefix: Some(true),
        ..Overrides::default()
    };
    let all = Overrides {
        repair: Some(true),
        server_tools: Some(false),
        stable_prefix: Some(false),
        ..Overrides::default()
    };
    let in_force = request.or(model).or(all);
    assert_eq!(in_force.select, Some(false));
    assert_eq!(in_force.repair, Some(false));
    assert_eq!(in_force.server_tools, Some(false));
    assert_eq!(in_force.stable_prefix, Some(true));
}
