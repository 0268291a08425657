use haft_core::ModelErrorKind;

use super::endpoint;

#[test]
fn paths_are_joined_with_or_without_slashes() {
    for base in ["http://h:1/v1", "http://h:1/v1/", " http://h:1/v1 "] {
        assert_eq!(
            endpoint(base, "/models").unwrap().as_str(),
            "http://h:1/v1/models"
        );
    }
    assert_eq!(
        endpoint("http://h", "api/chat").unwrap().as_str(),
        "http://h/api/chat"
    );
    assert_eq!(
        endpoint("http://h/?k=1", "x").unwrap().as_str(),
        "http://h/x?k=1"
    );
}

#[test]
fn debug_output_holds_no_password() {
    let endpoint = endpoint("http://me:hunter2@h:1/v1", "models").unwrap();
    assert_eq!(format!("{endpoint:?}"), "http://h:1/v1/models");
}

#[test]
fn addresses_that_cannot_work_are_refused_with_an_example() {
    for base in ["", "localhost:11434", "ftp://h", "/v1", "http://"] {
        let error = endpoint(base, "x").unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration, "{base}");
        assert!(error.hint().unwrap().contains("http://"));
    }
}
