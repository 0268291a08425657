//! Finds the target of a link on a page with search results.
//!
//! Search engines link to a result through a redirecting page of their own, with the target in the
//! query; all their other links lead to their own pages.

use reqwest::Url;

/// DuckDuckGo's parameter; no other page has it.
const DUCKDUCKGO: &str = "uddg";

/// Parameters in which search engines pass the target to their redirecting page.
const PARAMETERS: [&str; 6] = ["url", "u", "q", "target", "to", "r"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) url: String,
    /// False for another page of the same site.
    pub(super) is_elsewhere: bool,
}

/// The target of `href` on `page`; `None` if it is not a web page.
pub(super) fn target(href: &str, page: &Url) -> Option<Target> {
    let url = page.join(href.trim()).ok().filter(is_web)?;
    let url = handed_on(&url, page).unwrap_or(url);
    Some(Target {
        is_elsewhere: !is_same_site(&url, page),
        url: url.into(),
    })
}

/// The target in the query of a redirecting page.
fn handed_on(url: &Url, page: &Url) -> Option<Url> {
    let own = is_same_site(url, page);
    let mut pairs = url.query_pairs();
    pairs.find_map(|(name, value)| {
        let may = name == DUCKDUCKGO || own && PARAMETERS.contains(&&*name);
        let target = Url::parse(&value).ok().filter(is_web)?;
        (may && !is_same_site(&target, url)).then_some(target)
    })
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// True if both addresses seem to belong to the same search engine: the last two labels of their
/// hosts are equal.
fn is_same_site(one: &Url, other: &Url) -> bool {
    match (one.domain(), other.domain()) {
        (Some(one), Some(other)) => site(one).eq(site(other)),
        // IP addresses have no labels to compare, and another port may be another service.
        _ => one.origin() == other.origin(),
    }
}

fn site(domain: &str) -> impl Iterator<Item = &str> {
    domain.rsplit('.').take(2)
}

/// True for a text that is only an address or its breadcrumb, which engines print next to a result.
pub(super) fn is_address(text: &str) -> bool {
    let first = text.split([' ', '›', '»', '/']).next().unwrap_or_default();
    let is_name = first.contains('.')
        && !first.ends_with('.')
        && first
            .chars()
            .all(|c| c.is_alphanumeric() || ".-:".contains(c));
    text.starts_with("http://")
        || text.starts_with("https://")
        || is_name && (!text.contains(' ') || text.contains(['›', '»']))
}

#[cfg(test)]
mod tests;
