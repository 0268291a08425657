use super::Request;
use crate::http::endpoint;
use crate::openai::API;

#[test]
fn a_request_is_shown_without_secrets_and_body() {
    let url = endpoint("http://me:pw@h", "x").unwrap();
    let request = Request::get(API, url).with_header("authorization", "Bearer sk-1");
    let shown = format!("{request:?}");
    assert!(shown.contains("http://h/x"), "{shown}");
    assert!(!shown.contains("sk-1") && !shown.contains("pw"), "{shown}");
}
