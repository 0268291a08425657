//! The few calls that a small model may choose from: the tools that fit a question best, with
//! arguments that the question itself contains.

use std::sync::Arc;

use async_trait::async_trait;
use haft_core::{Arguments, Tool, ToolAnnotations, ToolCall, ToolError, ToolInput, ToolOutput};
use haft_select::ToolChooser;
use serde_json::Value;

use super::slots::{Filled, fill, is_named};

/// The number of calls to choose from. With more, a small model takes the first or the last.
const MOST_CANDIDATES: usize = 4;

/// The length of a description in characters: its first sentence is usually shorter.
const MAX_DESCRIPTION: usize = 120;

/// What a question could call.
#[derive(Debug)]
pub(super) enum Candidates {
    /// This call: one tool is by far the nearest, and the question names one value for each of its
    /// parameters.
    Clear(ToolCall),
    /// These tools, each with a schema that allows only values from the question.
    Calls(Vec<Arc<dyn Tool>>),
    /// The best tool needs an argument that the question does not contain; the sentence asks for
    /// it.
    Missing(String),
    /// No tool fits.
    None,
}

/// The candidates for a question. Only tools that change nothing are candidates: a change needs
/// words that the command engine understands.
pub(super) fn candidates(
    question: &str,
    chooser: &ToolChooser,
    tools: &[Arc<dyn Tool>],
) -> Candidates {
    if let Some(call) = clear_call(question, chooser, tools) {
        return Candidates::Clear(call);
    }
    let mut calls: Vec<Arc<dyn Tool>> = Vec::new();
    let mut request = None;
    for index in chooser.candidates(question, MOST_CANDIDATES) {
        let tool = tools.get(index);
        let Some(tool) = tool.filter(|tool| tool.annotations().read_only) else {
            continue;
        };
        match fill(question, tool.schema()) {
            Filled::Schema(schema) => calls.push(Arc::new(NarrowedTool::new(tool, schema))),
            Filled::Missing(parameter) if calls.is_empty() => {
                request.get_or_insert_with(|| request_for(tool.as_ref(), &parameter));
            }
            Filled::Missing(_) => {}
        }
    }
    match request {
        _ if !calls.is_empty() => Candidates::Calls(calls),
        Some(request) => Candidates::Missing(request),
        None => Candidates::None,
    }
}

/// The only call that comes into question.
fn clear_call(question: &str, chooser: &ToolChooser, tools: &[Arc<dyn Tool>]) -> Option<ToolCall> {
    let tool = tools.get(chooser.clear_candidate(question)?)?;
    if !tool.annotations().read_only || !is_named(question) {
        return None;
    }
    let Filled::Schema(schema) = fill(question, tool.schema()) else {
        return None;
    };
    let properties = schema.get("properties")?.as_object()?;
    let arguments = properties.iter().map(|(name, property)| {
        let values = property.get("enum")?.as_array()?;
        let [only] = values.as_slice() else {
            return None;
        };
        Some((name.clone(), only.clone()))
    });
    let arguments: Arguments = arguments.collect::<Option<_>>()?;
    let has_value = !arguments.is_empty();
    has_value.then(|| ToolCall::new(tool.name(), Value::Object(arguments), ""))
}

/// Asks the user for an argument.
fn request_for(tool: &dyn Tool, parameter: &str) -> String {
    let description = tool
        .schema()
        .get("properties")
        .and_then(|properties| properties.get(parameter)?.get("description")?.as_str())
        .map(|description| format!(" ({})", first_sentence(description)))
        .unwrap_or_default();
    let name = parameter.replace(['_', '-'], " ");
    format!("I need to know the {name}{description} for that. Please ask again with it.")
}

fn first_sentence(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default();
    let short: String = sentence.chars().take(MAX_DESCRIPTION).collect();
    short.trim_end_matches('.').to_owned()
}

/// A tool as a candidate: with a short description, and a schema that allows only arguments from
/// the question. The executor runs the tool itself, found by its name.
#[derive(Debug)]
struct NarrowedTool {
    tool: Arc<dyn Tool>,
    description: String,
    schema: Value,
}

impl NarrowedTool {
    fn new(tool: &Arc<dyn Tool>, schema: Value) -> Self {
        Self {
            tool: tool.clone(),
            description: first_sentence(tool.description()),
            schema,
        }
    }
}

#[async_trait]
impl Tool for NarrowedTool {
    fn name(&self) -> &str {
        self.tool.name()
    }

    fn lc_name(&self) -> Option<&str> {
        self.tool.lc_name()
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn annotations(&self) -> ToolAnnotations {
        self.tool.annotations()
    }

    async fn invoke(&self, _: ToolInput) -> Result<ToolOutput, ToolError> {
        Err("This definition is only for choosing; the executor runs the tool itself".into())
    }
}
