use serde_json::json;

use super::*;

const HTML: &str = include_str!("tests/duckduckgo.html");
const PAGE: &str = "https://html.duckduckgo.com/html/?q=boat";

fn found(text: &str) -> Vec<(String, String, String)> {
    let results = results(text, &Url::parse(PAGE).unwrap());
    let parts = |result: SearchResult| (result.title, result.url, result.snippet);
    results.into_iter().map(parts).collect()
}

fn triple(title: &str, url: &str, snippet: &str) -> (String, String, String) {
    (title.to_owned(), url.to_owned(), snippet.to_owned())
}

#[test]
fn a_page_in_the_form_of_duckduckgo_is_read() {
    let results = found(HTML);
    assert_eq!(results.len(), 5);
    assert_eq!(
        results[0],
        triple(
            "Harbour Boat Race 2026: Northquay wins by two lengths",
            "https://example.org/boat-2026",
            "The crew of Northquay won the 2026 boat race on Saturday in 17 minutes & 4 seconds."
        )
    );
    assert_eq!(results[4].1, "https://weather.example/day");
}

#[test]
fn a_page_of_articles_is_read() {
    let page = "<nav><a href='https://x.example/'>Somewhere else</a></nav><main>\
        <article><h3><a href='https://a.example/1'>First <b>result</b></a></h3><p>Its <em>snip</em>pet.</p></article>\
        <article><a href='https://b.example/2'><h3>Second result</h3><div>in a block</div></a><p>Text.</p>\
        <a href='https://b.example/2'>b.example/2</a></article>\
        <footer>Imprint</footer></main>";
    let expected = [
        triple("First result", "https://a.example/1", "Its snippet."),
        triple("Second result in a block", "https://b.example/2", "Text."),
    ];
    assert_eq!(found(page), expected);
}

#[test]
fn json_of_the_known_interfaces_is_read() {
    let google = json!({"kind": "customsearch#search", "url": {"template": "https://no.example/{q}"},
        "items": [{"title": "One", "link": "https://a.example/", "snippet": "first",
            "pagemap": {"person": [{"name": "X", "url": "https://no.example/"}]}}]});
    let searxng = json!({"query": "x", "results": [
        {"url": "https://a.example/", "title": "One", "content": "first", "engines": ["x"]}]});
    for reply in [google, searxng] {
        let expected = [triple("One", "https://a.example/", "first")];
        assert_eq!(found(&reply.to_string()), expected);
    }
    let instant = json!({"Heading": "Oslo", "AbstractText": "Oslo is the capital.",
        "AbstractURL": "https://en.wikipedia.org/wiki/Oslo", "Image": "",
        "RelatedTopics": [{"Name": "More", "Topics": [
            {"Text": "Bergen, a city", "FirstURL": "https://duckduckgo.com/Bergen"}]}]});
    let expected = [
        triple(
            "Oslo",
            "https://en.wikipedia.org/wiki/Oslo",
            "Oslo is the capital.",
        ),
        triple("Bergen, a city", "https://duckduckgo.com/Bergen", ""),
    ];
    assert_eq!(found(&instant.to_string()), expected);
    let nothing =
        json!({"Heading": "", "AbstractText": "", "AbstractURL": "", "RelatedTopics": []});
    assert_eq!(found(&nothing.to_string()), []);
}

#[test]
fn endless_nesting_is_abandoned() {
    let deep = format!(
        "{}{{\"url\": \"https://a.example/\", \"title\": \"x\"}}{}",
        "[".repeat(50),
        "]".repeat(50)
    );
    assert_eq!(found(&deep), []);
}

#[test]
fn a_page_cut_anywhere_is_read_without_a_panic() {
    for end in (0..2500).filter(|end| HTML.is_char_boundary(*end)) {
        assert!(found(HTML.get(..end).unwrap()).len() <= 2, "at {end}");
    }
}
