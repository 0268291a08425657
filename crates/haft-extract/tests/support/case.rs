//! Loads the cases of `tests/cases`: one JSON object a line, each a reply with its right answer,
//! and the tool sets of `tests/cases/tools.json` that they name.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use haft_extract::{ExtractOptions, Format, ToolDefinition, ToolSet};
use serde::Deserialize;
use serde_json::Value;

/// One reply with its right answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `group/what_is_special`; unique in all files.
    pub id: String,
    /// The format to be told in a second run; none where only `auto` makes sense.
    pub format: Option<String>,
    /// The name of a shared tool set, or definitions.
    pub tools: Value,
    /// The prompt ended inside thinking.
    #[serde(default)]
    pub starts_thinking: bool,
    /// The model was taught to write calls as text.
    #[serde(default)]
    pub text_mode: bool,
    /// What the model wrote.
    pub reply: String,
    /// The calls, in order.
    pub calls: Vec<RightCall>,
    /// The text without calls and thinking, to the byte.
    pub content: String,
    /// The thinking, without white space at its ends.
    #[serde(default)]
    pub reasoning: String,
    /// Names of calls that cannot run, in order.
    #[serde(default)]
    pub invalid: Vec<String>,
    /// Why this is right, where that is not plain.
    pub note: Option<String>,
}

/// A call that a reply holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RightCall {
    /// The bound name.
    pub name: String,
    /// The arguments after coercion.
    pub args: Value,
}

/// A tool in `tools.json` or in a case.
#[derive(Clone, Debug, Deserialize)]
pub struct Tool {
    name: String,
    #[serde(default)]
    parameters: Value,
    #[serde(default)]
    read_only: bool,
}

impl Case {
    /// The bound tools.
    pub fn tool_set(&self) -> ToolSet {
        match &self.tools {
            Value::String(name) => named_tools(name),
            definitions => tools_from(definitions),
        }
    }

    /// The options without a format.
    pub fn options(&self) -> ExtractOptions {
        let mut options = ExtractOptions::default();
        options.starts_thinking = self.starts_thinking;
        options.text_mode = self.text_mode;
        options
    }

    /// The options with the case's format, if it has one.
    pub fn options_with_format(&self) -> Option<ExtractOptions> {
        let name = self.format.as_deref()?;
        let format =
            Format::named(name).unwrap_or_else(|| panic!("{}: there is no format {name}", self.id));
        let mut options = self.options();
        options.format = format;
        Some(options)
    }
}

/// The tool set of that name: one of `tools.json`, or `any`.
pub fn named_tools(name: &str) -> ToolSet {
    static SETS: LazyLock<HashMap<String, ToolSet>> = LazyLock::new(|| {
        let text = std::fs::read_to_string(folder().join("tools.json")).expect("tools.json");
        let sets: HashMap<String, Value> = serde_json::from_str(&text).expect("tools.json");
        let prepared = sets
            .iter()
            .map(|(name, tools)| (name.clone(), tools_from(tools)));
        prepared
            .chain([("any".to_owned(), ToolSet::any())])
            .collect()
    });
    let set = SETS.get(name);
    set.unwrap_or_else(|| panic!("there is no tool set {name}"))
        .clone()
}

/// Tools from a JSON array of `{"name", "parameters", "read_only"?}`.
pub fn tools_from(definitions: &Value) -> ToolSet {
    let tools: Vec<Tool> = serde_json::from_value(definitions.clone()).expect("tool definitions");
    ToolSet::from_definitions(
        tools
            .into_iter()
            .map(|tool| ToolDefinition::new(tool.name, tool.parameters).read_only(tool.read_only)),
    )
}

/// The cases of one file.
pub fn load(group: &str) -> Vec<Case> {
    let path = folder().join(format!("{group}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line).unwrap_or_else(|e| panic!("{group}.jsonl:{}: {e}", at + 1))
    };
    lines.map(parse).collect()
}

/// The names of all files of cases, sorted.
pub fn groups() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("tests/cases");
    let names = entries.map(|entry| entry.expect("tests/cases").file_name());
    let mut groups: Vec<String> = names
        .filter_map(|name| name.to_str()?.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    groups.sort();
    groups
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}
