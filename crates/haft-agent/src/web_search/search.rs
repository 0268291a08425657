//! Runs the search; `reading.rs` asks the model about the results.
//!
//! The query is reported by an event before it is sent, so that a user sees what leaves the
//! machine.

use haft_core::{Emitter, Event, SearchReport, SearchVia, ToolCall, ToolError};
use haft_tools::{SEARCH_WEB, ToolExecutor, ToolManager, result_text};
use serde_json::json;
use tokio::time::Instant;

use super::found::Found;
use crate::options::AgentOptions;

/// Searches with what a question has at hand.
pub(crate) struct WebSearcher<'a> {
    pub(crate) options: &'a AgentOptions,
    pub(crate) executor: &'a ToolExecutor,
    pub(crate) events: &'a Emitter<Event>,
}

impl WebSearcher<'_> {
    /// True when web search is on, or not switched off and there is something to search with.
    pub(crate) fn can_search(&self) -> bool {
        match self.options.web_search.enabled {
            Some(enabled) => enabled,
            None => self.has_browser() || self.executor.tools().find(SEARCH_WEB).is_some(),
        }
    }

    /// The results of the browser, or if it finds nothing those of the tool.
    pub(crate) async fn search(&self, query: &str) -> Option<Found> {
        #[cfg(feature = "mcp")]
        if let Some(browser) = &self.options.browser {
            let searching = async { browser.search(query).await.map(Found::from) };
            if let Some(found) = self.watched(query, SearchVia::Browser, searching).await {
                return Some(found);
            }
        }
        let executor = self.search_executor()?;
        let call = ToolCall::new(SEARCH_WEB, json!({"query": query}), "web_search");
        let searching = async {
            let output = executor.execute(&call).await?;
            let artifact = output.artifact.as_ref();
            let results = artifact.and_then(|artifact| artifact.get("results"));
            let results = results.and_then(|results| serde_json::from_value(results.clone()).ok());
            Ok(match results {
                Some(results) => Found::of(results),
                None => Found::in_text(&result_text(output).text),
            })
        };
        self.watched(query, SearchVia::Tool, searching).await
    }

    fn has_browser(&self) -> bool {
        #[cfg(feature = "mcp")]
        return self.options.browser.is_some();
        #[cfg(not(feature = "mcp"))]
        false
    }

    /// An executor for `search_web`: the user's tool if there is one.
    fn search_executor(&self) -> Option<ToolExecutor> {
        if self.executor.tools().find(SEARCH_WEB).is_some() {
            return Some(self.executor.clone());
        }
        let mut tools = ToolManager::new();
        tools.add(self.options.web_search.search_tool()?).ok()?;
        Some(ToolExecutor::new(tools))
    }

    /// Reports a search before it begins and when it is over; `None` if it found nothing.
    async fn watched(
        &self,
        query: &str,
        via: SearchVia,
        searching: impl Future<Output = Result<Found, ToolError>>,
    ) -> Option<Found> {
        let started = Instant::now();
        let query = query.to_owned();
        let event = Event::WebSearchStarted { query, via };
        self.events.emit(event).await;
        let searched = searching.await;
        let duration = started.elapsed();
        let failure = match &searched {
            Ok(found) if found.results.is_empty() => Some("Nothing was found.".to_owned()),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let detail = searched.as_ref().err().map(ToolError::detail);
        tracing::info!(%via, ?duration, failure, detail, "web search");
        let report = SearchReport {
            via,
            sources: searched.as_ref().map(Found::sources).unwrap_or_default(),
            failure,
            duration,
        };
        self.events.emit(Event::WebSearchFinished(report)).await;
        let found = searched.ok()?;
        if found.results.is_empty() {
            found.close().await;
            return None;
        }
        Some(found)
    }
}
