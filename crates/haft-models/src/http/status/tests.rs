use std::time::Duration;

use haft_core::{ModelError, ModelErrorKind, Secrets};
use jiff::Timestamp;
use serde_json::json;

use super::{name_models, refusal, server_message, unread_output, wait};
use crate::http::{Framing, Request, endpoint};

fn reported(data: &str) -> Option<ModelError> {
    super::reported(data, Secrets::default)
}

fn request() -> Request {
    let url = endpoint("http://127.0.0.1:1/v1", "chat/completions").unwrap();
    Request::post(crate::openai::API, url, "{}".into(), Framing::Sse)
        .with_header("authorization", "Bearer sk-very-secret")
}

fn refused(status: u16, body: &str) -> ModelError {
    refusal(&request(), status, None, body)
}

#[test]
fn every_status_has_its_kind() {
    use ModelErrorKind as Kind;
    for (status, kind) in [
        (301, Kind::Malformed),
        (400, Kind::BadRequest),
        (401, Kind::Unauthorized),
        (403, Kind::Unauthorized),
        (404, Kind::ModelNotFound),
        (413, Kind::BadRequest),
        (422, Kind::BadRequest),
        (429, Kind::RateLimited),
        (500, Kind::Server),
        (503, Kind::Server),
        (529, Kind::Server),
    ] {
        let error = refused(status, "");
        assert_eq!(error.kind(), kind, "{status}");
        assert_eq!(error.status(), Some(status));
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn the_server_speaks_for_itself() {
    for body in [
        r#"{"error": {"message": "no", "type": "x"}}"#,
        r#"{"error": "no"}"#,
        r#"{"message": "no", "code": 400}"#,
        r#"{"detail": "no"}"#,
        " no\n",
    ] {
        assert_eq!(server_message(body), "no", "{body}");
    }
    let detail = r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#;
    assert!(server_message(detail).contains("field required"));
    assert_eq!(server_message(r#"{"x":1}"#), r#"{"x":1}"#);
    assert!(server_message(&"x".repeat(10_000)).chars().count() <= 501);
}

#[test]
fn a_key_that_the_server_repeats_is_hidden() {
    let error = refused(401, r#"{"error":{"message":"bad key sk-very-secret"}}"#);
    assert!(!format!("{error:?}").contains("sk-very-secret"));
    assert!(error.to_string().contains("bad key [hidden]"), "{error}");
}

#[test]
fn context_overflows_are_recognized() {
    for body in [
        r#"{"error":{"code":400,"message":"x","type":"exceed_context_size_error"}}"#,
        r#"{"error":{"message":"x","code":"context_length_exceeded"}}"#,
        r#"{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}"#,
        r#"{"error":"the input length exceeds the context length"}"#,
        r#"{"error":{"message":"prompt too long; exceeded max context length by 7 tokens"}}"#,
    ] {
        assert_eq!(
            refused(400, body).kind(),
            ModelErrorKind::ContextOverflow,
            "{body}"
        );
        // In mid-stream it comes without a status.
        assert_eq!(
            reported(body).unwrap().kind(),
            ModelErrorKind::ContextOverflow,
            "{body}"
        );
    }
    assert_eq!(
        refused(400, "too long a name").kind(),
        ModelErrorKind::BadRequest
    );
}

#[test]
fn errors_inside_of_replies_are_found() {
    assert!(reported(r#"{"choices": [], "error": null}"#).is_none());
    assert!(reported(r#"{"choices": [{"text": "an \"error\" in words"}]}"#).is_none());
    assert!(reported(r#"{"nested": {"error": "x"}}"#).is_none());
    assert!(reported(r#"{"error": {}}"#).is_none());
    assert!(reported("[DONE]").is_none());
    let error =
        reported(r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#);
    let error = error.unwrap();
    assert_eq!(error.kind(), ModelErrorKind::Server);
    assert!(error.to_string().contains("busy"));
    let error = reported(r#"{"error":{"type":"rate_limit_error","message":"slow"}}"#).unwrap();
    assert_eq!(error.kind(), ModelErrorKind::RateLimited);
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now: Timestamp = "2026-11-22T04:00:00Z".parse().unwrap();
    assert_eq!(wait("7", now), Some(Duration::from_secs(7)));
    assert_eq!(wait(" 0.5 ", now), Some(Duration::from_millis(500)));
    assert_eq!(
        wait("Sun, 22 Nov 2026 04:00:30 GMT", now),
        Some(Duration::from_secs(30))
    );
    assert_eq!(
        wait("Sun, 22 Nov 2026 03:00:00 GMT", now),
        Some(Duration::ZERO)
    );
    assert_eq!(wait("-3", now), None);
    assert_eq!(wait("soon", now), None);
}

#[test]
fn a_missing_model_is_named_beside_those_there_are() {
    let missing = || refused(404, r#"{"error":{"message":"no such model"}}"#);
    let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());

    let error = name_models(missing(), "qwen3:06b", names(&["llama", "qwen3:0.6b"]));
    let text = error.to_string();
    assert_eq!(error.kind(), ModelErrorKind::ModelNotFound);
    assert!(
        text.contains("\"qwen3:06b\"; it has qwen3:0.6b, llama"),
        "{text}"
    );

    let many: Vec<String> = (0..20).map(|n| format!("model-{n}")).collect();
    let text = name_models(missing(), "x", Ok(many)).to_string();
    assert!(text.ends_with("and 8 more"), "{text}");
    let text = name_models(missing(), "x", names(&[])).to_string();
    assert!(text.contains("no models at all"), "{text}");

    // A model that is there, or a server that does not say, leaves the first words.
    let text = name_models(missing(), "a", names(&["a"])).to_string();
    assert!(text.contains("no such model"), "{text}");
    let text = name_models(missing(), "a", Err(missing())).to_string();
    assert!(text.contains("no such model"), "{text}");
    let other = name_models(refused(400, "bad"), "a", names(&["b"]));
    assert_eq!(other.kind(), ModelErrorKind::BadRequest);
}

#[test]
fn missing_tool_support_is_recognized_by_the_servers_message() {
    for (status, body) in [
        (
            400,
            r#"{"error": "registry.ollama.ai/library/gemma3:4b does not support tools"}"#,
        ),
        (
            400,
            r#"{"object": "error", "message": "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", "code": 400}"#,
        ),
        (
            500,
            r#"{"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}"#,
        ),
        (
            404,
            r#"{"error": {"message": "No endpoints found that support tool use."}}"#,
        ),
    ] {
        let error = refused(status, body);
        assert_eq!(error.kind(), ModelErrorKind::ToolsUnsupported, "{body}");
        assert_eq!(error.status(), Some(status));
        assert!(!error.is_transient());
    }
}

#[test]
fn unparsed_output_is_kept_whole() {
    let long = format!(r#"{{"text":"{}"}}]"#, "it's long ".repeat(200));
    let message = format!(
        "error parsing tool call: raw='{long}', err=invalid character ']' after top-level value"
    );
    let error = refused(500, &json!({"error": message}).to_string());
    assert_eq!(error.kind(), ModelErrorKind::Malformed);
    assert_eq!(error.status(), Some(500));
    assert_eq!(unread_output(&error), Some(long.as_str()));

    let error = reported(&json!({"error": message}).to_string()).unwrap();
    assert_eq!(unread_output(&error), Some(long.as_str()));

    let message = "Failed to parse input at pos 12: <tool_call>{\"name\": ";
    let body = json!({"error": {"code": 500, "message": message}}).to_string();
    let error = refused(500, &body);
    assert_eq!(unread_output(&error), Some("<tool_call>{\"name\": "));
    assert_eq!(unread_output(&refused(500, "no luck")), None);
}
