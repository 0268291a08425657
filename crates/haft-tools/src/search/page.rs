//! Finds the results in a reply of any search engine, in HTML or JSON.
//!
//! The code relies on no class names, because they change. On an HTML page a result is a link to
//! another site, and the text after it is its description. In JSON a result is an object with an
//! address and a text, under the names that search APIs use.

use reqwest::Url;
use serde_json::Value;

use super::html::{Token, Tokens, attribute, decoded};
use super::link;
use super::result::{Collector, SearchResult};

/// The minimum length of a link's label in characters: shorter ones are `Cached`, `Next` and the
/// like.
const LEAST_LABEL: usize = 8;

/// Elements that contain no results.
const CHROME: [&str; 7] = [
    "nav", "footer", "form", "select", "button", "aside", "dialog",
];

/// Elements that do not separate text.
const INLINE: [&str; 10] = [
    "b", "strong", "em", "i", "u", "mark", "span", "wbr", "small", "code",
];

/// The maximum nesting depth; no API nests its results deeper.
const MAX_DEPTH: usize = 8;

/// Names for the address of a result: Google and others, DuckDuckGo (`FirstURL`, `AbstractURL`),
/// `SearXNG` and Brave (`url`).
const URLS: [&str; 5] = ["link", "url", "FirstURL", "AbstractURL", "href"];
const TITLES: [&str; 3] = ["title", "Heading", "name"];
const SNIPPETS: [&str; 6] = [
    "snippet",
    "content",
    "description",
    "AbstractText",
    "Text",
    "body",
];

/// The results in a reply from `page`.
pub(super) fn results(text: &str, page: &Url) -> Vec<SearchResult> {
    match serde_json::from_str::<Value>(text) {
        Ok(json) => of_json(&json),
        Err(_) => of_html(text, page),
    }
}

fn of_html(html: &str, page: &Url) -> Vec<SearchResult> {
    let mut reader = Reader {
        page,
        found: Collector::default(),
        link: None,
        text: String::new(),
        skipped: None,
    };
    for token in Tokens::new(html) {
        if reader.found.is_full() {
            break;
        }
        reader.read(token);
    }
    reader.end_of_text();
    reader.found.finish()
}

/// The state while reading a page.
struct Reader<'a> {
    page: &'a Url,
    found: Collector,
    /// The link that the current text is part of, if any.
    link: Option<link::Target>,
    /// The text since the start of the link or the block.
    text: String,
    skipped: Option<Skipped<'a>>,
}

/// An element that is being skipped.
struct Skipped<'a> {
    name: &'a str,
    /// The nesting depth among elements of that name.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn read(&mut self, token: Token<'a>) {
        if let Some(skipped) = &mut self.skipped {
            let is_same = |name: &str| name.eq_ignore_ascii_case(skipped.name);
            match token {
                Token::Open { name, .. } if is_same(name) => skipped.depth += 1,
                Token::Close { name } if is_same(name) => skipped.depth -= 1,
                _ => {}
            }
            if skipped.depth == 0 {
                self.skipped = None;
            }
            return;
        }
        match token {
            Token::Text(text) => self.text.push_str(&decoded(text)),
            Token::Open { name, attributes } if is_link(name) => {
                self.end_of_text();
                let href = attribute(attributes, "href");
                self.link = href.and_then(|href| link::target(&href, self.page));
            }
            Token::Close { name } if is_link(name) => {
                self.end_of_text();
                self.link = None;
            }
            Token::Open { name, .. } if is_one_of(name, &CHROME) => {
                self.end_of_text();
                self.skipped = Some(Skipped { name, depth: 1 });
            }
            Token::Open { name, .. } | Token::Close { name } if !is_one_of(name, &INLINE) => {
                // A link may contain several blocks, but has one label.
                match self.link {
                    Some(_) => self.text.push(' '),
                    None => self.end_of_text(),
                }
            }
            _ => {}
        }
    }

    fn end_of_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        match &self.link {
            None => self.found.text(&text),
            Some(link) if link.is_elsewhere => self.found.link(&link.url, &text, LEAST_LABEL),
            Some(_) if text.trim().chars().count() >= LEAST_LABEL => self.found.close(),
            Some(_) => {}
        }
    }
}

fn is_link(name: &str) -> bool {
    name.eq_ignore_ascii_case("a")
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn of_json(json: &Value) -> Vec<SearchResult> {
    let mut found = Collector::default();
    walk(json, &mut found, 0);
    found.finish()
}

/// Collects results in document order. Objects inside a result describe it; only the top-level
/// object may be a result and contain others (DuckDuckGo's instant answers).
fn walk(json: &Value, found: &mut Collector, depth: usize) {
    if depth > MAX_DEPTH || found.is_full() {
        return;
    }
    match json {
        Value::Array(items) => items.iter().for_each(|item| walk(item, found, depth + 1)),
        Value::Object(object) => {
            let text = |names: &[&str]| {
                let mut texts = names.iter().filter_map(|name| object.get(*name)?.as_str());
                texts.find(|text| !text.trim().is_empty()).map(decoded)
            };
            let url = text(&URLS).filter(|url| is_web(url));
            let (title, snippet) = (text(&TITLES), text(&SNIPPETS));
            if let (Some(url), Some(label)) = (url, title.or_else(|| snippet.clone())) {
                found.link(&url, &label, 1);
                found.text(&snippet.unwrap_or_default());
                found.close();
                if depth > 0 {
                    return;
                }
            }
            object
                .values()
                .for_each(|value| walk(value, found, depth + 1));
        }
        _ => {}
    }
}

fn is_web(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests;
