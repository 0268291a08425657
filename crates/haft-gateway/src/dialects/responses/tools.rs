//! The tools of a request as functions for the model, and what each call of them is for the client.
//!
//! Functions stay functions. A custom tool takes plain text: the model is offered a function with
//! one string. The tools of a namespace are offered one by one, with the namespace in their names.
//! Tools that run at OpenAI are left out.

use std::collections::{HashMap, HashSet};

use haft_core::{ModelError, ToolChoice};
use haft_models::{ClientTool, ClientTools};
use serde::Deserialize;
use serde_json::{Value, json};

use super::left_out::LeftOut;
use super::refused;

/// The argument of a custom tool.
pub(super) const INPUT: &str = "input";

/// The maximum length of a tool's name at OpenAI and most other model servers.
const LONGEST_NAME: usize = 64;

/// How the client knows a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientName {
    pub(super) kind: ToolKind,
    pub(super) name: String,
    pub(super) namespace: Option<String>,
}

/// What a call of a tool consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolKind {
    /// Arguments in JSON.
    Function,
    /// A text.
    Custom,
}

/// The tools of a request.
#[derive(Debug)]
pub(super) struct Tools {
    /// What the model is offered.
    pub(super) offered: ClientTools,
    /// The names that the client uses, by the model's names.
    pub(super) names: HashMap<String, ClientName>,
    functions: Vec<Function>,
}

/// A tool as the model is offered it.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    description: String,
    parameters: Value,
}

/// A tool of a request.
#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    r#type: String,
    name: Option<String>,
    description: Option<String>,
    parameters: Option<Value>,
    format: Option<CustomFormat>,
    #[serde(default)]
    tools: Vec<Value>,
}

/// The form of a custom tool's text.
#[derive(Deserialize)]
struct CustomFormat {
    #[serde(default)]
    syntax: String,
    definition: Option<String>,
}

/// The field `tool_choice`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Choice {
    Mode(String),
    Named(NamedChoice),
}

#[derive(Deserialize)]
struct NamedChoice {
    r#type: String,
    name: Option<String>,
    namespace: Option<String>,
    mode: Option<String>,
    #[serde(default)]
    tools: Vec<Self>,
}

/// The name by which the model knows a tool.
pub(super) fn model_name(namespace: Option<&str>, name: &str) -> String {
    let Some(namespace) = namespace.filter(|namespace| !namespace.is_empty()) else {
        return name.to_owned();
    };
    let whole = format!("{}__{name}", namespace.trim_end_matches('_'));
    if whole.len() > LONGEST_NAME {
        return name.to_owned();
    }
    whole
}

/// Reads the tools of a request.
pub(super) fn read(list: &[Value], left_out: &mut LeftOut) -> Result<Tools, ModelError> {
    let mut tools = Tools {
        offered: ClientTools::default(),
        names: HashMap::new(),
        functions: Vec::new(),
    };
    for tool in list {
        tools.add(tool, None, left_out)?;
    }
    tools.offer();
    Ok(tools)
}

impl Tools {
    fn add(
        &mut self,
        tool: &Value,
        namespace: Option<&str>,
        left_out: &mut LeftOut,
    ) -> Result<(), ModelError> {
        let tool = Listed::deserialize(tool)
            .map_err(|error| refused(format!("A tool cannot be read: {error}")))?;
        let kind = match tool.r#type.as_str() {
            "function" => ToolKind::Function,
            "custom" => ToolKind::Custom,
            // A namespace in a namespace does not exist.
            "namespace" if namespace.is_none() => {
                for inner in &tool.tools {
                    self.add(inner, tool.name.as_deref(), left_out)?;
                }
                return Ok(());
            }
            hosted => {
                left_out.note("tools", hosted);
                return Ok(());
            }
        };
        let Some(name) = tool.name.clone() else {
            return Err(refused("A tool has no `name`"));
        };
        let function = Function {
            name: model_name(namespace, &name),
            description: description(&tool),
            parameters: match kind {
                ToolKind::Function => tool.parameters.unwrap_or_else(|| json!({})),
                ToolKind::Custom => json!({
                    "type": "object",
                    "properties": {INPUT: {"type": "string"}},
                    "required": [INPUT],
                    "additionalProperties": false,
                }),
            },
        };
        let client_name = ClientName {
            kind,
            name,
            namespace: namespace.map(str::to_owned),
        };
        let named = self.names.insert(function.name.clone(), client_name);
        if named.is_some() {
            let name = &function.name;
            return Err(refused(format!("Two tools have the name \"{name}\"")));
        }
        self.functions.push(function);
        Ok(())
    }

    fn offer(&mut self) {
        let functions = self.functions.iter().cloned();
        self.offered = functions
            .map(|function| {
                let Function {
                    name,
                    description,
                    parameters,
                } = function;
                ClientTool::new(name, Some(description), Some(parameters))
            })
            .collect();
    }

    /// Reads `tool_choice`. If it allows only some tools, the others are not offered.
    pub(super) fn chosen(&mut self, choice: Option<&Value>) -> Result<ToolChoice, ModelError> {
        let Some(choice) = choice.filter(|choice| !choice.is_null()) else {
            return Ok(ToolChoice::Auto);
        };
        let choice = Choice::deserialize(choice).map_err(|_| {
            refused("`tool_choice` must be auto, none, required, or an object with a `type`")
        })?;
        match choice {
            Choice::Mode(word) if word == "required" && self.functions.is_empty() => Err(refused(
                "`tool_choice` is \"required\", and no tool of the request can be called \
                     through haft; offer a function or a custom tool",
            )),
            Choice::Mode(word) => mode(&word),
            Choice::Named(choice) if choice.r#type == "allowed_tools" => {
                let allowed = choice.tools.iter().map(NamedChoice::wanted);
                let allowed = allowed.collect::<Result<HashSet<_>, _>>()?;
                self.functions.retain(|one| allowed.contains(&one.name));
                self.offer();
                mode(choice.mode.as_deref().unwrap_or("auto"))
            }
            Choice::Named(choice) => Ok(ToolChoice::Tool(choice.wanted()?)),
        }
    }
}

impl NamedChoice {
    /// The model's name of the tool.
    fn wanted(&self) -> Result<String, ModelError> {
        match (self.r#type.as_str(), &self.name) {
            ("function" | "custom", Some(name)) => Ok(model_name(self.namespace.as_deref(), name)),
            (kind, _) => Err(refused(format!(
                "`tool_choice` wants \"{kind}\", which runs at OpenAI only; offer a function or a \
                 custom tool instead"
            ))),
        }
    }
}

fn mode(mode: &str) -> Result<ToolChoice, ModelError> {
    match mode {
        "auto" => Ok(ToolChoice::Auto),
        "none" => Ok(ToolChoice::None),
        "required" => Ok(ToolChoice::Required),
        _ => Err(refused(format!(
            "`tool_choice` is \"{mode}\"; expected auto, none, required or a tool"
        ))),
    }
}

/// The description for the model. Servers of local models do not constrain the text of one argument
/// by a grammar, so the model has to read it.
fn description(tool: &Listed) -> String {
    let own = tool.description.clone().unwrap_or_default();
    let format = tool.format.as_ref();
    match format.and_then(|format| Some((&format.syntax, format.definition.as_ref()?))) {
        Some((syntax, definition)) => format!(
            "{own}\n\nThe argument `{INPUT}` is the whole text, as this grammar ({syntax}) \
             allows it:\n{definition}"
        ),
        None => own,
    }
}
