use serde_json::json;

use super::*;

#[test]
fn s002_06_secrets_are_redacted_at_any_depth() {
    let Value::Object(arguments) = json!({
        "apiKey": "k1", "api_key": "k2", "PASSWORD": "k3", "access_token": "k4",
        "nested": [{"client-secret": "k5", "city": "Oslo"}], "auth": {"user": "k6"},
        "Authorization": "k7", "author": "Ibsen"
    }) else {
        panic!("not an object")
    };
    let shown = redacted(&arguments);
    for secret in ["k1", "k2", "k3", "k4", "k5", "k6", "k7"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert!(shown.contains("Oslo") && shown.contains("Ibsen"), "{shown}");
}
