#![expect(clippy::needless_pass_by_value, reason = "reads better with json!")]

use serde_json::json;

use super::*;

fn asked(properties: Value, required: Value) -> ElicitRequestParams {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let request = json!({"mode": "form", "message": "Who?", "requestedSchema": schema});
    serde_json::from_value(request).unwrap()
}

#[test]
fn a_form_is_declined_unless_defaults_are_accepted() {
    let filled = asked(
        json!({"name": {"type": "string", "default": "Ada"}}),
        json!(["name"]),
    );
    assert_eq!(answer(&filled, false).action, ElicitationAction::Decline);
    let accepted = answer(&filled, true);
    assert_eq!(accepted.action, ElicitationAction::Accept);
    assert_eq!(accepted.content, Some(json!({"name": "Ada"})));
}

#[test]
fn required_fields_without_default_are_not_invented() {
    let fields = json!({
        "name": {"type": "string", "default": "Ada"},
        "age": {"type": "integer"},
    });
    let open = asked(fields.clone(), json!(["age"]));
    assert_eq!(answer(&open, true).action, ElicitationAction::Decline);
    let optional = asked(fields, json!(["name"]));
    assert_eq!(
        answer(&optional, true).content,
        Some(json!({"name": "Ada"}))
    );
}

#[test]
fn an_address_to_open_is_declined() {
    let request = json!({"mode": "url", "message": "Log in", "url": "https://example.org/", "elicitationId": "1"});
    let request: ElicitRequestParams = serde_json::from_value(request).unwrap();
    assert_eq!(answer(&request, true).action, ElicitationAction::Decline);
}
