//! A format as a grammar: what a server takes that constrains the tokens of a model, so that a call
//! can only be written as the format has it, with arguments that fit the schema of its tool.
//!
//! The grammar is made of the example of the format: what stands in it around the name and the
//! arguments. Structural tags are the notation of XGrammar (`mlc-ai/xgrammar`,
//! `docs/structural_tag/structural_tag.md`), and of the servers that use it: vLLM takes one as
//! `structured_outputs.structural_tag`, as text.

use serde_json::{Map, Value, json};

use crate::formats::Role;
use crate::scan::whole_tag;
use crate::tool_set::BoundTool;
use crate::{ExtractOptions, Extractor, Format, Piece, ToolSet};

impl Format {
    /// The format as a structural tag: behind the text with which its calls begin, only a call of
    /// one of the tools can follow, with arguments that fit its schema. None for formats whose
    /// arguments are not written as JSON, or whose calls begin with nothing of their own.
    ///
    /// ```
    /// use haft_extract::{Format, ToolDefinition, ToolSet};
    /// use serde_json::json;
    ///
    /// let tool = ToolDefinition::new("get_time", json!({"type": "object"}));
    /// let tools = ToolSet::from_definitions([tool]);
    /// let tag = Format::Hermes.structural_tag(&tools).unwrap();
    /// assert_eq!(tag["format"]["triggers"], json!(["<tool_call>"]));
    /// let call = &tag["format"]["tags"][0];
    /// assert_eq!(call["begin"], "<tool_call>\n{\"name\": \"get_time\", \"arguments\": ");
    /// assert_eq!(call["end"], "}\n</tool_call>");
    /// assert_eq!(Format::Qwen3Coder.structural_tag(&tools), None);
    /// ```
    #[must_use]
    pub fn structural_tag(self, tools: &ToolSet) -> Option<Value> {
        let example = self.example();
        let [before_name, before_arguments, end] = self.frame(&example)?;
        let trigger = match whole_tag(before_name) {
            Some(tag) if tag.opens(Role::Wrapper) => before_name.get(..tag.end())?,
            // Text for the user may begin with the same tokens.
            _ => before_name,
        };
        let tag = |tool: &BoundTool| {
            let tool = &tool.definition;
            let schema = match &tool.parameters {
                Value::Null => json!({"type": "object"}),
                schema => schema.clone(),
            };
            json!({
                "type": "tag",
                "begin": format!("{before_name}{}{before_arguments}", tool.name),
                "content": {"type": "json_schema", "json_schema": schema},
                "end": end,
            })
        };
        let format = json!({
            "type": "triggered_tags",
            "triggers": [trigger],
            "tags": tools.tools().iter().map(tag).collect::<Vec<_>>(),
        });
        (!trigger.is_empty()).then(|| json!({"type": "structural_tag", "format": format}))
    }

    /// What stands in the example before the name of the tool, between that and the arguments, and
    /// behind them, if they are JSON; none where the name stands there twice.
    fn frame(self, example: &str) -> Option<[&str; 3]> {
        let options = ExtractOptions {
            raw: true,
            ..ExtractOptions::for_format(self)
        };
        let mut found = None;
        Extractor::new(&ToolSet::any(), options).finish_with(example, &mut |piece| {
            if let Piece::RawCall(call) = piece
                && serde_json::from_str::<Map<String, Value>>(call.arguments).is_ok()
            {
                found = Some([call.name, call.arguments].map(str::to_owned));
            }
        });
        let [name, arguments] = found?;
        let (begin, end) = example.split_once(&arguments)?;
        let (before_name, before_arguments) = begin.split_once(&name)?;
        let is_only = !before_arguments.contains(&name);
        is_only.then_some([before_name, before_arguments, end])
    }
}

#[cfg(test)]
mod tests;
