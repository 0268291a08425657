use super::*;

#[test]
fn the_status_shows_whether_client_or_model_server_is_at_fault() {
    for (kind, status) in [
        (ModelErrorKind::Unsupported, 400),
        (ModelErrorKind::Unauthorized, 401),
        (ModelErrorKind::ModelNotFound, 404),
        (ModelErrorKind::RateLimited, 429),
        (ModelErrorKind::CutStream, 502),
        (ModelErrorKind::Overloaded, 503),
        (ModelErrorKind::Timeout, 504),
    ] {
        let error = ModelError::new(kind, "no").with_hint("try again");
        assert_eq!(Refusal::from(&error), Refusal::new(status, "no"));
        let refusal = Refusal::from(&AgentError::from(error));
        assert_eq!(refusal, Refusal::new(status, "no (hint: try again)"));
    }
}
