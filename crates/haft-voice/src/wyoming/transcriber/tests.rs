//! Tests with a scripted speech-to-text server; a real one is in `tests/outside/voice`.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// Listens, and runs `script` with each connection.
async fn transcriber_of<F: Future<Output = ()> + Send>(
    script: impl Fn(TcpStream) -> F + Send + 'static,
) -> WyomingTranscriber {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            script(stream).await;
        }
    });
    WyomingTranscriber::new(address.parse().unwrap()).with_limit(Duration::from_millis(500))
}

fn audio() -> Pcm {
    Pcm::new(vec![1; 40_000])
}

/// Reads the whole audio, and sends `reply`.
async fn hear_and_say(mut stream: TcpStream, reply: &[u8]) {
    let mut heard = Vec::new();
    while !heard.ends_with(b"{\"type\":\"audio-stop\"}\n") {
        assert!(stream.read_buf(&mut heard).await.unwrap() > 0);
    }
    stream.write_all(reply).await.unwrap();
}

#[tokio::test]
async fn a_whole_transcript_is_taken() {
    let transcriber = transcriber_of(|stream| async {
        hear_and_say(
            stream,
            &Event::new("transcript").with("text", " Hello. ").encode(),
        )
        .await;
    });
    let transcriber = transcriber.await.with_language("en");
    assert_eq!(transcriber.transcribe(&audio()).await.unwrap(), "Hello.");
}

#[tokio::test]
async fn a_transcript_in_pieces_is_put_together() {
    let pieces = [
        Event::new("transcript-start"),
        Event::new("transcript-chunk").with("text", "Turn on"),
        Event::new("something-new").with("text", "?"),
        Event::new("transcript-chunk").with("text", " the light"),
    ];
    let pieces: Vec<u8> = pieces.iter().flat_map(Event::encode).collect();
    for (end, expected) in [
        (
            Event::new("transcript").with("text", "Turn on the light."),
            "Turn on the light.",
        ),
        (Event::new("transcript-stop"), "Turn on the light"),
    ] {
        let reply = [pieces.clone(), end.encode()].concat();
        let transcriber = transcriber_of(move |stream| {
            let reply = reply.clone();
            async move { hear_and_say(stream, &reply).await }
        });
        let heard = transcriber.await.transcribe(&audio()).await.unwrap();
        assert_eq!(heard, expected);
    }
}

#[tokio::test]
async fn a_failure_loses_one_utterance() {
    let good = Event::new("transcript").with("text", "Yes.").encode();
    let half = good[..good.len() - 3].to_vec();
    let error = Event::new("error").with("text", "out of memory").encode();
    for (bad, kind, says) in [
        (
            Vec::new(),
            VoiceErrorKind::Transcription,
            "without a transcript",
        ),
        (
            half,
            VoiceErrorKind::Protocol,
            "in the middle of an event `transcript`",
        ),
        (error, VoiceErrorKind::Transcription, "reported an error"),
        (
            b"HTTP/1.1 400\r\n".to_vec(),
            VoiceErrorKind::Protocol,
            "header \"HTTP/1.1 400",
        ),
    ] {
        let first = std::sync::atomic::AtomicBool::new(true);
        let good = good.clone();
        let transcriber = transcriber_of(move |stream| {
            let first = first.swap(false, std::sync::atomic::Ordering::Relaxed);
            let reply = if first { bad.clone() } else { good.clone() };
            async move { hear_and_say(stream, &reply).await }
        })
        .await;
        let failure = transcriber.transcribe(&audio()).await.unwrap_err();
        assert_eq!(failure.kind(), kind, "{failure}");
        assert!(failure.to_string().contains(says), "{failure}");
        assert_eq!(transcriber.transcribe(&audio()).await.unwrap(), "Yes.");
    }
}

#[tokio::test]
async fn a_hanging_server_times_out() {
    let transcriber = transcriber_of(|stream| async move {
        // Reads nothing, so that the upload blocks.
        std::mem::forget(stream);
    })
    .await;
    let failure = transcriber.transcribe(&Pcm::new(vec![1; 4_000_000])).await;
    assert_eq!(failure.unwrap_err().kind(), VoiceErrorKind::Timeout);
}

#[tokio::test]
async fn an_unreachable_server_is_reported() {
    let transcriber = WyomingTranscriber::new("127.0.0.1:1".parse().unwrap());
    let failure = transcriber.transcribe(&audio()).await.unwrap_err();
    assert_eq!(failure.to_string(), "Nothing answers at 127.0.0.1:1");
}

#[tokio::test]
async fn an_error_is_reported_even_if_the_upload_fails() {
    let transcriber = transcriber_of(|mut stream| async move {
        let error = Event::new("error").with("text", "no model");
        stream.write_all(&error.encode()).await.unwrap();
    })
    .await;
    let failure = transcriber.transcribe(&audio()).await.unwrap_err();
    assert_eq!(failure.detail(), "no model");
}
