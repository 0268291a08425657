//! Selects the tools that a question is offered, and keeps selections bound for reuse.

mod search_tools;

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use haft_core::{AiMessage, ChatModel, Message, ModelError, Tool};
use haft_select::{SearchTools, ToolChooser};
use haft_tools::ToolExecutor;

use self::search_tools::SearchToolsTool;
use crate::context::tokens_of_tools;
use crate::error::AgentError;
use crate::options::tool_selection::ToolSelection;

/// The number of selections that are kept bound; a conversation needs a handful.
const KEPT: usize = 32;

/// A selection of tools, bound to the model.
#[derive(Debug)]
pub(crate) struct Toolset {
    pub(crate) model: Arc<dyn ChatModel>,
    /// Names of the tools, in the order in which they are bound.
    pub(crate) names: Vec<String>,
    /// An estimate of the tokens of their definitions.
    pub(crate) tokens: u64,
}

/// All tools at one moment, and the selections made so far. A question keeps them to its end.
#[derive(Debug)]
pub(crate) struct Toolsets {
    model: Arc<dyn ChatModel>,
    /// The tools without `search_tools`.
    pub(crate) given: ToolExecutor,
    /// All tools, with `search_tools` if that is enabled.
    pub(crate) executor: ToolExecutor,
    /// Whether the model is small and chooses tools by itself: it gets few tools even of a small
    /// set, and short first replies.
    pub(crate) is_small_model: bool,
    pub(crate) whole: Arc<Toolset>,
    chooser: Option<ToolChooser>,
    search: Option<Arc<dyn Tool>>,
    chosen: Mutex<VecDeque<(Vec<usize>, Arc<Toolset>)>>,
}

/// The tools selected for a conversation.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) toolset: Arc<Toolset>,
    /// The detected intent.
    pub(crate) reason: Option<String>,
    /// Names of the tools that are left out.
    pub(crate) left_out: Vec<String>,
}

impl Toolset {
    /// Binds these tools to the model.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        tools: &[Arc<dyn Tool>],
    ) -> Result<Self, ModelError> {
        Ok(Self {
            // Some servers treat an empty list of tools differently from a missing one.
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
    /// Binds all tools and prepares the selection.
    pub(crate) fn new(
        model: &Arc<dyn ChatModel>,
        given: ToolExecutor,
        selection: Option<&ToolSelection>,
        is_small_model: bool,
    ) -> Result<Self, AgentError> {
        let tools = given.tools().get_tools().to_vec();
        let chooser = selection.map(|how| ToolChooser::new(how.tool_groups.clone(), tools.clone()));
        let searched = chooser
            .as_ref()
            .filter(|_| selection.is_some_and(|how| how.search_tools));
        let search = searched.map(|chooser| -> Arc<dyn Tool> {
            Arc::new(SearchToolsTool::new(chooser.selector().clone()))
        });
        let executor = match &search {
            Some(search) => given.with_tool(search.clone())?,
            None => given.clone(),
        };
        // First, so that tools added later do not change its position.
        let all: Vec<_> = search.iter().chain(&tools).cloned().collect();
        Ok(Self {
            whole: Arc::new(Toolset::new(model, &all)?),
            model: model.clone(),
            given,
            executor,
            is_small_model,
            chooser,
            search,
            chosen: Mutex::default(),
        })
    }

    /// The tools as the MCP servers list them now; `None` if nothing changed. Only a new
    /// conversation drops tools that are gone; one that goes on keeps them.
    pub(crate) fn refreshed(
        &self,
        selection: Option<&ToolSelection>,
        is_new_conversation: bool,
    ) -> Option<Self> {
        let given = self.given.refreshed(is_new_conversation)?;
        let tools = given.tools().get_tools().len();
        tracing::info!(tools, "tool servers have other tools now");
        Self::new(&self.model, given, selection, self.is_small_model)
            .inspect_err(|error| tracing::warn!(%error, "the earlier tools stay bound"))
            .ok()
    }

    /// Selects the tools of a conversation.
    pub(crate) fn choose(&self, conversation: &[Message]) -> Result<Chosen, ModelError> {
        let chosen = match &self.chooser {
            Some(chooser) if !chooser.is_small() => chooser.choose(conversation),
            Some(chooser) if self.is_small_model => chooser.choose_few(conversation),
            // Most sets are small and bound whole.
            _ => {
                return Ok(Chosen {
                    toolset: self.whole.clone(),
                    reason: None,
                    left_out: Vec::new(),
                });
            }
        };
        let bound: HashSet<usize> = chosen.bound.iter().copied().collect();
        let tools = self.given.tools().get_tools().iter().enumerate();
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

    /// True when a question needs one of the tools.
    pub(crate) fn is_call_due(&self, question: &str) -> bool {
        let chooser = self.chooser.as_ref();
        chooser.is_some_and(|chooser| chooser.is_call_due(question))
    }

    /// Some tools, bound for a single request.
    pub(crate) fn bind(&self, tools: &[Arc<dyn Tool>]) -> Result<Arc<Toolset>, ModelError> {
        Toolset::new(&self.model, tools).map(Arc::new)
    }

    /// The tools with these indexes, bound now or before.
    fn bound(&self, indexes: &[usize]) -> Result<Arc<Toolset>, ModelError> {
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, toolset)) = chosen.iter().find(|(known, _)| known == indexes) {
            return Ok(toolset.clone());
        }
        let given = self.given.tools().get_tools();
        let known = indexes.iter().filter_map(|index| given.get(*index));
        let tools: Vec<_> = self.search.iter().chain(known).cloned().collect();
        let toolset = Arc::new(Toolset::new(&self.model, &tools)?);
        chosen.truncate(KEPT - 1);
        chosen.push_front((indexes.to_vec(), toolset.clone()));
        Ok(toolset)
    }
}

pub(crate) fn searches(reply: &AiMessage) -> bool {
    let mut calls = reply.tool_calls.iter();
    calls.any(|call| call.name == SearchTools::NAME)
}

#[cfg(test)]
mod tests;
