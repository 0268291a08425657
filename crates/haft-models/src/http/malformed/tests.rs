use serde_json::Value;

use super::*;

#[test]
fn data_that_cannot_be_parsed_goes_only_to_the_log() {
    let error = parse::<Value>("{oops").unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Malformed);
    assert!(!error.to_string().contains("oops"));
    assert!(error.detail().contains("{oops"));
    assert_eq!(clip(&"é".repeat(900)).chars().count(), 501);
}
