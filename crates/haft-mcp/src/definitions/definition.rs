//! Cleans a tool's definition for a model.
//!
//! Names, descriptions and schemas are untrusted text that becomes part of the prompt. Invisible
//! characters are removed and reported, and tools with schemas that no model could read are left
//! out.

use haft_core::ToolAnnotations;
use haft_schema::check_schema_limits;
use serde_json::{Map, Value};

use crate::config::rules::{ToolRules, UnknownName};
use crate::definitions::effects::{Hints, effects, sound_of};
use crate::left_out::LeftOutReason;
use crate::text::bounded;
use haft_tools::without_unseen;

/// The definition of a tool, without its connection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Definition {
    /// The server's exact name of the tool.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: Value,
    /// The schema of structured results, if the server provides one.
    pub(crate) output: Option<Value>,
    pub(crate) annotations: ToolAnnotations,
}

/// The usable tools of a server, and warnings about them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Admitted {
    /// The tools as the server lists them.
    pub(crate) tools: Vec<rmcp::model::Tool>,
    /// Sentences without a full stop, for the user who configured the server.
    pub(crate) warnings: Vec<String>,
    pub(crate) bad_schemas: Vec<BadSchema>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct BadSchema {
    pub(crate) tool: String,
    pub(crate) reason: LeftOutReason,
}

impl Admitted {
    /// Checks the tools that a server lists and that the rules include.
    pub(crate) fn of(listed: &[rmcp::model::Tool], rules: &ToolRules) -> Self {
        let mut admitted = Self::default();
        let names: Vec<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
        for UnknownName { list, name } in rules.unknown(&names) {
            let name = without_unseen(name);
            let warning = format!("\"{list}\" names {name:?}, and there is no such tool");
            admitted.warnings.push(warning);
        }
        for tool in listed.iter().filter(|tool| rules.keeps(&tool.name)) {
            if let Err(error) = check_schema_limits(&schema_of(tool)) {
                let problem = error.to_string();
                let reason = LeftOutReason::BadSchema { problem };
                let tool = tool.name.to_string();
                admitted.bad_schemas.push(BadSchema { tool, reason });
                continue;
            }
            let shown = bounded(&without_unseen(&tool.name));
            if Cleaned::of(tool, rules).had_unseen {
                admitted.warnings.push(format!(
                    "the description of {shown} had characters that nobody can see; they were \
                     taken out"
                ));
            }
            admitted.tools.push(tool.clone());
        }
        admitted
    }
}

/// One sentence for each tool whose definition differs from the one in `before`: a server that was
/// trusted may change its tools later.
pub(crate) fn changed<'a>(
    before: impl IntoIterator<Item = &'a rmcp::model::Tool>,
    now: &[rmcp::model::Tool],
) -> Vec<String> {
    let is_changed = |known: &&rmcp::model::Tool| {
        let same_name = now.iter().find(|tool| tool.name == known.name);
        same_name.is_some_and(|tool| tool != *known)
    };
    let sentence = |tool: &rmcp::model::Tool| {
        let name = bounded(&without_unseen(&tool.name));
        format!("the server has changed the definition of the tool {name} since it was last seen")
    };
    before
        .into_iter()
        .filter(is_changed)
        .map(sentence)
        .collect()
}

impl Definition {
    /// The definition of a tool that was [`Admitted`].
    pub(crate) fn of(listed: &rmcp::model::Tool, rules: &ToolRules) -> Self {
        Cleaned::of(listed, rules).definition
    }
}

/// The definition of a listed tool.
struct Cleaned {
    definition: Definition,
    /// Whether invisible characters were removed.
    had_unseen: bool,
}

impl Cleaned {
    fn of(listed: &rmcp::model::Tool, rules: &ToolRules) -> Self {
        let name = listed.name.to_string();
        let mut unseen = name != without_unseen(&name);
        let hints = listed.annotations.clone().unwrap_or_default();
        let hints = Hints {
            read_only: hints.read_only_hint,
            destructive: hints.destructive_hint,
            idempotent: hints.idempotent_hint,
        };
        let description = listed.description.as_deref().unwrap_or_default();
        let output = listed.output_schema.as_ref();
        let definition = Definition {
            description: bounded(&clean(description.to_owned(), &mut unseen)),
            schema: clean_json(schema_of(listed), &mut unseen),
            output: output.map(|schema| Value::Object(schema.as_ref().clone())),
            annotations: effects(sound_of(listed), hints, rules.standing(&name)),
            name,
        };
        Self {
            definition,
            had_unseen: unseen,
        }
    }
}

fn schema_of(listed: &rmcp::model::Tool) -> Value {
    Value::Object(listed.input_schema.as_ref().clone())
}

/// `text` without invisible characters; sets `unseen` if there were any.
fn clean(text: String, unseen: &mut bool) -> String {
    match without_unseen(&text) {
        std::borrow::Cow::Borrowed(_) => text,
        std::borrow::Cow::Owned(clean) => {
            *unseen = true;
            clean
        }
    }
}

/// Removes invisible characters from every string in a schema, including names, because a model
/// reads all of them. The depth of the schema was checked before.
fn clean_json(value: Value, unseen: &mut bool) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text, unseen)),
        Value::Array(items) => {
            let items = items.into_iter().map(|item| clean_json(item, unseen));
            Value::Array(items.collect())
        }
        Value::Object(fields) => {
            let mut cleaned = Map::new();
            for (name, value) in fields {
                cleaned.insert(clean(name, unseen), clean_json(value, unseen));
            }
            Value::Object(cleaned)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
