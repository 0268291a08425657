use crate::borrowed_text::{BorrowedText, parse_body};
use crate::http::parse_borrowed;
use crate::ollama::wire::borrowed::{Line, Request};
use serde_json::json;

use super::*;

#[test]
fn whole_numbers_may_be_written_with_a_point() {
    let request = json!({
        "model": "m",
        "messages": [],
        "options": {"num_ctx": 8192.0, "top_k": 20.7, "seed": 7, "num_predict": -1.0, "temperature": 0.5},
    });
    let request: ChatRequest = serde_json::from_value(request).unwrap();
    let options = request.options;
    assert_eq!(options.num_ctx, Some(8192));
    assert_eq!((options.top_k, options.seed), (Some(20), Some(7)));
    assert_eq!(options.num_predict, Some(-1));
    assert_eq!(options.temperature, Some(0.5));
}

#[test]
fn an_invalid_number_of_tokens_is_an_error() {
    for wrong in [json!(-8192.0), json!("many"), json!(1e300)] {
        let request = json!({"model": "m", "messages": [], "options": {"num_ctx": wrong}});
        assert!(serde_json::from_value::<ChatRequest>(request).is_err());
    }
}

#[test]
fn borrowed_lines_report_text_and_calls() {
    let line = r#"{"message":{"role":"assistant","content":"","tool_calls":[{},{}]},
        "done":true,"done_reason":"stop","prompt_eval_count":4}"#;
    let line: Line<'_> = parse_borrowed(line).unwrap();
    assert_eq!(
        (line.has_words(), line.calls(), line.done),
        (false, 2, Some(true))
    );
    let reason = line.done_reason.unwrap();
    assert_eq!(&*reason, "stop");
    let body = r#"{"model":"m","messages":[{"role":"user","content":"a\nb","images":[]}]}"#;
    let request: Request<'_> = parse_body(body.as_bytes()).unwrap();
    let said = request.messages.first().unwrap();
    assert!(said.images.is_some() && said.tool_name.is_none());
    let text = said.content.and_then(BorrowedText::of).unwrap();
    assert_eq!(&*text, "a\nb");
}
