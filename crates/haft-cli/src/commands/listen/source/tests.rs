use std::io::Cursor;

use super::*;

/// The text of each line, or the beginning of its error.
fn said(input: &[u8]) -> Vec<Result<String, String>> {
    let mut lines = Lines::new(BufReader::with_capacity(64, Cursor::new(input)));
    std::iter::from_fn(|| lines.next())
        .map(|line| line.map_err(|failure| failure.message))
        .collect()
}

fn too_long(number: u64) -> Result<String, String> {
    Err(format!(
        "Line {number} on stdin has more than 10000 bytes, and nothing of it was done"
    ))
}

#[test]
fn issue_3_a_line_over_the_limit_is_refused_once() {
    let limit = usize::try_from(MAX_LINE).unwrap();
    let long = format!("{} turn on the light", "never ".repeat(limit));
    let input = format!("hello\n\n{long}\nwhat time is it\n{long}");
    assert_eq!(
        said(input.as_bytes()),
        [
            Ok("hello".to_owned()),
            too_long(3),
            Ok("what time is it".to_owned()),
            too_long(5),
        ]
    );
}

#[test]
fn the_limit_itself_is_within() {
    let limit = usize::try_from(MAX_LINE).unwrap();
    let (full, over) = ("a".repeat(limit), "a".repeat(limit + 1));
    for end in ["", "\n"] {
        assert_eq!(said(format!("{full}{end}").as_bytes()), [Ok(full.clone())]);
        assert_eq!(said(format!("{over}{end}").as_bytes()), [too_long(1)]);
    }
    assert_eq!(
        said(format!("{over}\nb").as_bytes()),
        [too_long(1), Ok("b".to_owned())]
    );
}

#[test]
fn bytes_that_are_not_text_are_refused_once() {
    let said = said(b"\xef\xbb\xbfhello\r\n\xff\xfe\n \t \nbye");
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[0], Ok("hello".to_owned()));
    assert!(
        said[1]
            .as_ref()
            .unwrap_err()
            .contains("Line 2 on stdin is not text in UTF-8")
    );
    assert_eq!(said[2], Ok("bye".to_owned()));
}
