use std::collections::VecDeque;

use super::*;

/// Returns one of its parts at each read.
struct Parts(VecDeque<Vec<u8>>);

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(part) = self.0.pop_front() else {
            return Ok(0);
        };
        if part == b"!" {
            return Err(io::Error::other("torn"));
        }
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}

fn batches(parts: &[&str], max_line: usize) -> Vec<Option<String>> {
    let parts = parts.iter().map(|part| part.as_bytes().to_vec());
    let batches = Batches::new(Parts(parts.collect()), max_line);
    let text = |batch: io::Result<Batch>| match batch.unwrap() {
        Batch::Lines(text) => Some(String::from_utf8(text).unwrap()),
        Batch::TooLong => None,
    };
    batches.map(text).collect()
}

fn lines(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned())).collect()
}

#[test]
fn whole_lines_come_as_they_arrive() {
    assert_eq!(
        batches(&["a\nb\nc", "d\n", "e"], 9),
        lines(&["a\nb", "cd", "e"])
    );
    assert_eq!(batches(&["a\n"], 9), lines(&["a"]));
    assert_eq!(batches(&["a\n", "\n"], 9), lines(&["a", ""]));
    assert_eq!(batches(&["\n", "\n"], 9).len(), 2);
    assert_eq!(batches(&[], 9), lines(&[]));
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let parts = ["ok\n", "1234", "5678", "90", "1\nfine\nand", " on"];
    let mut wanted = lines(&["ok", "fine", "and on"]);
    wanted.insert(1, None);
    assert_eq!(batches(&parts, 7), wanted);
    assert_eq!(batches(&["12345678", "9"], 7), [None]);
    assert_eq!(batches(&["12345678", "9\n"], 7), [None]);
}

#[test]
fn an_empty_line_after_one_that_is_too_long_is_a_line() {
    assert_eq!(
        batches(&["12345678", "9\n\nb\n"], 7),
        [None, Some("\nb".to_owned())]
    );
}

#[test]
fn nothing_comes_after_an_error() {
    let parts = ["a\n", "b", "!", "c\n"].map(|part| part.as_bytes().to_vec());
    let mut batches = Batches::new(Parts(parts.into()), 9);
    assert_eq!(
        batches.next().unwrap().unwrap(),
        Batch::Lines(b"a".to_vec())
    );
    assert!(batches.next().unwrap().is_err());
    assert!(batches.next().is_none());
}
