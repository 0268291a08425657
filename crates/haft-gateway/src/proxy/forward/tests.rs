use futures_util::StreamExt;

use super::*;
use crate::access::Caller;
use crate::dialects::of_request;

fn forwarded(method: &str, path: &str) -> Result<Forwarded, Refusal> {
    let request = http::Request::builder().method(method).uri(path);
    let (head, ()) = request.body(()).unwrap().into_parts();
    Forwarded::new(of_request(path, &head.headers), head, Caller::Operator)
}

#[test]
fn only_plain_paths_are_forwarded() {
    for path in [
        "/api/embed",
        "/v1/models/Qwen%2FQwen3",
        "/v1/files/a.b",
        "/api/blobs/sha256:1",
    ] {
        assert!(forwarded("POST", path).is_ok(), "{path}");
    }
    let hidden = [
        "/api/x/../delete",
        "/api/x/%2e%2e/delete",
        "/api/%64elete",
        "/v1/..%2f..%2fadmin",
        "/v1/%2E%2e/admin",
        "/v1//admin",
        "/v1/a%5C..%5Cb",
        "/v1/.",
        "/props",
        "/",
    ];
    for path in hidden {
        let refusal = forwarded("GET", path).err().unwrap();
        assert_eq!(refusal.status, 404, "{path}");
    }
}

#[test]
fn administrative_requests_are_recognized() {
    let changes = |method: &str, path: &str| forwarded(method, path).unwrap().is_administrative;
    for path in [
        "pull",
        "push",
        "create",
        "copy",
        "blobs/sha256:1",
        "signout",
        "user/keys/a",
    ] {
        assert!(changes("POST", &format!("/api/{path}")), "{path}");
    }
    assert!(changes("DELETE", "/api/delete") && changes("DELETE", "/v1/models/a"));
    assert!(changes("POST", "/v1/load_lora_adapter"));
    assert!(!changes("POST", "/api/embed") && !changes("POST", "/v1/embeddings"));
    assert!(!changes("GET", "/v1/models/a"));
}

#[test]
fn failures_of_the_upstream_are_distinguished_from_those_of_the_request() {
    let answer = |status: u16| {
        let mut answer = http::Response::new(stream::empty().boxed());
        *answer.status_mut() = status.try_into().unwrap();
        failure(&answer).map(|error| error.kind())
    };
    assert_eq!(answer(503), Some(ModelErrorKind::Server));
    assert_eq!(answer(429), Some(ModelErrorKind::RateLimited));
    assert_eq!(answer(308), Some(ModelErrorKind::Malformed));
    assert_eq!((answer(304), answer(404), answer(200)), (None, None, None));
}
