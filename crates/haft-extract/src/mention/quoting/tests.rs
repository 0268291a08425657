//! Elements that are open at the end of a text, however it is cut.

use super::QuotingElement;

fn after(text: &str) -> QuotingElement {
    let mut element = QuotingElement::default();
    element.take(text, text.len());
    element
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
        assert!(after(open).is_open(), "{open}");
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
        assert!(!after(closed).is_open(), "{closed}");
    }
}

#[test]
fn an_element_right_before_a_call_counts_within_a_line_too() {
    let holds_call_behind = |text| QuotingElement::default().before_call(text).is_open();
    for text in ["See <pre>", "See <tool_result>\n", "See <code>", "<!--"] {
        assert!(holds_call_behind(text), "{text}");
    }
    for text in ["See <prefix>", "See a > b", "<pre>x</pre>"] {
        assert!(!holds_call_behind(text), "{text}");
    }
}

#[test]
fn a_text_in_two_parts_is_one_text() {
    let elements = "A.\n \t<document a=\"ü\">\nOne [b] <i>\n</document>\n<pre>\n\\begin{verbatim}</pre>Two <log>\n<log>";
    for text in [elements, "The element <email> is known."] {
        let expected = after(text);
        for (cut, _) in text.char_indices() {
            let mut element = QuotingElement::default();
            element.take(text, cut);
            let (_, rest) = text.split_at(cut);
            element.take(rest, rest.len());
            assert_eq!(element, expected, "{text:?} cut at {cut}");
        }
    }
}
