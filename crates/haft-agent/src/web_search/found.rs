//! The results of a search, and the browser that can open their pages.

use haft_core::{Source, Tool};
#[cfg(feature = "mcp")]
use haft_mcp::OpenBrowser;
use haft_tools::{SearchResult, ToolExecutor};

/// The number of pages to take from the text of a foreign search tool.
const MAX_PAGES: usize = 4;

/// The results of a search, and the open browser that found them.
pub(crate) struct Found {
    pub(super) results: Vec<SearchResult>,
    #[cfg(feature = "mcp")]
    browser: Option<OpenBrowser>,
}

impl Found {
    /// The results of a search without a browser.
    pub(super) fn of(results: Vec<SearchResult>) -> Self {
        Self {
            results,
            #[cfg(feature = "mcp")]
            browser: None,
        }
    }

    /// The results in the text of a search tool that this project does not know: the whole text,
    /// and the addresses in it.
    pub(super) fn in_text(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() || text.to_lowercase().starts_with("no results") {
            return Self::of(Vec::new());
        }
        let is_sign = |c: char| "()[]<>\"',;.".contains(c);
        let words = text.split_whitespace();
        let words = words.map(|word| word.trim_matches(is_sign));
        let mut pages: Vec<&str> = words.filter(|word| is_address(word)).collect();
        pages.dedup();
        let page = |url: &str| SearchResult {
            title: url.to_owned(),
            url: url.to_owned(),
            snippet: String::new(),
        };
        let whole = SearchResult {
            snippet: text.to_owned(),
            ..SearchResult::default()
        };
        let pages = pages.into_iter().take(MAX_PAGES).map(page);
        Self::of(std::iter::once(whole).chain(pages).collect())
    }

    /// The pages among the results.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let pages = self.results.iter().filter(|result| !result.url.is_empty());
        let source = |result: &SearchResult| Source {
            title: result.title.clone(),
            url: result.url.clone(),
        };
        pages.map(source).collect()
    }

    /// An executor for the browser's tools, to read the results; `None` without a browser.
    pub(super) fn page_reader(&self) -> Option<ToolExecutor> {
        #[cfg(feature = "mcp")]
        return self.browser.as_ref().map(OpenBrowser::reader);
        #[cfg(not(feature = "mcp"))]
        None
    }

    /// Closes the browser, if there is one.
    #[cfg_attr(
        not(feature = "mcp"),
        expect(clippy::unused_async, reason = "awaited where there is a browser")
    )]
    pub(crate) async fn close(self) {
        #[cfg(feature = "mcp")]
        if let Some(browser) = self.browser {
            browser.close().await;
        }
    }
}

#[cfg(feature = "mcp")]
impl From<OpenBrowser> for Found {
    fn from(browser: OpenBrowser) -> Self {
        Self {
            results: browser.results().to_vec(),
            browser: Some(browser),
        }
    }
}

/// True for a tool that is needed for opening and reading a page. Without MCP there is no browser
/// and no such tool.
pub(super) fn reads_pages(tool: &dyn Tool) -> bool {
    #[cfg(feature = "mcp")]
    return haft_mcp::reads_pages(tool.name());
    #[cfg(not(feature = "mcp"))]
    tool.annotations().read_only
}

fn is_address(word: &str) -> bool {
    word.starts_with("https://") || word.starts_with("http://")
}
