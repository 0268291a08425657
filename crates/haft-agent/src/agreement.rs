//! Whether a call agrees with what the user said.
//!
//! A model that is made to call a tool calls one, and fills in what it has seen last: the opposite
//! action, the example of the description, the name of a parameter. So the call of a constrained
//! request is held against the question. A value must be in the question, be the schema's default,
//! or be in an earlier result of the conversation; and what is to be switched on is not switched off.
//! `values` judges the arguments, `direction` opposite words.
//!
//! Calls that a model makes by itself are not judged so: a capable model knows more than the
//! question says. Only names of parameters as values are wrong in any call; see
//! [`placeholder`].

mod direction;
mod values;

use std::fmt;
use std::sync::Arc;

use haft_core::{Message, Tool, ToolCall, ToolStatus};
use haft_select::english::one_of;
use haft_select::stems;
use serde_json::Value;

use crate::text::{letters, numbers, said_numbers, words};

/// Why a call does not agree with the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Disagreement {
    /// The value of this parameter is neither said nor known.
    Value(String),
    /// The call does the opposite of what was said.
    Opposite,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(parameter) => write!(formatter, "nobody said the value of {parameter}"),
            Self::Opposite => formatter.write_str("it does the opposite of what was said"),
        }
    }
}

/// What is known from the user and from earlier results.
#[derive(Debug)]
pub(crate) struct Said {
    question: String,
    words: Vec<String>,
    stems: Vec<String>,
    /// Letters and digits of the question alone.
    letters: String,
    numbers: Vec<f64>,
}

impl Said {
    /// Reads a question, and the results of earlier calls in the conversation.
    pub(crate) fn new(question: &str, conversation: &[Message]) -> Self {
        let mut said = Self {
            question: question.to_owned(),
            words: words(question),
            stems: stems(question),
            letters: letters(question),
            numbers: said_numbers(question),
        };
        for message in conversation {
            if let Message::Tool(result) = message
                && result.status == ToolStatus::Success
            {
                let text = result.content.text();
                said.stems.extend(stems(&text));
                said.numbers.extend(numbers(&text));
            }
        }
        said
    }

    /// Judges a call that fits the tool's schema.
    pub(crate) fn agrees(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), Disagreement> {
        let properties = tool.schema().get("properties");
        for (name, value) in &call.args {
            let schema = properties.and_then(|properties| properties.get(name));
            if !self.has_value(name, value, schema.unwrap_or(&Value::Null)) {
                return Err(Disagreement::Value(name.clone()));
            }
        }
        if direction::is_opposite(call, tool, &self.question) {
            return Err(Disagreement::Opposite);
        }
        Ok(())
    }
}

/// Words of JSON Schema that nobody means as a value.
const SCHEMA_WORDS: &str = "string|integer|boolean";

/// The first required text whose value is only a name or a word of the schema, such as
/// `deviceName` or `string`, and no word of the question. Words that people use are no such names, unless the tool itself has a
/// parameter of that name.
pub(crate) fn placeholder(
    call: &ToolCall,
    tools: &[Arc<dyn Tool>],
    question: &str,
) -> Option<String> {
    let is_called =
        |tool: &&Arc<dyn Tool>| tool.name() == call.name || tool.lc_name() == Some(&call.name);
    let tool = tools.iter().find(is_called)?;
    let said = letters(question);
    let required = tool.schema().get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    let is_name = |value: &str| {
        // `<city>` stands for a city in many a prompt.
        let value = value.trim_matches(['<', '>', '{', '}', '[', ']', '$']);
        if one_of(value, SCHEMA_WORDS) {
            return true;
        }
        let is_own = parameters(tool.as_ref()).any(|name| name == value);
        let is_identifier = value.contains('_') || value.chars().skip(1).any(char::is_uppercase);
        let is_known = || {
            tools.iter().any(|tool| {
                tool.name() == value || parameters(tool.as_ref()).any(|name| name == value)
            })
        };
        is_own || (is_identifier && is_known())
    };
    required
        .find(|name| {
            let value = call.args.get(*name).and_then(Value::as_str);
            value.is_some_and(|value| {
                !value.is_empty()
                    && is_name(value)
                    && !said.contains(&letters(value))
                    && !is_choice(tool.schema(), name, value)
            })
        })
        .map(str::to_owned)
}

fn parameters(tool: &dyn Tool) -> impl Iterator<Item = &str> {
    let properties = tool.schema().get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flat_map(|all| all.keys().map(String::as_str))
}

/// True for a value that the schema lists.
fn is_choice(schema: &Value, parameter: &str, value: &str) -> bool {
    let pointer = schema.get("properties").and_then(|all| all.get(parameter));
    let choices = pointer.and_then(|property| property.get("enum")?.as_array());
    choices.is_some_and(|choices| choices.iter().any(|choice| choice == value))
}

#[cfg(test)]
mod tests;
