use super::*;

#[test]
fn the_status_shows_whether_client_or_model_server_is_at_fault() {
    for (kind, status) in [
        (ModelErrorKind::Unsupported, 400),
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

#[test]
fn an_unknown_model_is_told_from_an_unknown_path() {
    let refusal = Refusal::from(&ModelError::new(ModelErrorKind::ModelNotFound, "no"));
    assert_eq!(
        (refusal.status, refusal.cause),
        (404, RefusalCause::UnknownModel)
    );
}

#[test]
fn the_gateways_own_key_is_no_matter_of_the_client() {
    let error = ModelError::new(ModelErrorKind::Unauthorized, "The key sk-1 is wrong");
    let refusal = Refusal::from(&AgentError::from(error.with_hint("set OPENAI_API_KEY")));
    assert_eq!(refusal, Refusal::new(502, KEY_REFUSED));
}
