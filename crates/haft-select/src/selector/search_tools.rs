//! `search_tools`: a tool with which a model finds tools that were not bound.
//!
//! Pure: the definition, and an answer from a selector. The caller binds the found tools with
//! [`ToolSession::pin`](super::ToolSession::pin).

use serde_json::{Value, json};

use super::ToolSelector;
use super::fields::ToolText;
use super::ranking::RankedTool;

/// The maximum length of a description in characters, enough for a choice.
const SHORT: usize = 200;

/// The default number of tools in an answer.
const USUAL: u64 = 5;

/// The maximum number of tools in an answer.
const MOST: u64 = 20;

/// The tool `search_tools`.
///
/// ```
/// use haft_select::{SearchTools, ToolSelector, ToolText};
/// use serde_json::json;
///
/// let parameters = json!({});
/// let selector = ToolSelector::new([ToolText::new("send_mail", "Send a mail", &parameters)]);
/// let arguments = json!({"query": "write to a friend"});
/// let found = SearchTools::answer(&selector, &arguments).expect("a query");
/// assert_eq!(found[0].name, "send_mail");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchTools;

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundTool {
    /// Its index in the set.
    pub index: usize,
    /// The name for calling it once it is bound.
    pub name: String,
    /// The beginning of its description, on one line.
    pub description: String,
}

impl SearchTools {
    /// The name of the tool.
    pub const NAME: &str = "search_tools";

    /// The description for the model.
    pub const DESCRIPTION: &str = "Search for more tools. Use it when none of the tools you have \
         can do what is asked; what it finds can be called afterwards.";

    /// JSON Schema of its arguments.
    #[must_use]
    pub fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "What the tool should do, in a few words",
                },
                "limit": {
                    "type": "integer",
                    "description": "How many tools to return",
                    "minimum": 1,
                    "maximum": MOST,
                    "default": USUAL,
                },
            },
            "required": ["query"],
        })
    }

    /// The best tools for the query, best first.
    ///
    /// # Errors
    ///
    /// A sentence for the model if `query` is missing or empty.
    pub fn answer(selector: &ToolSelector, arguments: &Value) -> Result<Vec<FoundTool>, String> {
        let query = arguments
            .get("query")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if query.trim().is_empty() {
            return Err("`query` must say in a few words what the tool should do".to_owned());
        }
        let limit = arguments.get("limit").and_then(Value::as_u64);
        let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
        let ranked = selector.rank(query);
        let best = ranked
            .iter()
            .take(usize::try_from(limit).unwrap_or(usize::MAX));
        let found = |tool: &RankedTool| {
            let found = selector.shared.found.get(tool.index)?;
            let index = tool.index;
            Some(FoundTool {
                index,
                ..found.clone()
            })
        };
        Ok(best.filter_map(found).collect())
    }
}

impl FoundTool {
    pub(super) fn of(tool: &ToolText<'_>) -> Self {
        let words = tool
            .description
            .split(|c: char| c.is_whitespace() || c.is_control());
        let mut description = String::new();
        let mut room = SHORT;
        for word in words.filter(|word| !word.is_empty()) {
            let length = word.chars().count() + 1;
            if length > room {
                description.push_str(" ...");
                break;
            }
            room -= length;
            if !description.is_empty() {
                description.push(' ');
            }
            description.push_str(word);
        }
        Self {
            index: 0,
            name: tool.name.to_owned(),
            description,
        }
    }
}

#[cfg(test)]
mod tests;
