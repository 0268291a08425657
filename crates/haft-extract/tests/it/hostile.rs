//! Replies that are made to be slow or to fill the memory are read to their end: one piece up
//! to a million times, markers that nothing ends, and replies that never exist as a whole. A reader
//! that looks at everything again and again would not come back from the longest of them. How the
//! time grows is shown by `examples/scaling.rs`.
//!
//! `HAFT_HOSTILE_MB=100` makes the endless replies so long; `--release -- --ignored` reads every
//! pattern at a megabyte.

use crate::support::case;
use crate::support::hostile::{self, Pattern, WORDS};
use haft_extract::{ExtractOptions, Extraction, Extractor, Piece, ToolSet};

/// One megabyte.
const MB: usize = 1024 * 1024;

/// How long the patterns are in the quick test: long enough for most bounds.
const SHORT: usize = 2 * 1024;

/// How far what is handed out may be behind what came in: what may be held back of a call without
/// markers, and as much again for what was read of it.
const BEHIND: usize = 2 * MB;

#[test]
fn many_of_each_are_read_to_the_end() {
    let units = [
        "{",
        "[",
        "(",
        "\"",
        "`",
        "<",
        "\n",
        "\\",
        "{\"a\":",
        "[{",
        "{\n",
        "```\n",
        "\n- ",
        "f(",
        "<think>",
        "<tool_call>",
        "get_weather(",
        "[get_weather(",
        "Action:\n",
        "<|channel|>",
        "]<]minimax[>[",
        "<get_weather>",
        "<get_weather> a\n",
    ];
    let tools = case::named_tools("home");
    for unit in units {
        let reply = unit.repeat(count(unit));
        let extraction = read(&tools, reply.as_bytes().chunks(reply.len()));
        assert_eq!(extraction.calls, [], "{unit:?}");
    }
}

#[test]
fn many_of_each_are_read_in_small_chunks() {
    for unit in [
        "{",
        "[",
        "\"",
        "`",
        "<",
        "{\"a\":",
        "```\n",
        "<tool_call>",
        "get_weather(",
        "{\n",
        "<get_weather> a\n",
    ] {
        let reply = unit.repeat(count(unit));
        let extraction = read(&case::named_tools("home"), reply.as_bytes().chunks(4));
        assert_eq!(extraction.calls, [], "{unit:?}");
    }
}

/// What may stand before arguments, and wait for them.
const HEADS: [&str; 4] = [
    "<get_weather>",
    "<tool_call>get_weather\n",
    "<function=get_weather>",
    "<invoke name=\"get_weather\">",
];

#[test]
fn endless_blanks_before_arguments_are_not_looked_through_again() {
    let tools = case::named_tools("home");
    for head in HEADS {
        let reply = format!("{head}{}", "\n".repeat(MB));
        let extraction = read(&tools, reply.as_bytes().chunks(4));
        assert!(extraction.calls.len() < 2, "{head}");
    }
}

#[test]
fn endless_names_and_empty_lines_are_not_looked_through_again() {
    let tools = case::named_tools("home");
    for (head, filling) in [
        ("<tool_call>print(", "a"),
        ("<tool_code>print(", "\u{4e00}"),
        ("call:", " "),
        ("Action: get_weather\nAction Input: ", "\n"),
        (
            "Action: get_weather\nAction Input: {\"city\": \"a\"} ",
            "\n",
        ),
    ] {
        let reply = format!("{head}{}", filling.repeat(MB / filling.len()));
        for size in [4, reply.len()] {
            let extraction = read(&tools, reply.as_bytes().chunks(size));
            assert!(extraction.calls.len() < 2, "{head} {filling:?} {size}");
        }
    }
}

#[test]
fn many_blanks_before_arguments_mean_the_same_in_any_chunks() {
    let tools = case::named_tools("home");
    for head in HEADS {
        for blanks in [4094, 4095, 4096, 4097, 5000] {
            let blanks = "\n".repeat(blanks);
            let reply = format!("{head}{blanks}{{\"city\": \"Oslo\"}}");
            let whole = read(&tools, reply.as_bytes().chunks(reply.len()));
            for size in [1, 4, 4096] {
                let chunks = reply.as_bytes().chunks(size);
                assert_eq!(
                    read(&tools, chunks),
                    whole,
                    "{head} {} {size}",
                    blanks.len()
                );
            }
        }
    }
}

#[test]
fn every_pattern_reads_the_same_in_small_chunks() {
    assert_eq!(unsteady(SHORT), [""; 0]);
}

#[test]
#[ignore = "takes minutes; --release"]
fn every_pattern_reads_the_same_in_small_chunks_at_a_megabyte() {
    assert_eq!(unsteady(MB), [""; 0]);
}

#[test]
fn endless_prose_is_handed_out_as_it_comes() {
    for chunk in [64, 64 * 1024] {
        let seen = endless("", WORDS, chunk);
        assert_eq!((seen.calls, seen.invalid), (0, 0));
        assert_eq!(seen.text, seen.fed);
    }
}

#[test]
fn an_endless_thought_is_handed_out_as_it_comes() {
    let seen = endless("<think>", WORDS, 64);
    assert_eq!((seen.calls, seen.invalid, seen.text), (0, 0, 0));
}

#[test]
fn an_endless_argument_is_one_call_that_cannot_run() {
    let heads = [
        "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"path\": \"a\", \"content\": \"",
        "<tool_call>\n<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content>\n",
        "[TOOL_CALLS]write_file[ARGS]{\"path\": \"a\", \"content\": \"",
    ];
    for head in heads {
        let seen = endless(head, "plain words and numbers 123, ", 64);
        assert_eq!((seen.calls, seen.invalid), (0, 1), "{head}");
    }
}

#[test]
fn an_endless_block_becomes_text() {
    // Longer than what is held back by default.
    for head in ["{\"a\": \"", "[\"", "get_weather(\"", "```json\n{\"a\": \""] {
        let seen = endless(head, "plain words and numbers 123, ", 64);
        assert_eq!((seen.calls, seen.text), (0, seen.fed), "{head}");
    }
}

/// A million of the commonest brackets; less of the others, for a build that is not optimised.
fn count(unit: &str) -> usize {
    match unit {
        "{" | "[" => 1_000_000,
        _ => 100_000 / unit.len(),
    }
}

/// What came of an endless reply.
#[derive(Debug, Default)]
struct Seen {
    calls: usize,
    invalid: usize,
    /// Bytes of text.
    text: usize,
    /// Bytes of everything that was handed out.
    told: usize,
    /// Bytes of the reply.
    fed: usize,
}

impl Seen {
    fn add(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Text(text) => {
                self.text += text.len();
                self.told += text.len();
            }
            Piece::Reasoning(text) | Piece::Syntax(text) => self.told += text.len(),
            Piece::CallArgs { fragment, .. } => self.told += fragment.len(),
            Piece::CallEnd { .. } => self.calls += 1,
            Piece::Invalid { .. } => self.invalid += 1,
            _ => {}
        }
    }
}

/// Reads `head` and then `filling` over and over, made as it is read. Whatever comes is handed
/// out soon, so that a caller who passes it on needs no more memory than that.
fn endless(head: &str, filling: &str, chunk: usize) -> Seen {
    let megabytes = std::env::var("HAFT_HOSTILE_MB").map_or(3, |value| value.parse().unwrap());
    let filling = filling.repeat(chunk / filling.len() + 1);
    let mut seen = Seen::default();
    let mut extractor = Extractor::new(&case::named_tools("home"), ExtractOptions::default());
    extractor.push(head.as_bytes(), &mut |piece| seen.add(&piece));
    seen.fed = head.len();
    while seen.fed < megabytes * MB {
        extractor.push(filling.as_bytes(), &mut |piece| seen.add(&piece));
        seen.fed += filling.len();
        assert!(seen.fed < seen.told + BEHIND, "{head:?}: {seen:?}");
    }
    extractor.finish(&mut |piece| seen.add(&piece));
    seen
}

/// The patterns of which the answer depends on the cut.
fn unsteady(size: usize) -> Vec<String> {
    let tools = case::named_tools("home");
    let is_unsteady = |pattern: &Pattern| {
        let reply = pattern.sized(size);
        let whole = read(&tools, std::iter::once(reply.as_bytes()));
        whole != read(&tools, reply.as_bytes().chunks(4))
    };
    let patterns = hostile::patterns().into_iter();
    let found = patterns.filter(is_unsteady);
    found.map(|pattern| pattern.name()).collect()
}

fn read<'r>(tools: &ToolSet, chunks: impl Iterator<Item = &'r [u8]>) -> Extraction {
    let mut extraction = Extraction::default();
    let mut extractor = Extractor::new(tools, ExtractOptions::default());
    for chunk in chunks {
        extractor.push(chunk, &mut |piece| extraction.add(piece));
    }
    extractor.finish(&mut |piece| extraction.add(piece));
    extraction
}
