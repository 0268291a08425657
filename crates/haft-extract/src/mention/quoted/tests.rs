//! Elements that are open at the end of a text, however it is cut.

use super::Quoted;

fn after(text: &str) -> Quoted {
    let mut quoted = Quoted::default();
    quoted.take(text, text.len());
    quoted
}

#[test]
fn an_element_is_open_from_the_beginning_of_a_line_to_its_closing_tag() {
    for open in [
        "<tool_response>",
        "Here it is:\n  <document index=\"1\">\nWords. <b>More</b>",
        "</tool_call><pre>x",
        "[TOOL_RESULTS]{\"a\": 1}",
        "\\begin{verbatim}\n",
        "<!-- a note",
        "<file>\na\n</file>\n<file>\nb",
    ] {
        assert!(after(open).close.is_some(), "{open}");
    }
    for closed in [
        "",
        "The element <document> holds text.",
        "<document>a</document>",
        "<tool_response>\na\n</tool_response>\nI look.",
        "[TOOL_RESULTS]{}[/TOOL_RESULTS]",
        "<!-- a note -->",
        "<pre>\n<document>\n</pre>",
    ] {
        assert!(after(closed).close.is_none(), "{closed}");
    }
}

#[test]
fn an_element_right_before_a_call_counts_within_a_line_too() {
    for text in ["See <pre>", "See <tool_result>\n", "See <code>", "<!--"] {
        assert!(Quoted::default().holds_call_behind(text), "{text}");
    }
    for text in ["See <prefix>", "See a > b", "<pre>x</pre>"] {
        assert!(!Quoted::default().holds_call_behind(text), "{text}");
    }
}

#[test]
fn a_text_in_two_parts_is_one_text() {
    let text = "A.\n \t<document a=\"ü\">\nOne [b] <i>\n</document>\n<pre>\n\\begin{verbatim}</pre>Two <log>\n<log>";
    let expected = after(text);
    for (cut, _) in text.char_indices() {
        let mut quoted = Quoted::default();
        quoted.take(text, cut);
        let (_, rest) = text.split_at(cut);
        quoted.take(rest, rest.len());
        assert_eq!(quoted, expected, "cut at {cut}");
    }
}
