//! The tools that clients offer. A client offers the same ones in each of its requests: those are
//! the same here, too, so that whatever is prepared for a tool serves all of them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use async_trait::async_trait;
use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
use serde_json::Value;

/// So many tools are known: the tools of some clients at once. They come from strangers, so the
/// number is bounded; when it is reached, all are forgotten.
const MOST: usize = 512;

/// Bytes of the texts of a tool that is known. The tools in use are far below.
const LONGEST: usize = 16 * 1024;

/// A tool of the client.
#[derive(Debug)]
pub(super) struct ClientTool {
    name: String,
    description: String,
    schema: Value,
}

/// Tools of one request.
#[derive(Clone, Default)]
pub(super) struct ClientTools {
    pub(super) tools: Vec<Arc<dyn Tool>>,
    /// None of them was too large to be known again.
    pub(super) are_known: bool,
}

/// So many lists of tools are known as a whole.
const LISTS: usize = 32;

/// The tools of lists that are [known](crate::known_lists::KnownLists) themselves.
pub(super) struct KnownTools<T>(Mutex<VecDeque<(Weak<[T]>, ClientTools)>>);

impl<T> KnownTools<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The tools of this list.
    pub(super) fn of(&self, list: &Arc<[T]>, tool: impl Fn(&T) -> ClientTool) -> ClientTools {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // As long as a list is remembered here, no other one takes its place in memory.
        let is_same = |(known, _): &&(Weak<[T]>, ClientTools)| {
            std::ptr::addr_eq(known.as_ptr(), Arc::as_ptr(list))
        };
        if let Some((_, tools)) = lock().iter().find(is_same) {
            return tools.clone();
        }
        let tools: ClientTools = list.iter().map(tool).collect();
        if tools.are_known {
            let mut known = lock();
            known.truncate(LISTS - 1);
            known.push_front((Arc::downgrade(list), tools.clone()));
        }
        tools
    }
}

impl FromIterator<ClientTool> for ClientTools {
    fn from_iter<I: IntoIterator<Item = ClientTool>>(tools: I) -> Self {
        let mut all = Self {
            are_known: true,
            ..Self::default()
        };
        for tool in tools {
            let (tool, is_known) = tool.shared();
            all.are_known &= is_known;
            all.tools.push(tool);
        }
        all.are_known &= all.tools.len() <= MOST;
        all
    }
}

impl ClientTool {
    pub(super) fn new(name: String, description: Option<String>, schema: Option<Value>) -> Self {
        Self {
            name,
            description: description.unwrap_or_default(),
            schema: schema.unwrap_or_default(),
        }
    }

    /// The tool as it was met before, and whether it can be met again.
    fn shared(self) -> (Arc<dyn Tool>, bool) {
        static KNOWN: OnceLock<Mutex<HashMap<String, Weak<ClientTool>>>> = OnceLock::new();
        let Some(text) = self.text() else {
            return (Arc::new(self), false);
        };
        let known = KNOWN.get_or_init(Mutex::default).lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(tool) = known.get(&text).and_then(Weak::upgrade) {
            return (tool, true);
        }
        if known.len() >= MOST {
            known.retain(|_, tool| tool.strong_count() > 0);
        }
        if known.len() >= MOST {
            known.clear();
        }
        let tool = Arc::new(self);
        known.insert(text, Arc::downgrade(&tool));
        (tool, true)
    }

    /// All that there is to a tool; none where that is too much.
    fn text(&self) -> Option<String> {
        let schema = self.schema.to_string();
        let text = [&self.name, "\0", &self.description, "\0", &schema].concat();
        (text.len() <= LONGEST).then_some(text)
    }
}

#[async_trait]
impl Tool for ClientTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Err(ToolError::new("This tool runs at the client"))
    }
}

#[cfg(test)]
mod tests;
