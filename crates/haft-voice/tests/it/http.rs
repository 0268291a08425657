//! Speech-to-text over HTTP: the request, and how answers are handled.

use std::time::Duration;

use crate::support::tone;
use haft_testing::{Reply, ScriptedServer};
use haft_voice::{HttpTranscriber, Pcm, Transcriber, VoiceErrorKind};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Reads one request and answers it with `{"text": ...}`.
async fn captured(listener: TcpListener) -> Vec<u8> {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let length = stream.read(&mut buffer).await.unwrap();
        bytes.extend(&buffer[..length]);
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let (_, rest) = head.split_once("content-length: ").unwrap();
        let wanted: usize = rest.split("\r\n").next().unwrap().parse().unwrap();
        let begin = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap()
            + 4;
        if bytes.len() - begin == wanted {
            break;
        }
    }
    let body = r#"{"text": " Hello there.\n"}"#;
    let reply = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(reply.as_bytes()).await.unwrap();
    bytes
}

#[tokio::test]
async fn the_form_has_the_audio_the_model_and_the_language() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1/", listener.local_addr().unwrap());
    let server = tokio::spawn(captured(listener));
    let transcriber = HttpTranscriber::new(&base, "whisper-1")
        .unwrap()
        .with_key("sk-secret")
        .unwrap()
        .with_language("en");
    assert!(!format!("{transcriber:?}").contains("sk-secret"));
    assert_eq!(
        transcriber.transcribe(&tone()).await.unwrap(),
        "Hello there."
    );
    let request = server.await.unwrap();
    let text = String::from_utf8_lossy(&request);
    assert!(
        text.starts_with("POST /v1/audio/transcriptions HTTP/1.1\r\n"),
        "{text}"
    );
    assert!(text.contains("authorization: Bearer sk-secret\r\n"));
    let (_, rest) = text.split_once("multipart/form-data; boundary=").unwrap();
    let boundary = rest.split("\r\n").next().unwrap();
    let parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    assert_eq!(parts.len(), 6);
    for (part, expected) in parts[1..4].iter().zip([
        "name=\"model\"\r\n\r\nwhisper-1\r\n",
        "name=\"response_format\"\r\n\r\njson\r\n",
        "name=\"language\"\r\n\r\nen\r\n",
    ]) {
        assert!(part.ends_with(expected), "{part}");
    }
    assert_eq!(parts[5], "--\r\n");
    let wav = tone().to_wav();
    assert!(request.windows(wav.len()).any(|window| window == wav));
}

#[tokio::test]
async fn an_invalid_transcript_is_an_error() {
    let server = ScriptedServer::start([
        Reply::json(json!({"error": {"message": "no such model"}})).with_status(404),
        Reply::json(json!({"segments": []})),
        Reply::text("<html>"),
        Reply::json(json!({"text": "x"})).then_cut(),
        Reply::text(&"x".repeat(300_000)),
    ])
    .await;
    let transcriber = HttpTranscriber::new(server.url(), "m").unwrap();
    for complaint in [
        "refused the audio with status 404",
        "is not a transcript",
        "is not a transcript",
        "ended its answer early",
        "is not a transcript",
    ] {
        let error = transcriber.transcribe(&tone()).await.unwrap_err();
        assert_eq!(error.kind(), VoiceErrorKind::Transcription);
        assert!(error.to_string().contains(complaint), "{error}");
    }
}

#[tokio::test]
async fn a_timeout_and_a_failed_connection_are_distinguished() {
    let server = ScriptedServer::start([Reply::silence()]).await;
    let transcriber = HttpTranscriber::new(server.url(), "m").unwrap();
    let transcriber = transcriber.with_limit(Duration::from_millis(200));
    let error = transcriber.transcribe(&tone()).await.unwrap_err();
    assert_eq!(error.kind(), VoiceErrorKind::Timeout);
    let nobody = HttpTranscriber::new("http://127.0.0.1:1/v1", "m").unwrap();
    let error = nobody.transcribe(&tone()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "No speech-to-text server answers at http://127.0.0.1:1"
    );
}

#[tokio::test]
async fn annotations_of_whisper_are_removed() {
    let server = ScriptedServer::start([Reply::json(json!({"text": " [BLANK_AUDIO]\n"}))]).await;
    let transcriber = HttpTranscriber::new(server.url(), "m").unwrap();
    assert_eq!(transcriber.transcribe(&Pcm::default()).await.unwrap(), "");
}

#[test]
fn an_invalid_address_is_refused() {
    for base in ["", "localhost:8000", "ftp://host/v1", "http://"] {
        let error = HttpTranscriber::new(base, "m").unwrap_err();
        assert_eq!(error.kind(), VoiceErrorKind::Configuration, "{base}");
    }
}

#[tokio::test]
async fn no_secret_of_the_address_or_the_key_is_shown() {
    let error = HttpTranscriber::new("ftp://me:hush-hush@host/?token=hush-hush", "m").unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(
        shown.contains("[hidden]") && !shown.contains("hush-hush"),
        "{shown}"
    );
    let response = "bad key sk-0123456789 of hush-hush";
    let server = ScriptedServer::with(move |_| Reply::text(response).with_status(401)).await;
    let url = server.url().replace("http://", "http://me:hush-hush@");
    let transcriber = HttpTranscriber::new(&url, "m").unwrap();
    let transcriber = transcriber.with_key("sk-0123456789").unwrap();
    let error = transcriber.transcribe(&tone()).await.unwrap_err();
    for shown in [
        format!("{error} {error:?} {}", error.detail()),
        format!("{transcriber:?}"),
    ] {
        assert!(
            !shown.contains("hush-hush") && !shown.contains("sk-0123"),
            "{shown}"
        );
    }
}
