//! Finds search results in an accessibility snapshot, the text form in which a browser shows a
//! page.
//!
//! Playwright's MCP server writes it as an outline with one element per line:
//!
//! ```text
//! - link "Harbour Boat Race" [ref=e13] [cursor=pointer]:
//!   - /url: https://example.org/boat
//! - paragraph [ref=e14]: Northquay won in 17 minutes.
//! ```
//!
//! `outline` reads it. Here results are chosen by plain rules: labels of links that lead
//! elsewhere, then texts behind them, and other lines only where there is nothing else.

mod outline;

use reqwest::Url;

use self::outline::{Node, outline};
use super::link;
use super::result::{Collector, SearchResult};

/// The minimum length of a link's label in characters: shorter ones are `Next`, `Images`,
/// `Settings`.
const LEAST_LABEL: usize = 20;

/// The maximum length of a link's label in characters: a longer one is a whole paragraph.
const LONGEST_LABEL: usize = 200;

/// The length of a snippet in characters: shorter texts are not informative, longer ones are not
/// snippets.
const TEXT: std::ops::RangeInclusive<usize> = 30..=300;

/// The minimum length in characters of a text before all results: an answer, not the count of
/// results.
const LEAST_BEFORE: usize = 60;

/// The length in characters of other texts that are accepted on a page without results.
const OTHER: std::ops::RangeInclusive<usize> = 40..=300;

/// Elements that contain no results.
const CHROME: [&str; 24] = [
    "banner",
    "navigation",
    "contentinfo",
    "complementary",
    "search",
    "dialog",
    "alertdialog",
    "alert",
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "option",
    "menu",
    "menubar",
    "menuitem",
    "tab",
    "tablist",
    "toolbar",
    "checkbox",
    "radio",
    "switch",
    "slider",
];

/// Phrases that pages use about themselves, in lower case.
const ABOUT_PAGE: [&str; 16] = [
    "privacy policy",
    "terms of",
    "cookie",
    "sign in",
    "log in",
    "skip to",
    "all rights reserved",
    "copyright",
    "feedback",
    "safe search",
    "javascript",
    "advertis",
    "more results",
    "search settings",
    "results found",
    "about the results",
];

/// Phrases of pages that check for robots, in lower case.
const CHALLENGES: [&str; 5] = [
    "bots use",
    "captcha",
    "unusual traffic",
    "made by a human",
    "you are human",
];

/// The maximum number of elements of such a check, which has little else on its page.
const MAX_CHALLENGE: usize = 60;

/// The results in a snapshot of `page`, at most five; empty if there are none.
///
/// ```
/// use haft_tools::results_from_snapshot;
///
/// let snapshot = "
/// - link \"Harbour Boat Race 2026\" [ref=e13]:
///   - /url: https://example.org/boat
/// - paragraph [ref=e14]: Northquay won the race in 17 minutes.
/// ";
/// let results = results_from_snapshot(snapshot, "https://search.example/?q=x");
/// assert_eq!(results[0].url, "https://example.org/boat");
/// assert_eq!(results[0].snippet, "Northquay won the race in 17 minutes.");
/// ```
#[must_use]
pub fn results_from_snapshot(snapshot: &str, page: &str) -> Vec<SearchResult> {
    let page = reported_address(snapshot).unwrap_or(page);
    let Ok(page) = Url::parse(page) else {
        return Vec::new();
    };
    let nodes = outline(snapshot);
    if is_challenge(&nodes) {
        return Vec::new();
    }
    let by_rule = |rule| Reader::new(&nodes, &page).read(rule);
    Some(by_rule(Rule::LinksAndTexts))
        .filter(|found| !found.is_empty())
        .unwrap_or_else(|| by_rule(Rule::AnyLine))
}

/// The page's address as the browser reports it.
fn reported_address(snapshot: &str) -> Option<&str> {
    let mut lines = snapshot.lines();
    let address = lines.find_map(|line| line.strip_prefix("- Page URL: "));
    address.map(str::trim)
}

/// True for a page that checks whether a person sits at the browser. It contains no results.
fn is_challenge(nodes: &[Node]) -> bool {
    let asks = |node: &Node| {
        let label = node.label().to_lowercase();
        CHALLENGES.iter().any(|phrase| label.contains(phrase))
    };
    nodes.len() <= MAX_CHALLENGE && nodes.iter().any(asks)
}

/// Which elements count as results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    LinksAndTexts,
    /// For a page without any usable link or text.
    AnyLine,
}

/// The state while reading a page.
struct Reader<'a> {
    nodes: &'a [Node],
    page: &'a Url,
    /// Whether there are links to other sites. Only a page without any has its results in its own
    /// links.
    has_elsewhere: bool,
    found: Collector,
}

impl<'a> Reader<'a> {
    fn new(nodes: &'a [Node], page: &'a Url) -> Self {
        let leads_elsewhere = |node: &Node| {
            node.label().chars().count() >= LEAST_LABEL
                && target(node, page).is_some_and(|target| target.is_elsewhere)
        };
        Self {
            nodes,
            page,
            has_elsewhere: nodes.iter().any(leads_elsewhere),
            found: Collector::default(),
        }
    }

    fn read(mut self, rule: Rule) -> Vec<SearchResult> {
        let mut rest = self.nodes;
        while let Some((node, after)) = rest.split_first() {
            if self.found.is_full() {
                break;
            }
            let end = after.iter().position(|inner| inner.depth <= node.depth);
            let (inside, behind) = after
                .split_at_checked(end.unwrap_or(after.len()))
                .unwrap_or((after, &[]));
            let is_read = CHROME.contains(&node.role.as_str()) || self.node(node, inside, rule);
            rest = if is_read { behind } else { after };
        }
        self.found.finish()
    }

    /// Reads one element; returns true if its children were read too.
    fn node(&mut self, node: &Node, inside: &[Node], rule: Rule) -> bool {
        match (rule, &node.text) {
            (Rule::AnyLine, _) => self.other(node),
            _ if node.role == "link" => {
                self.link(node, inside);
                return true;
            }
            _ if is_mixed(node, inside) => {
                self.mixed(inside);
                return true;
            }
            (Rule::LinksAndTexts, Some(text)) => self.text(text),
            (Rule::LinksAndTexts, None) => {}
        }
        false
    }

    fn link(&mut self, node: &Node, inside: &[Node]) {
        let label = match node.label() {
            "" => joined(inside),
            label => label.to_owned(),
        };
        let target = target(node, self.page);
        let is_elsewhere = target.as_ref().is_some_and(|target| target.is_elsewhere);
        let length = label.chars().count();
        if self.has_elsewhere && !is_elsewhere || is_about_page(&label) {
            if length >= LEAST_LABEL {
                self.found.close();
            }
            return;
        }
        let url = target.map(|target| target.url).unwrap_or_default();
        let is_title = length <= LONGEST_LABEL;
        let least = if is_title { LEAST_LABEL } else { usize::MAX };
        self.found.link(&url, &label, least);
    }

    /// An element in which text and other elements alternate, such as a paragraph with links or
    /// emphasised words, is read as one text.
    fn mixed(&mut self, inside: &[Node]) {
        let Some((first, rest)) = inside.split_first() else {
            return;
        };
        let leads_elsewhere = target(first, self.page).is_some_and(|target| target.is_elsewhere);
        if first.role == "link" && (leads_elsewhere || !self.has_elsewhere) {
            self.link(first, &[]);
            self.text(&joined(rest));
        } else {
            self.text(&joined(inside));
        }
    }

    fn text(&mut self, text: &str) {
        let length = text.chars().count();
        if !TEXT.contains(&length) || is_about_page(text) || link::is_address(text) {
            return;
        }
        if self.found.is_open() {
            self.found.text(text);
        } else if !self.has_elsewhere || self.found.is_empty() && length >= LEAST_BEFORE {
            self.found.alone(text);
        }
    }

    /// Adds a line of a page that has no better text.
    fn other(&mut self, node: &Node) {
        let label = node.label();
        let is_long = OTHER.contains(&label.chars().count());
        if is_long && !is_about_page(label) && !link::is_address(label) {
            self.found.alone(label);
        }
    }
}

fn target(node: &Node, page: &Url) -> Option<link::Target> {
    link::target(node.url.as_deref()?, page)
}

/// True for an element that has text directly next to other elements.
fn is_mixed(node: &Node, inside: &[Node]) -> bool {
    inside
        .iter()
        .any(|inner| inner.depth == node.depth + 1 && inner.role == "text")
}

/// The texts of all elements, in order.
fn joined(nodes: &[Node]) -> String {
    let labels = nodes.iter().map(Node::label);
    labels
        .filter(|label| !label.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_about_page(text: &str) -> bool {
    let text = text.to_lowercase();
    ABOUT_PAGE.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests;
