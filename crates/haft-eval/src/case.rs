//! One evaluation case: the question, the tools, and the correct calls.

use std::sync::Arc;

use haft_core::{Message, Tool};
use serde_json::Value;

/// A question with its tools and its gold answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The identifier, unique within the dataset.
    pub id: String,
    /// The category of the question.
    pub category: String,
    /// The question; the last message of the conversation.
    pub query: String,
    /// The conversation, which ends with the question.
    pub messages: Vec<Message>,
    /// The tools available to the model.
    pub tools: CaseTools,
    /// The correct calls.
    pub expected: Expected,
    /// Names of tools that may be called in addition to the correct calls, such as read-only ones.
    pub optional: Vec<String>,
}

/// The tools of a case.
#[derive(Clone, Debug)]
pub enum CaseTools {
    /// Stub tools made from definitions; every call answers "ok".
    Stubs(Vec<Arc<StubDefinition>>),
    /// The clock and the six Z-Wave tools over a separate demo home.
    DemoHome,
}

/// A tool as the dataset describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct StubDefinition {
    /// The tool's name.
    pub name: String,
    /// The description shown to the model.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// True for a tool that changes nothing.
    pub read_only: bool,
}

/// The correct calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Exactly the calls of one of these lists, in any order.
    Calls(Vec<Vec<GoldCall>>),
    /// No call.
    NoCall,
    /// At least one call of any bound tool.
    SomeCall,
}

/// A correct call.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldCall {
    /// The tool's name.
    pub name: String,
    /// The accepted values of each parameter; `""` among them makes it optional.
    /// An accepted object has a list of accepted values for each of its keys.
    pub args: Vec<(String, Vec<Value>)>,
}

impl Case {
    /// True when the case expects a call.
    #[must_use]
    pub fn wants_calls(&self) -> bool {
        self.expected != Expected::NoCall
    }

    /// The correct calls as text: those of the first list, with the first accepted values.
    #[must_use]
    pub fn expected_text(&self) -> String {
        match &self.expected {
            Expected::NoCall => "no call".to_owned(),
            Expected::SomeCall => "a call of any tool".to_owned(),
            Expected::Calls(lists) => {
                let calls = lists.first().into_iter().flatten();
                let texts: Vec<String> = calls.map(GoldCall::text).collect();
                if texts.is_empty() {
                    return "only tools that read".to_owned();
                }
                texts.join(", ")
            }
        }
    }

    /// True when `bound` lacks a tool that the answer needs. If several answers are correct,
    /// one possible answer is enough.
    #[must_use]
    pub fn lacks_a_tool(&self, bound: &[String]) -> bool {
        let Expected::Calls(lists) = &self.expected else {
            return false;
        };
        let is_there = |call: &GoldCall| bound.contains(&call.name);
        !lists.iter().any(|list| list.iter().all(is_there))
    }
}

impl GoldCall {
    /// The call with the first accepted value of each parameter that is not optional.
    fn text(&self) -> String {
        let is_needed = |values: &[Value]| !values.iter().any(|value| value == "");
        let args: serde_json::Map<String, Value> = self
            .args
            .iter()
            .filter(|(_, values)| is_needed(values))
            .filter_map(|(name, values)| Some((name.clone(), values.first()?.clone())))
            .collect();
        format!("{} {}", self.name, Value::Object(args))
    }
}

impl CaseTools {
    /// Creates new instances of the case's tools.
    #[must_use]
    pub fn open(&self) -> Vec<Arc<dyn Tool>> {
        match self {
            Self::Stubs(definitions) => definitions.iter().map(crate::bound::stub).collect(),
            Self::DemoHome => {
                let home = haft_zwave::zwave_tools(haft_zwave::Home::demo());
                [haft_tools::get_current_datetime()]
                    .into_iter()
                    .chain(home)
                    .collect()
            }
        }
    }
}
