//! A tool as its server describes it, made fit to be shown to a model.
//!
//! Names, descriptions and schemas are texts of strangers, and all of them become prompt. Invisible
//! characters are removed and reported, and tools whose schemas no model could read are left out.

use haft_core::ToolAnnotations;
use haft_schema::check_schema_limits;
use serde_json::{Map, Value};

use crate::config::rules::{ToolRules, UnknownName};
use crate::definitions::effects::{Hints, effects, sound_of};
use crate::left_out::LeftOutReason;
use crate::text::bounded;
use haft_tools::without_unseen;

/// What a tool is, without its connection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Definition {
    /// The name that the server knows, letter by letter.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: Value,
    /// What structured results look like, where the server says so.
    pub(crate) output: Option<Value>,
    pub(crate) annotations: ToolAnnotations,
}

/// The tools of a server that can be used, and what is to be said about them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Admitted {
    /// As the server lists them.
    pub(crate) tools: Vec<rmcp::model::Tool>,
    /// Sentences without a full stop, for the person who configured the server.
    pub(crate) warnings: Vec<String>,
    /// Those whose schemas cannot be used, by name.
    pub(crate) bad_schemas: Vec<(String, LeftOutReason)>,
}

impl Admitted {
    /// Goes through what a server lists, as far as the rules want it.
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
                admitted.bad_schemas.push((tool.name.to_string(), reason));
                continue;
            }
            let shown = bounded(&without_unseen(&tool.name));
            if Definition::read(tool, rules).1 {
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

/// The tools that are described otherwise than `before`, a sentence each: a server that was
/// looked at once and trusted may become another one.
pub(crate) fn changed<'a>(
    before: impl IntoIterator<Item = &'a rmcp::model::Tool>,
    now: &[rmcp::model::Tool],
) -> Vec<String> {
    let is_changed = |known: &&rmcp::model::Tool| {
        let same_name = now.iter().find(|tool| tool.name == known.name);
        same_name.is_some_and(|tool| tool != *known)
    };
    let told = |tool: &rmcp::model::Tool| {
        let name = bounded(&without_unseen(&tool.name));
        format!("the server describes the tool {name} otherwise than when it was last seen")
    };
    before.into_iter().filter(is_changed).map(told).collect()
}

impl Definition {
    /// What is made of a tool that was [`Admitted`].
    pub(crate) fn of(listed: &rmcp::model::Tool, rules: &ToolRules) -> Self {
        Self::read(listed, rules).0
    }

    /// Reads a listed tool, and reports whether something in it was invisible.
    fn read(listed: &rmcp::model::Tool, rules: &ToolRules) -> (Self, bool) {
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
        let definition = Self {
            description: bounded(&clean(description.to_owned(), &mut unseen)),
            schema: clean_json(schema_of(listed), &mut unseen),
            output: output.map(|schema| Value::Object(schema.as_ref().clone())),
            annotations: effects(sound_of(listed), hints, rules.standing(&name)),
            name,
        };
        (definition, unseen)
    }
}

fn schema_of(listed: &rmcp::model::Tool) -> Value {
    Value::Object(listed.input_schema.as_ref().clone())
}

/// `text` without what cannot be seen; `unseen` becomes true where there was something.
fn clean(text: String, unseen: &mut bool) -> String {
    match without_unseen(&text) {
        std::borrow::Cow::Borrowed(_) => text,
        std::borrow::Cow::Owned(clean) => {
            *unseen = true;
            clean
        }
    }
}

/// Removes invisible characters from every text in a schema, names included, because a model reads
/// them all. The schema's depth was checked before.
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
