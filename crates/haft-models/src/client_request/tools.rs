//! The tools that clients offer. Clients repeat their tools in each request; equal tools share one
//! object here, so that everything prepared for a tool is prepared once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use async_trait::async_trait;
use haft_core::{Tool, ToolError, ToolInput, ToolOutput};
use serde_json::Value;

/// The maximum number of cached tools. Bounded because the tools come from clients; when it is
/// reached, the cache is cleared.
const MOST: usize = 512;

/// The maximum size of a cached tool's texts in bytes. Real tools are far smaller.
const LONGEST: usize = 16 * 1024;

/// A tool that the client runs. The gateway only shows it to the model.
#[derive(Debug)]
pub struct ClientTool {
    name: String,
    description: String,
    schema: Value,
}

/// The tools of one request, collected from [`ClientTool`]s.
#[derive(Clone, Debug, Default)]
pub struct ClientTools {
    pub(super) tools: Vec<Arc<dyn Tool>>,
    /// Whether every tool is small enough to be cached.
    pub(super) are_known: bool,
}

/// The maximum number of cached lists.
const LISTS: usize = 32;

/// A cache of converted tool lists, by the identity of a [known
/// list](crate::known_lists::KnownLists).
pub(super) struct KnownTools<T>(Mutex<VecDeque<(Weak<[T]>, ClientTools)>>);

impl<T> KnownTools<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The converted tools of `list`.
    pub(super) fn of(&self, list: &Arc<[T]>, tool: impl Fn(&T) -> ClientTool) -> ClientTools {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The `Weak` reference keeps the allocation, so no other list can have this address.
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
            let shared = tool.shared();
            all.are_known &= shared.is_known;
            all.tools.push(shared.tool);
        }
        all.are_known &= all.tools.len() <= MOST;
        all
    }
}

struct SharedTool {
    tool: Arc<dyn Tool>,
    /// Whether the tool is cached.
    is_known: bool,
}

impl SharedTool {
    fn known(tool: Arc<dyn Tool>) -> Self {
        Self {
            tool,
            is_known: true,
        }
    }
}

impl ClientTool {
    /// A tool as the client describes it; `schema` is the JSON Schema of its arguments.
    #[must_use]
    pub fn new(name: String, description: Option<String>, schema: Option<Value>) -> Self {
        Self {
            name,
            description: description.unwrap_or_default(),
            schema: schema.unwrap_or_default(),
        }
    }

    /// The cached tool that equals this one.
    fn shared(self) -> SharedTool {
        static KNOWN: OnceLock<Mutex<HashMap<String, Weak<ClientTool>>>> = OnceLock::new();
        let Some(text) = self.text() else {
            return SharedTool {
                tool: Arc::new(self),
                is_known: false,
            };
        };
        let known = KNOWN.get_or_init(Mutex::default).lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(tool) = known.get(&text).and_then(Weak::upgrade) {
            return SharedTool::known(tool);
        }
        if known.len() >= MOST {
            known.retain(|_, tool| tool.strong_count() > 0);
        }
        if known.len() >= MOST {
            known.clear();
        }
        let tool = Arc::new(self);
        known.insert(text, Arc::downgrade(&tool));
        SharedTool::known(tool)
    }

    /// The cache key: all texts of the tool; `None` if they are too long.
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
