//! Lines cut at every byte, lines that are too long, and a last line without a line end.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may die"
)]

use rmcp::model::RequestId;
use tokio::io::AsyncReadExt;

use super::{Head, Line, Lines};

/// All lines of `text`, which arrives in two parts, with a limit of 24 bytes per line.
async fn lines(text: &[u8], cut: usize) -> Vec<Line> {
    let read = text[..cut].chain(&text[cut..]);
    let mut lines = Lines::with_limit(read, 24);
    let mut all = Vec::new();
    while let Some(line) = lines.next().await.unwrap() {
        all.push(line);
    }
    all
}

#[tokio::test]
async fn lines_may_arrive_cut_at_every_byte() {
    let text =
        "one\n\n{\"result\":\"much too long\",\"id\":7}\nüber\r\nno end here but long enough\nlast";
    let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
    for cut in 0..=text.len() {
        assert_eq!(
            lines(text.as_bytes(), cut).await,
            [
                whole("one"),
                whole(""),
                Line::TooLong(Head {
                    id: Some(RequestId::Number(7)),
                    has_id: true,
                    has_outcome: true,
                    ..Head::default()
                }),
                whole("über\r"),
                Line::TooLong(Head::default()),
                whole("last"),
            ],
            "{cut}"
        );
    }
}

#[tokio::test]
async fn an_endless_line_ends_the_reading() {
    let mut lines = Lines::with_limit(tokio::io::repeat(b'x'), 24);
    let error = lines.next().await.unwrap_err();
    assert_eq!(error.to_string(), "a line without end");
}

#[tokio::test]
async fn a_dropped_read_loses_nothing() {
    let (mut write, read) = tokio::io::duplex(64);
    let mut lines = Lines::new(read);
    tokio::io::AsyncWriteExt::write_all(&mut write, b"ha")
        .await
        .unwrap();
    tokio::select! {
        biased;
        line = lines.next() => unreachable!("{line:?}"),
        () = tokio::task::yield_now() => {}
    }
    tokio::io::AsyncWriteExt::write_all(&mut write, b"ft\n")
        .await
        .unwrap();
    assert_eq!(
        lines.next().await.unwrap(),
        Some(Line::Whole(b"haft".to_vec()))
    );
}
