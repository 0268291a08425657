use super::*;

#[test]
fn an_error_of_the_model_server_has_the_status_that_says_whose_fault_it_is() {
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
