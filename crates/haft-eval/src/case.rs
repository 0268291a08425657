//! One question: what is asked, which tools there are, and which calls are right.

use std::sync::Arc;

use haft_core::{Message, Tool};
use serde_json::Value;

/// A question with its gold answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, unique in its collection.
    pub id: String,
    /// What kind of question it is.
    pub category: String,
    /// What is asked; the last of the messages where there are several.
    pub query: String,
    /// The conversation, which ends with the question.
    pub messages: Vec<Message>,
    /// The tools that there are for it.
    pub tools: CaseTools,
    /// Which calls are right.
    pub expected: Expected,
    /// Tools that may be called beside the right ones, such as those that only look.
    pub optional: Vec<String>,
}

/// The tools of a case.
#[derive(Clone, Debug)]
pub enum CaseTools {
    /// Definitions; what is bound answers "ok".
    Stubs(Vec<Arc<StubDefinition>>),
    /// The clock and the six Z-Wave tools over a demo home of its own.
    DemoHome,
}

/// A tool as the collection describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct StubDefinition {
    /// The name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether it changes nothing.
    pub read_only: bool,
}

/// Which calls are right.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Exactly these, in any order; any of the lists will do.
    Calls(Vec<Vec<GoldCall>>),
    /// None.
    NoCall,
    /// At least one, of any bound tool.
    SomeCall,
}

/// A call that is right.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldCall {
    /// The tool.
    pub name: String,
    /// The accepted values of each parameter; `""` among them means that it may be left out.
    /// An accepted object has a list of accepted values for each of its keys.
    pub args: Vec<(String, Vec<Value>)>,
}

impl Case {
    /// True when a call is due.
    #[must_use]
    pub fn wants_calls(&self) -> bool {
        self.expected != Expected::NoCall
    }

    /// True when a tool that the answer needs is not among these. Where several answers are
    /// right, one of them has to be possible.
    #[must_use]
    pub fn lacks_a_tool(&self, bound: &[String]) -> bool {
        let Expected::Calls(lists) = &self.expected else {
            return false;
        };
        let is_there = |call: &GoldCall| bound.contains(&call.name);
        !lists.iter().any(|list| list.iter().all(is_there))
    }
}

impl CaseTools {
    /// Fresh tools, as a program would bind them.
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
