//! The tools of a conversation: what each of its queries needs, and nothing taken away that was
//! there before.
//!
//! ToolGroups decide about the tools that they know, ranking about all others. The conversation itself
//! is the only state, so whoever holds it gets the same tools again.

use std::sync::Arc;

use haft_core::{Message, Tool};
use serde_json::Value;

use crate::intent::IntentClassifier;
use crate::selector::{Asked, SearchTools, ToolSelector, ToolSession, ToolText};
use crate::tool_groups::{ToolGroups, are_few};

/// So many tools are looked at when a call may be due: the right one is nearly always among them,
/// and each has to be read.
const LIKELY: usize = 10;

/// Chooses the tools of conversations out of one set.
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

/// The tools of a conversation, and how those of its latest query were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChosenTools {
    /// Their places in the set, in the order for requests: what was bound for an earlier query
    /// comes first.
    pub bound: Vec<usize>,
    /// What the latest query was taken for, in a phrase; none without a query.
    pub reason: Option<String>,
}

impl ToolChooser {
    /// Reads the tools once.
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

    /// What ranks the tools.
    #[must_use]
    pub const fn selector(&self) -> &ToolSelector {
        &self.selector
    }

    /// The tools of a conversation so far. A tool that was called, or found with
    /// [`SearchTools`], is one of them.
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

    /// True when a query surely needs one of the tools: by its intent those of a tool_group, by its words
    /// and values those of none.
    #[must_use]
    pub fn is_call_due(&self, query: &str) -> bool {
        let found = IntentClassifier::default().classify(query);
        self.tool_groups.is_call_due(query, &found, &self.tools()) || self.calls_for_other(query)
    }

    /// True when a query calls for one of the likeliest tools that no tool_group knows.
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

    /// True for a set of which nothing is ever left out.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.is_small
    }

    fn tools(&self) -> Vec<&dyn Tool> {
        self.tools.iter().map(AsRef::as_ref).collect()
    }

    /// Adds what a query needs.
    fn take(&self, query: &str, session: &mut ToolSession, chosen: &mut ChosenTools) {
        let tools = self.tools();
        let found = IntentClassifier::default().classify(query);
        let selection = self.tool_groups.select(query, &found, &tools);
        session.bind_selected(query, &selection);
        chosen.reason = Some(selection.to_string());
    }

    /// Keeps what was called, and what a search found.
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
