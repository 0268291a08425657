//! The browser's tools for one question: a model may only read the pages that a search found.
//!
//! The model has just read untrusted text, which may instruct it to do anything. So pages are
//! opened only on hosts that the search found, and tools that act on a page (type, upload, run
//! code) are refused: nothing that the model knows can leave the machine in an address or a form.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt;
use haft_core::ToolCall;
use reqwest::Url;
use serde_json::Value;

use haft_tools::{
    Approval, ApprovalRequest, Approve, ExecutorOptions, SearchResult, ToolExecutor, ToolManager,
};

/// The tool that opens a page.
const OPENING: &str = "browser_navigate";

/// Tools of Playwright's server that only read a page.
const LOOKING: [&str; 4] = [
    "browser_snapshot",
    "browser_find",
    "browser_wait_for",
    "browser_navigate_back",
];

/// The maximum length of a page in characters: about the text of an encyclopaedia article before
/// its notes.
const MAX_PAGE: usize = 20_000;

/// An executor for `tools` after a search that found `results`.
pub(super) fn reader(tools: ToolManager, results: &[SearchResult]) -> ToolExecutor {
    let found = results.iter().filter_map(|result| host(&result.url));
    let hosts: BTreeSet<String> = found.collect();
    let reads: Approve = Arc::new(move |request: ApprovalRequest| {
        let decision = match refusal(&request.call, &hosts) {
            Some(reason) => Approval::Denied(reason),
            None => Approval::Allowed,
        };
        async move { decision }.boxed()
    });
    let mut options = ExecutorOptions::default();
    options.max_output = MAX_PAGE;
    ToolExecutor::with_options(tools, options, Some(reads))
}

/// True for a browser tool that is needed for reading a page; the others are refused.
#[must_use]
pub fn reads_pages(name: &str) -> bool {
    name == OPENING || LOOKING.contains(&name)
}

/// The reason for refusing a call, if there is one.
fn refusal(call: &ToolCall, hosts: &BTreeSet<String>) -> Option<String> {
    let name = &call.name;
    if !reads_pages(name) {
        return Some(format!(
            "{name} is not run after a web search: pages are only read, with {OPENING} and \
             browser_snapshot."
        ));
    }
    let mut addresses = call.args.values().filter_map(Value::as_str);
    let is_found = |address: &str| host(address).is_some_and(|host| hosts.contains(&host));
    (name == OPENING && !addresses.all(is_found)).then(|| {
        let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
        format!(
            "Only pages of the hosts that the search found are opened: {}.",
            hosts.join(", ")
        )
    })
}

/// The host of a web page, with its port unless it is the default.
fn host(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https");
    let host = url.host_str().filter(|_| is_web)?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

#[cfg(test)]
mod tests;
