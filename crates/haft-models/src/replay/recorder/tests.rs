use std::fs;
use std::path::Path;

use futures_util::{StreamExt, stream};
use haft_core::ModelErrorKind;
use http::HeaderValue;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde_json::{Value, json};

use super::Recorder;
use crate::http::{Framing, Request, Response, body_of, endpoint};

fn request() -> Request {
    let url = endpoint("http://me:pw@127.0.0.1:8080/v1?key=k", "chat/completions").unwrap();
    let body = json!({"model": "tiny", "password": "hunter2", "messages": []});
    Request::post(
        crate::openai::API,
        url,
        body_of(&body).unwrap(),
        Framing::Sse,
    )
    .with_header("authorization", "Bearer my-own-key")
}

fn response() -> Response {
    Response {
        status: 429,
        headers: [
            (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
            (RETRY_AFTER, HeaderValue::from_static("1")),
        ]
        .into_iter()
        .collect(),
        body: stream::empty().boxed(),
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_exchange_is_one_line_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let recorder = Recorder::create(&path).unwrap();
    let mut recording = recorder.begin(&request(), &response());
    recording.push("data: é\n".as_bytes());
    recording.push(b"\ndata: my-own-key sk-0123456789abcdef\n\n");
    drop(recording);

    let mut line = lines(&path).remove(0);
    assert_eq!(line["id"].as_str().unwrap().len(), 12);
    line.as_object_mut().unwrap().shift_remove("id");
    let expected = json!({
        "api": "openai-chat",
        "provider": "127.0.0.1:8080",
        "url": "http://127.0.0.1:8080/v1/chat/completions?key=[hidden]",
        "status": 429,
        "content_type": "text/event-stream",
        "retry_after": "1",
        "stream": true,
        "request": {"model": "tiny", "password": "REDACTED", "messages": []},
        "response": "data: é\n\ndata: REDACTED REDACTED\n\n",
        "form": "raw",
    });
    assert_eq!(line, expected);
}

#[test]
fn a_recording_goes_on_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    for _ in 0..2 {
        let recorder = Recorder::create(&path).unwrap();
        drop(recorder.begin(&request(), &response()));
    }
    assert_eq!(lines(&path).len(), 2);
}

#[test]
fn a_file_that_cannot_be_written_is_reported_at_once() {
    let error = Recorder::create("/no/such/folder/tape.jsonl").unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Configuration);
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_a_recording() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    Recorder::create(&path).unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    Recorder::create(&path).unwrap();
    assert_eq!(mode(), 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn an_exchange_that_cannot_be_written_is_an_error_from_then_on() {
    let recorder = Recorder::create("/dev/full").unwrap();
    recorder.check().unwrap();
    drop(recorder.begin(&request(), &response()));
    for _ in 0..2 {
        let error = recorder.clone().check().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains("/dev/full"), "{error}");
    }
}
