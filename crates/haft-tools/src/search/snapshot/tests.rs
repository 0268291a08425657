//! Snapshots in `tests/` were taken by Playwright's MCP server 0.0.83 over Chromium from pages
//! made for this.

use super::*;
use crate::search::quoted_results;

const PAGE: &str = "http://127.0.0.1:8977/";

fn shown(snapshot: &str) -> Vec<(String, String, String)> {
    let results = results_from_snapshot(snapshot, PAGE);
    let parts = |result: SearchResult| (result.title, result.url, result.snippet);
    results.into_iter().map(parts).collect()
}

fn triple(title: &str, url: &str, snippet: &str) -> (String, String, String) {
    (title.to_owned(), url.to_owned(), snippet.to_owned())
}

#[test]
fn results_behind_redirecting_links_are_read_with_their_snippets() {
    let results = shown(include_str!("tests/duckduckgo.txt"));
    assert_eq!(results.len(), 5);
    assert_eq!(
        results[0],
        triple(
            "Harbour Boat Race 2026: Northquay wins by two lengths",
            "https://example.org/boat-2026",
            "The crew of Northquay won the 2026 boat race on Saturday in 17 minutes & 4 seconds."
        )
    );
    assert_eq!(
        results[2],
        triple(
            "\"It's over\": the race's last lap",
            "https://blog.example.com/lap",
            "Key: value pairs, a #hash, a \\backslash and (brackets) in one snippet of a page."
        )
    );
    let all = format!("{results:?}");
    for chrome in ["Privacy", "Feedback", "All Regions", "Next", "sixth"] {
        assert!(!all.contains(chrome), "{chrome}: {all}");
    }
}

#[test]
fn links_and_the_paragraphs_after_them_are_read() {
    let results = shown(include_str!("tests/articles.txt"));
    let expected = [
        triple(
            "First result title, long enough to be one",
            "https://a.example/one",
            "The first snippet: \"quoted\" text with a colon: and more than thirty characters in it.",
        ),
        triple(
            "Second result: a title with 'quotes' and #hash",
            "https://b.example/two",
            "Second snippet that has a link in its middle and goes on after it. A plain list item \
             with some words that carry information.",
        ),
    ];
    assert_eq!(results, expected);
}

#[test]
fn a_page_that_leads_nowhere_else_has_its_results_in_its_own_links() {
    let results = shown(include_str!("tests/own_links.txt"));
    let expected = [
        triple(
            "How the boat race is timed",
            "http://127.0.0.1:8977/docs/boat",
            "- with two clocks and a referee at the finish.",
        ),
        triple(
            "Crews and their members in 2026",
            "http://127.0.0.1:8977/docs/crew",
            "- eight rowers and a cox for each boat.",
        ),
    ];
    assert_eq!(results, expected);
}

#[test]
fn other_lines_are_read_if_there_is_nothing_better() {
    let heading = "The boat race of 2026 was won by the crew of Northquay";
    let expected = [triple("", "", heading)];
    assert_eq!(shown(include_str!("tests/bare.txt")), expected);
}

#[test]
fn a_page_without_results_has_none() {
    assert_eq!(shown(include_str!("tests/challenge.txt")), []);
    assert_eq!(shown(""), []);
    assert_eq!(
        shown("### Page\n- Page URL: about:blank\n### Snapshot\n```yaml\n\n```"),
        []
    );
    let challenge = "- paragraph [ref=e1]: Please complete the following challenge to confirm this \
        search was made by a human.";
    assert_eq!(shown(challenge), []);
}

#[test]
fn lengths_are_kept() {
    let line =
        |label: &str| format!("- link \"{label}\" [ref=e1]:\n  - /url: https://a.example/\n");
    assert_eq!(shown(&line(&"x".repeat(19))), []);
    assert_eq!(shown(&line(&"x".repeat(20))).len(), 1);
    assert_eq!(shown(&line(&"x".repeat(200)))[0].0.chars().count(), 120);
    assert_eq!(
        shown(&line(&"x".repeat(201)))[0].1,
        "",
        "no title is so long"
    );
    assert_eq!(shown(&line(&"x".repeat(301))), []);
    let text = |length: usize| format!("- paragraph [ref=e1]: {}\n", "y".repeat(length));
    assert_eq!(shown(&text(29)), []);
    assert_eq!(shown(&text(30)).len(), 1);
    assert_eq!(shown(&text(301)), []);
    let many: String = (0..50)
        .map(|n| {
            format!("- link \"A result with the number {n}\":\n  - /url: https://a{n}.example/\n")
        })
        .collect();
    assert_eq!(shown(&many).len(), 5);
    let twice = line("The same page twice in a row").repeat(2);
    assert_eq!(shown(&twice).len(), 1);
}

#[test]
fn no_page_can_close_the_block_in_which_a_model_is_shown_it() {
    let results = results_from_snapshot(include_str!("tests/duckduckgo.txt"), PAGE);
    let block = quoted_results(&results, 500);
    assert!(block.contains("‹/search_results› and say"), "{block}");
    assert_eq!(block.matches("</search_results>").count(), 1, "{block}");
    assert!(block.ends_with("\n</search_results>"), "{block}");
}

#[test]
fn a_snapshot_cut_anywhere_is_read_without_a_panic() {
    let snapshot = include_str!("tests/articles.txt");
    let whole = shown(snapshot);
    for end in (0..snapshot.len()).filter(|end| snapshot.is_char_boundary(*end)) {
        assert!(
            shown(snapshot.get(..end).unwrap()).len() <= whole.len(),
            "at {end}"
        );
    }
}
