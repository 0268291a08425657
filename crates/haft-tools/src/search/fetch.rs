//! Requests a search engine over HTTP, with limits on time, size and redirects.

use std::time::Duration;

use futures_util::StreamExt;
use haft_core::{ToolError, ToolErrorKind};
use reqwest::header::ACCEPT;
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, StatusCode, Url};

use crate::address::{is_loopback, is_private};

/// A page of results has some 100 kB. Anything beyond this limit is not read.
const MAX_BYTES: usize = 1024 * 1024;

/// More hops are a loop.
const MAX_REDIRECTS: usize = 5;

/// The reply of a search engine.
pub(super) struct Reply {
    /// The final address, after all redirects.
    pub(super) url: Url,
    pub(super) text: String,
}

/// Requests `url` with a time limit of `limit` in all. The errors contain no part of the address,
/// which may hold a key.
pub(super) async fn fetch(url: &str, limit: Duration) -> Result<Reply, ToolError> {
    let url = Url::parse(url).map_err(|_| unreachable("the address is none"))?;
    let fetching = fetch_now(url);
    let fetched = tokio::time::timeout(limit, fetching).await;
    fetched.unwrap_or_else(|_| {
        let sentence = "The web search took too long. Please try again later.";
        Err(ToolError::of_kind(ToolErrorKind::Timeout, sentence))
    })
}

async fn fetch_now(url: Url) -> Result<Reply, ToolError> {
    let client = client(&url)?;
    let broken = |error: reqwest::Error| unreachable(&format!("{:?}", error.without_url()));
    let request = client
        .get(url)
        .header(ACCEPT, "text/html, application/json");
    let response = request.send().await.map_err(broken)?;
    // Engines send challenges for robots with status 202.
    if response.status() != StatusCode::OK {
        let sentence = "The web search was refused by the search engine.";
        return Err(ToolError::new(sentence).with_detail(format!("HTTP {}", response.status())));
    }
    let url = response.url().clone();
    let mut bytes = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(broken)?;
        let room = MAX_BYTES.saturating_sub(bytes.len());
        bytes.extend(piece.iter().take(room));
        if bytes.len() >= MAX_BYTES {
            break;
        }
    }
    Ok(Reply {
        url,
        text: String::from_utf8_lossy(&bytes).into_owned(),
    })
}

fn client(url: &Url) -> Result<Client, ToolError> {
    // An error only means that another provider is already installed, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!(
            "Mozilla/5.0 (compatible; haft/",
            env!("CARGO_PKG_VERSION"),
            ")"
        ))
        .redirect(Policy::custom(to_the_world_only));
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    builder
        .build()
        .map_err(|error| unreachable(&error.to_string()))
}

/// Stops a redirect from the internet to a private address, which would let a page reach machines
/// of the local network.
fn to_the_world_only(attempt: Attempt<'_>) -> Action {
    let began_at_home = attempt.previous().first().is_some_and(is_private);
    let is_downgrade = attempt
        .previous()
        .last()
        .is_some_and(|url| url.scheme() == "https")
        && attempt.url().scheme() != "https";
    if attempt.previous().len() > MAX_REDIRECTS
        || is_downgrade
        || (is_private(attempt.url()) && !began_at_home)
    {
        attempt.stop()
    } else {
        attempt.follow()
    }
}

fn unreachable(detail: &str) -> ToolError {
    let sentence = "The web search cannot be reached right now.";
    ToolError::of_kind(ToolErrorKind::Network, sentence).with_detail(detail)
}
