use super::*;

/// The text at this width, without colours where they are shown.
fn shown(text: &str, width: usize) -> String {
    let mut markdown = Markdown::new(width, Colours::Shown);
    let begin = markdown.push(text);
    let all = begin + &markdown.finish();
    anstream::adapter::strip_str(&all).to_string()
}

const LONG: &str = "# Weather **today**\n\nIt is *cold* in `Oslo`, and **very cold** in the north \
    [source](https://example.org).\n\n- a first point that is long enough to be broken\n- [ ] a \
    second\n  - within\n1. one\n2) two\n> quoted\n\n```rust\nlet x = 1 * 2 * 3;\n```\n| City | \
    Degrees |\n|---|:-:|\n| Oslo | -3 |\n| 東京 | 12 |\n---\n2 * 3 * 4 = 24, snake_case_name \
    and a\\*b\nThe **end";

#[test]
fn blocks_are_laid_out() {
    insta::assert_snapshot!(shown(LONG, 40), @r"
    Weather today

    It is cold in Oslo, and very cold in the
    north source (https://example.org).

    • a first point that is long enough to
      be broken
    • [ ] a second
      • within
    1. one
    2) two
    │ quoted

      let x = 1 * 2 * 3;
    City  Degrees
    ────  ───────
    Oslo  -3
    東京  12
    ────────────────────────────────────────
    2 * 3 * 4 = 24, snake_case_name and a*b
    The **end
    ");
}

#[test]
fn without_colours_the_marks_stay() {
    let mut markdown = Markdown::new(60, Colours::Missing);
    let text = markdown.push("## Plan\nUse **bold** and `code`.\n* one\n") + &markdown.finish();
    assert_eq!(text, "## Plan\nUse **bold** and `code`.\n• one");
}

#[test]
fn pieces_give_what_the_whole_gives() {
    let whole = |size: usize, width: usize| {
        let mut markdown = Markdown::new(width, Colours::Shown);
        let characters: Vec<char> = LONG.chars().collect();
        let pieces = characters
            .chunks(size)
            .map(|piece| piece.iter().collect::<String>());
        let mut text: String = pieces.map(|piece| markdown.push(&piece)).collect();
        text += &markdown.finish();
        anstream::adapter::strip_str(&text).to_string()
    };
    for width in [20, 40, 80, 200] {
        for size in 1..12 {
            assert_eq!(whole(size, width), shown(LONG, width), "{size} {width}");
        }
    }
}

#[test]
fn words_are_shown_as_they_come() {
    let mut markdown = Markdown::new(80, Colours::Shown);
    assert_eq!(markdown.push("It is no"), "It is");
    assert_eq!(markdown.push("on in **Os"), " noon in");
    assert_eq!(markdown.push("lo** now "), " \u{1b}[1mOslo\u{1b}[0m now");
    assert_eq!(markdown.push("東京は"), " 東京は");
    assert_eq!(markdown.finish(), "");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let words = "supercalifragilistic 東京東京東京東京東京 **bold words** and `some code` ";
    for width in [10, 13, 40] {
        for line in shown(&words.repeat(5), width).lines() {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(columns <= width, "{columns} > {width}: {line}");
        }
    }
}

#[test]
fn a_table_without_room_becomes_lists() {
    let table = "| Name | Value | Unit |\n|--|--|--|\n| temperature | twenty-one | degrees |\n";
    assert_eq!(
        shown(table, 16),
        "• Name: temperature\n  Value: twenty-one\n  Unit: degrees"
    );
    let narrow = shown(
        "| Key | Meaning |\n|-|-|\n| a | words that are too long |\n",
        20,
    );
    assert_eq!(
        narrow,
        "Key  Meaning\n───  ───────────────\na    words that are\n     too long"
    );
}

#[test]
fn an_emphasis_that_never_ends_is_text() {
    assert_eq!(
        shown("A * star and **bold without end", 80),
        "A * star and **bold without end"
    );
    assert_eq!(shown("`code without end", 80), "`code without end");
    assert_eq!(
        shown("[not a link] and [open", 80),
        "[not a link] and [open"
    );
    let long = format!("**{}", "word ".repeat(200));
    assert_eq!(shown(&long, 2000).trim_end(), long.trim_end());
}
