//! Chooses the tools for a conversation: those that each of its queries needs, without removing
//! earlier ones.
//!
//! ToolGroups decide about the tools that they know, ranking about all others. The conversation
//! itself is the only state, so the same conversation always gets the same tools.

use std::sync::Arc;

use haft_core::{Message, Tool};
use serde_json::Value;

use crate::intent::IntentClassifier;
use crate::selector::{Asked, SearchTools, ToolSelector, ToolSession, ToolText};
use crate::tool_groups::{ToolGroups, are_few};

/// The number of tools that are examined for a needed call: the right one is nearly always among
/// them, and examining each costs time.
const LIKELY: usize = 10;

/// The share of a tool beside which no other comes into question.
const CLEAR: f32 = 0.9;

/// Chooses the tools for conversations from one set.
///
/// ```
/// use haft_core::{Message, Tool, ToolError, ToolInput, ToolOutput};
/// use haft_select::{ToolGroups, ToolChooser};
/// # #[derive(Debug)]
/// # struct Named(&'static str, serde_json::Value);
/// # #[async_trait::async_trait]
/// # impl Tool for Named {
/// #     fn name(&self) -> &str { self.0 }
/// #     fn description(&self) -> &str { "" }
/// #     fn schema(&self) -> &serde_json::Value { &self.1 }
/// #     async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> { Ok("".into()) }
/// # }
/// # let tool = |name| -> std::sync::Arc<dyn Tool> {
/// #     std::sync::Arc::new(Named(name, serde_json::json!({})))
/// # };
/// // The clock, the lights, and a browser with its many tools.
/// let mut tools = vec![tool("get_current_datetime"), tool("HassTurnOn"), tool("HassTurnOff")];
/// tools.extend(["browser_click", "browser_close", "browser_drag", "browser_hover"].map(tool));
/// tools.extend(["browser_type", "browser_tabs"].map(tool));
/// let chooser = ToolChooser::new(ToolGroups::default(), tools);
/// let mut conversation = vec![Message::human("What time is it?")];
/// assert_eq!(chooser.choose(&conversation).bound, [0]);
/// conversation.push(Message::human("Turn on the kitchen light"));
/// assert_eq!(chooser.choose(&conversation).bound, [0, 1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct ToolChooser {
    tool_groups: ToolGroups,
    tools: Vec<Arc<dyn Tool>>,
    selector: ToolSelector,
    is_small: bool,
}

/// The tools for a conversation, and how those for its latest query were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChosenTools {
    /// Their indexes in the set, in the order for requests: tools that were bound for an earlier
    /// query come first.
    pub bound: Vec<usize>,
    /// The detected subject of the latest query as a phrase; `None` without a query.
    pub reason: Option<String>,
}

impl ToolChooser {
    /// Creates a chooser; reads the definitions of the tools once.
    #[must_use]
    pub fn new(tool_groups: ToolGroups, tools: Vec<Arc<dyn Tool>>) -> Self {
        let texts = tools
            .iter()
            .map(|tool| ToolText::new(tool.name(), tool.description(), tool.schema()));
        Self {
            selector: ToolSelector::new(texts),
            is_small: are_few(&tools.iter().map(AsRef::as_ref).collect::<Vec<_>>()),
            tool_groups,
            tools,
        }
    }

    /// The selector that ranks the tools.
    #[must_use]
    pub const fn selector(&self) -> &ToolSelector {
        &self.selector
    }

    /// The tools for the conversation so far, including every tool that was called, or found with
    /// [`SearchTools`].
    #[must_use]
    pub fn choose(&self, conversation: &[Message]) -> ChosenTools {
        let mut session = self.selector.session();
        let mut chosen = ChosenTools::default();
        for message in conversation {
            match message {
                Message::Human(query) => {
                    self.take(&query.content.text(), &mut session, &mut chosen);
                }
                Message::Ai(reply) => {
                    for call in &reply.tool_calls {
                        let arguments = Value::Object(call.args.clone());
                        self.keep(&call.name, &arguments, &mut session);
                    }
                }
                _ => {}
            }
        }
        chosen.bound = session.bound().to_vec();
        chosen
    }

    /// True if the query surely needs one of the tools: for tools in a group this follows from its
    /// intent, for others from its words and values.
    #[must_use]
    pub fn is_call_due(&self, query: &str) -> bool {
        let found = IntentClassifier::default().classify(query);
        self.tool_groups.is_call_due(query, &found, &self.tools()) || self.calls_for_other(query)
    }

    /// True if the query needs one of the likeliest tools that no group knows.
    fn calls_for_other(&self, query: &str) -> bool {
        let Some(asked) = Asked::of(query) else {
            return false;
        };
        let likely = self.selector.best(query, LIKELY).into_iter();
        let mut tools = likely.filter_map(|tool| self.tools.get(tool.index));
        tools.any(|tool| {
            self.tool_groups.tool_group_of(tool.as_ref()).is_none()
                && asked.calls_for(&(&**tool).into())
        })
    }

    /// The tools that a query more likely than not calls for, best first and at most `count`, as
    /// places in the set: what a model may be asked to choose from.
    #[must_use]
    pub fn candidates(&self, query: &str, count: usize) -> Vec<usize> {
        let Some(asked) = Asked::of(query) else {
            return Vec::new();
        };
        let found = IntentClassifier::default().classify(query);
        let is_group_due = (self.tool_groups).is_call_due(query, &found, &self.tools());
        let is_candidate = |index: &usize| {
            self.tools.get(*index).is_some_and(|tool| {
                match self.tool_groups.tool_group_of(tool.as_ref()) {
                    Some(_) => is_group_due,
                    None => asked.may_call_for(&(&**tool).into()),
                }
            })
        };
        let likely = self.selector.best(query, LIKELY).into_iter();
        let indexes = likely.map(|tool| tool.index);
        indexes.filter(is_candidate).take(count).collect()
    }

    /// The candidate that is far nearer to the query than every other tool, if there is one; none
    /// where there is only one tool, as nothing is compared then.
    #[must_use]
    pub fn clear_candidate(&self, query: &str) -> Option<usize> {
        let candidate = *self.candidates(query, 1).first()?;
        let best = *self.selector.best(query, 1).first()?;
        let is_clear = best.index == candidate && best.share >= CLEAR && self.tools.len() > 1;
        is_clear.then_some(candidate)
    }

    /// The tools for a conversation with a small model, also where the set is small: those that
    /// the latest query's words have to do with and those that were called, in the order of the
    /// set. All if nothing in the query is understood.
    #[must_use]
    pub fn choose_few(&self, conversation: &[Message]) -> ChosenTools {
        let mut session = self.selector.session();
        let mut latest = None;
        for message in conversation {
            match message {
                Message::Human(query) => latest = Some(query.content.text()),
                Message::Ai(reply) => {
                    for call in &reply.tool_calls {
                        let arguments = Value::Object(call.args.clone());
                        self.keep(&call.name, &arguments, &mut session);
                    }
                }
                _ => {}
            }
        }
        let nearest = latest.map(|query| self.selector.nearest(&query));
        for index in nearest.into_iter().flatten() {
            session.pin(index);
        }
        let mut bound = session.bound().to_vec();
        bound.sort_unstable();
        ChosenTools {
            bound,
            reason: Some("few tools for a small model".to_owned()),
        }
    }

    /// True for a small set, of which all tools are always bound.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.is_small
    }

    fn tools(&self) -> Vec<&dyn Tool> {
        self.tools.iter().map(AsRef::as_ref).collect()
    }

    /// Adds the tools that a query needs.
    fn take(&self, query: &str, session: &mut ToolSession, chosen: &mut ChosenTools) {
        let tools = self.tools();
        let found = IntentClassifier::default().classify(query);
        let selection = self.tool_groups.select(query, &found, &tools);
        session.bind_selected(query, &selection);
        chosen.reason = Some(selection.to_string());
    }

    /// Adds the tools that were called, or found by a search.
    fn keep(&self, name: &str, arguments: &Value, session: &mut ToolSession) {
        let is_called = |tool: &Arc<dyn Tool>| tool.name() == name || tool.lc_name() == Some(name);
        if let Some(tool) = self.tools.iter().position(is_called) {
            session.pin(tool);
        } else if name == SearchTools::NAME
            && let Ok(found) = SearchTools::answer(&self.selector, arguments)
        {
            for tool in found {
                session.pin(tool.index);
            }
        }
    }
}

#[cfg(test)]
mod tests;
