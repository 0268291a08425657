//! Which tools a question gets: a choice for each conversation, bound once and kept.

mod search_tools;

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{AiMessage, ChatModel, Event, Message, ModelError, Tool};
use haft_select::{SearchTools, Tiers, ToolChooser};
use haft_tools::ToolExecutor;

use self::search_tools::SearchToolsTool;
use crate::context::tokens_of_tools;
use crate::error::AgentError;
use crate::run::Run;

/// So many different choices are kept bound: a conversation makes a handful.
const KEPT: usize = 32;

/// How the tools of a question are chosen.
///
/// Tools that are known, such as those of Z-Wave, Home Assistant and Playwright, are bound by what
/// the question is about; all others by how well they fit it. Nothing is left out of a small set
/// of tools, nor from a question whose intent is in doubt. In a conversation tools are only added,
/// so that the server's prompt cache holds.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolSelection {
    /// The tools of each intent.
    pub tiers: Tiers,
    /// Offers `search_tools` too, by which a capable model finds what is left out.
    pub search_tools: bool,
}

/// Some tools, bound to the model.
#[derive(Debug)]
pub(crate) struct Toolset {
    pub(crate) model: Arc<dyn ChatModel>,
    /// Names of the tools, in the order in which they are bound.
    pub(crate) names: Vec<String>,
    /// About how many tokens their definitions take in a prompt.
    pub(crate) tokens: u64,
}

/// All tools, and the choices of them that were made.
#[derive(Debug)]
pub(crate) struct Toolsets {
    model: Arc<dyn ChatModel>,
    tools: Vec<Arc<dyn Tool>>,
    pub(crate) whole: Arc<Toolset>,
    chooser: Option<ToolChooser>,
    search: Option<Arc<dyn Tool>>,
    chosen: Mutex<VecDeque<(Vec<usize>, Arc<Toolset>)>>,
}

/// What a conversation gets.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) toolset: Arc<Toolset>,
    /// What the question was taken for.
    reason: Option<String>,
    /// Names of the tools that are left out.
    left_out: Vec<String>,
}

impl Toolset {
    /// These tools, bound.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        tools: &[Arc<dyn Tool>],
    ) -> Result<Self, ModelError> {
        Ok(Self {
            // Some servers behave differently for an empty list than for none.
            model: if tools.is_empty() {
                model.clone()
            } else {
                model.bind_tools(tools)?
            },
            names: tools.iter().map(|tool| tool.name().to_owned()).collect(),
            tokens: tokens_of_tools(tools.iter().map(AsRef::as_ref)),
        })
    }
}

impl Toolsets {
    /// Binds all tools, and prepares to choose among them. The executor comes back with
    /// `search_tools` where that is wanted.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        executor: ToolExecutor,
        selection: Option<&ToolSelection>,
    ) -> Result<(Self, ToolExecutor), AgentError> {
        let tools = executor.tools().get_tools().to_vec();
        let chooser = selection.map(|how| ToolChooser::new(how.tiers.clone(), tools.clone()));
        let searched = chooser
            .as_ref()
            .filter(|_| selection.is_some_and(|how| how.search_tools));
        let search = searched.map(|chooser| -> Arc<dyn Tool> {
            Arc::new(SearchToolsTool::new(chooser.selector().clone()))
        });
        let executor = match &search {
            Some(search) => executor.with_tool(search.clone())?,
            None => executor,
        };
        // First, so that whatever is added later comes behind it.
        let all: Vec<_> = search.iter().chain(&tools).cloned().collect();
        let sets = Self {
            whole: Arc::new(Toolset::new(model, &all)?),
            model: model.clone(),
            tools,
            chooser,
            search,
            chosen: Mutex::default(),
        };
        Ok((sets, executor))
    }

    /// The tools of a conversation.
    pub(crate) fn choose(&self, conversation: &[Message]) -> Result<Chosen, ModelError> {
        // Most sets are small: nothing has to be found out for them.
        let Some(chooser) = self.chooser.as_ref().filter(|chooser| !chooser.is_small()) else {
            return Ok(Chosen {
                toolset: self.whole.clone(),
                reason: None,
                left_out: Vec::new(),
            });
        };
        let chosen = chooser.choose(conversation);
        let bound: HashSet<usize> = chosen.bound.iter().copied().collect();
        let tools = self.tools.iter().enumerate();
        let left_out = tools.filter(|(index, _)| !bound.contains(index));
        let left_out: Vec<_> = left_out.map(|(_, tool)| tool.name().to_owned()).collect();
        Ok(Chosen {
            toolset: if left_out.is_empty() && chosen.bound.is_sorted() {
                self.whole.clone()
            } else {
                self.bound(&chosen.bound)?
            },
            reason: chosen.reason,
            left_out,
        })
    }

    /// True when a question surely needs one of the tools.
    pub(crate) fn is_call_due(&self, question: &str) -> bool {
        let chooser = self.chooser.as_ref();
        chooser.is_some_and(|chooser| chooser.is_call_due(question))
    }

    /// These tools, bound now or before.
    fn bound(&self, indexes: &[usize]) -> Result<Arc<Toolset>, ModelError> {
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, toolset)) = chosen.iter().find(|(known, _)| known == indexes) {
            return Ok(toolset.clone());
        }
        let known = indexes.iter().filter_map(|index| self.tools.get(*index));
        let tools: Vec<_> = self.search.iter().chain(known).cloned().collect();
        let toolset = Arc::new(Toolset::new(&self.model, &tools)?);
        chosen.truncate(KEPT - 1);
        chosen.push_front((indexes.to_vec(), toolset.clone()));
        Ok(toolset)
    }
}

/// True for a reply that looks for more tools.
pub(crate) fn searches(reply: &AiMessage) -> bool {
    let mut calls = reply.tool_calls.iter();
    calls.any(|call| call.name == SearchTools::NAME)
}

impl Run {
    /// Chooses the tools of the question, and says what is left out.
    pub(crate) async fn choose_tools(&mut self) -> Result<(), AgentError> {
        let chosen = self.tooling.toolsets.choose(&self.messages)?;
        self.toolset = chosen.toolset;
        if !chosen.left_out.is_empty() {
            let reason = chosen.reason.unwrap_or_default();
            let bound = self.toolset.names.clone();
            let whole = self.tooling.toolsets.whole.tokens;
            let tokens_saved = whole.saturating_sub(self.toolset.tokens);
            tracing::info!(
                reason,
                tokens_saved,
                bound = bound.join(", "),
                "tools chosen"
            );
            let left_out = chosen.left_out;
            self.events
                .emit(Event::ToolsChosen {
                    bound,
                    left_out,
                    reason,
                    tokens_saved,
                })
                .await;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
