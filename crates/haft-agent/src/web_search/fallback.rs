//! The search itself: the question out, results in. The model is asked once more in `reading`.
//!
//! The query is told before it leaves the machine.

use haft_core::{
    AiMessage, Answer, Content, Event, Message, Outcome, SearchReport, SearchVia, Source,
    StopReason, ToolCall, ToolError,
};
use haft_select::{Intent, IntentClassifier};
#[cfg(feature = "mcp")]
use haft_tools::OpenBrowser;
use haft_tools::{
    MAX_SEARCH_QUERY, SEARCH_WEB, SearchResult, ToolExecutor, ToolManager, result_text,
};
use serde_json::json;
use tokio::time::Instant;

use super::trigger::asks_for_search;
use crate::run::Run;

/// In characters: a longer text is a document, and none that is sent to a search engine.
const LONGEST_QUESTION: usize = 512;

/// As many pages as other searches have.
const MAX_PAGES: usize = 4;

/// What a search found, and the browser that found it, which is still open.
pub(super) struct Found {
    pub(super) results: Vec<SearchResult>,
    #[cfg(feature = "mcp")]
    pub(super) browser: Option<OpenBrowser>,
}

impl From<Vec<SearchResult>> for Found {
    fn from(results: Vec<SearchResult>) -> Self {
        Self {
            results,
            #[cfg(feature = "mcp")]
            browser: None,
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

impl Run {
    /// The answer from the web, where `reply` is none and a search helps.
    pub(crate) async fn answer_from_web(&mut self, reply: &AiMessage) -> Option<Answer> {
        let query = self.query_in_place_of(reply)?;
        let found = self.search(&query).await?;
        let told = self.ask_about(&found).await;
        #[cfg(feature = "mcp")]
        if let Some(browser) = found.browser {
            browser.close().await;
        }
        let told = told?;
        let text = told.content.text();
        // One excuse is as good as another, and the first one makes no claim about the web.
        if !reply.content.is_blank() && asks_for_search(&text) {
            return None;
        }
        self.append(told.clone().into()).await;
        let mut answer = self.answer(&told.content, Outcome::WebSearched);
        answer.sources = sources(&found.results);
        Some(answer)
    }

    /// What to search for, if anything.
    fn query_in_place_of(&self, reply: &AiMessage) -> Option<String> {
        if !self.can_search() || reply.stop_reason == Some(StopReason::Refusal) {
            return None;
        }
        let is_blank = reply.content.is_blank();
        if !is_blank && !asks_for_search(&reply.content.text()) {
            return None;
        }
        let question = self.question()?.text();
        let words: Vec<_> = question.split_whitespace().collect();
        let question = words.join(" ");
        let length = question.chars().count();
        if length == 0 || length > LONGEST_QUESTION || is_for_home(&question, is_blank) {
            return None;
        }
        Some(shortened(&question))
    }

    fn can_search(&self) -> bool {
        let options = &self.shared.options;
        if options.web_search.enabled == Some(false) {
            return false;
        }
        #[cfg(feature = "mcp")]
        if options.browser.is_some() {
            return true;
        }
        options.web_search.enabled == Some(true)
            || self.tooling.executor.tools().find(SEARCH_WEB).is_some()
    }

    pub(super) fn question(&self) -> Option<&Content> {
        let mut messages = self.messages.iter().rev();
        messages.find_map(|message| match message {
            Message::Human(question) => Some(&question.content),
            _ => None,
        })
    }

    /// The results of the first way that has any.
    async fn search(&mut self, query: &str) -> Option<Found> {
        #[cfg(feature = "mcp")]
        if let Some(browser) = self.shared.options.browser.clone() {
            let looking = browser.search(query);
            if let Some(found) = self.watched(query, SearchVia::Browser, looking).await {
                return Some(found);
            }
        }
        let executor = self.search_executor()?;
        let call = ToolCall::new(SEARCH_WEB, json!({"query": query}), "web_search");
        let asking = async {
            let output = executor.execute(&call).await?;
            let artifact = output.artifact.as_ref();
            let results = artifact
                .and_then(|artifact| artifact.get("results"))
                .cloned();
            Ok(results
                .and_then(|results| serde_json::from_value(results).ok())
                .unwrap_or_else(|| of_text(&result_text(output).0)))
        };
        self.watched(query, SearchVia::Tool, asking).await
    }

    /// What runs `search_web`: the tool of the user where there is one.
    fn search_executor(&self) -> Option<ToolExecutor> {
        let executor = &self.tooling.executor;
        if executor.tools().find(SEARCH_WEB).is_some() {
            return Some(executor.clone());
        }
        let mut tools = ToolManager::new();
        tools
            .add(self.shared.options.web_search.search_tool()?)
            .ok()?;
        Some(ToolExecutor::new(tools))
    }

    /// Tells of a search before it begins and when it is over.
    async fn watched<F: Into<Found>>(
        &self,
        query: &str,
        via: SearchVia,
        searching: impl Future<Output = Result<F, ToolError>>,
    ) -> Option<Found> {
        let started = Instant::now();
        let query = query.to_owned();
        self.events
            .emit(Event::WebSearchStarted { query, via })
            .await;
        let searched = searching.await.map(Into::into);
        let duration = started.elapsed();
        let failure = match &searched {
            Ok(Found { results, .. }) if results.is_empty() => {
                Some("Nothing was found.".to_owned())
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let detail = searched.as_ref().err().map(ToolError::detail);
        tracing::info!(%via, ?duration, failure, detail, "web search");
        let found = searched.unwrap_or_else(|_| Vec::new().into());
        let report = SearchReport {
            via,
            sources: sources(&found.results),
            failure,
            duration,
        };
        self.events.emit(Event::WebSearchFinished(report)).await;
        if !found.results.is_empty() {
            return Some(found);
        }
        #[cfg(feature = "mcp")]
        if let Some(browser) = found.browser {
            browser.close().await;
        }
        None
    }
}

/// True for a question that the web cannot answer and need not know: about a thing at home, or
/// small talk; and where the model said nothing at all, also what only a tool can do.
fn is_for_home(question: &str, is_blank: bool) -> bool {
    let found = IntentClassifier::default().classify(question);
    found.open().is_none()
        && match found.label() {
            Intent::Device | Intent::Chitchat => true,
            Intent::Action => is_blank,
            _ => false,
        }
}

/// A question as a query, cut between words.
fn shortened(question: &str) -> String {
    let mut query = String::new();
    for word in question.split(' ') {
        if query.chars().count() + 1 + word.chars().count() > MAX_SEARCH_QUERY {
            break;
        }
        if !query.is_empty() {
            query.push(' ');
        }
        query.push_str(word);
    }
    if query.is_empty() {
        query = question.chars().take(MAX_SEARCH_QUERY).collect();
    }
    query
}

/// What a tool of somebody else says, with the addresses in it.
fn of_text(text: &str) -> Vec<SearchResult> {
    let text = text.trim();
    if text.is_empty() || text.to_lowercase().starts_with("no results") {
        return Vec::new();
    }
    let is_sign = |c: char| "()[]<>\"',;.".contains(c);
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_sign));
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
    std::iter::once(whole).chain(pages).collect()
}

fn is_address(word: &str) -> bool {
    word.starts_with("https://") || word.starts_with("http://")
}

/// The pages among the results.
fn sources(results: &[SearchResult]) -> Vec<Source> {
    let pages = results.iter().filter(|result| !result.url.is_empty());
    let source = |result: &SearchResult| Source {
        title: result.title.clone(),
        url: result.url.clone(),
    };
    pages.map(source).collect()
}
