use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use haft_core::{ModelError, ModelErrorKind};

use super::{Clock, Frames};
use crate::http::{Framing, Incoming, Limits};

fn body(pieces: Vec<Result<&'static str, ModelError>>) -> super::Body {
    stream::iter(pieces.into_iter().map(|piece| piece.map(Bytes::from))).boxed()
}

fn frames(framing: Framing, pieces: &[&'static str]) -> Frames {
    let clock = Clock::start(&Limits::default()).attempt(framing);
    Frames::new(
        Incoming::new(
            body(pieces.iter().map(|piece| Ok(*piece)).collect()),
            clock,
            None,
        ),
        framing,
    )
}

async fn data(mut frames: Frames) -> Result<Vec<String>, ModelError> {
    let mut data = Vec::new();
    while let Some(frame) = frames.next().await? {
        data.push(frame.data);
    }
    Ok(data)
}

#[tokio::test]
async fn a_last_frame_without_its_end_counts_when_it_is_whole() {
    for last in ["{\"a\":1}", "[DONE]"] {
        let frames = frames(Framing::Sse, &["data: 1\n\ndata: ", last]);
        assert_eq!(data(frames).await.unwrap(), ["1", last]);
    }
    let error = data(frames(Framing::Ndjson, &["{}\n{\"a\""]))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::CutStream);
}

#[tokio::test]
async fn no_frames_follow_an_error() {
    let clock = Clock::start(&Limits::default()).attempt(Framing::Sse);
    let broken = ModelError::new(ModelErrorKind::CutStream, "cut");
    let body = body(vec![Ok("data: 1\n\n"), Err(broken), Ok("data: 2\n\n")]);
    let mut frames = Frames::new(Incoming::new(body, clock, None), Framing::Sse);
    assert_eq!(frames.next().await.unwrap().unwrap().data, "1");
    assert_eq!(
        frames.next().await.unwrap_err().kind(),
        ModelErrorKind::CutStream
    );
    assert_eq!(frames.next().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_whole_reply_has_no_first_byte_deadline() {
    let late = stream::once(async {
        tokio::time::sleep(Duration::from_secs(500)).await;
        Ok(Bytes::from("{}"))
    });
    let clock = Clock::start(&Limits::default()).attempt(Framing::Whole);
    let frames = Frames::new(Incoming::new(late.boxed(), clock, None), Framing::Whole);
    assert_eq!(data(frames).await.unwrap(), ["{}"]);

    let clock = Clock::start(&Limits::default()).attempt(Framing::Sse);
    let frames = Frames::new(
        Incoming::new(stream::pending().boxed(), clock, None),
        Framing::Sse,
    );
    let error = data(frames).await.unwrap_err();
    assert!(
        error.to_string().contains("sent nothing for 300 s"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn slow_pieces_end_at_the_total_limit() {
    let drip = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_secs(50)).await;
        Some((Ok(Bytes::from("data: 1\n\n")), ()))
    });
    let clock = Clock::start(&Limits::default()).attempt(Framing::Sse);
    let error = data(Frames::new(
        Incoming::new(drip.boxed(), clock, None),
        Framing::Sse,
    ))
    .await;
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Timeout);
    assert!(
        error.to_string().contains("not complete after 600 s"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn endless_limits_are_possible() {
    let mut limits = Limits::default().with_total(Duration::MAX);
    limits.idle = Duration::MAX;
    let clock = Clock::start(&limits).attempt(Framing::Sse);
    let frames = Frames::new(
        Incoming::new(body(vec![Ok("data: 1\n\n")]), clock, None),
        Framing::Sse,
    );
    assert_eq!(data(frames).await.unwrap(), ["1"]);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_body_is_awaited_only_briefly() {
    let body = body(vec![Ok("data: [DONE]\n\n")]).chain(stream::pending());
    let clock = Clock::start(&Limits::default()).attempt(Framing::Sse);
    let mut frames = Frames::new(Incoming::new(body.boxed(), clock, None), Framing::Sse);
    frames.next().await.unwrap();
    let start = tokio::time::Instant::now();
    frames.finish().await;
    assert!(start.elapsed() < Duration::from_millis(50));
}
