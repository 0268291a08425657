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

/// What stands in an example around the name of the tool and its arguments.
struct Frame<'e> {
    before_name: &'e str,
    before_arguments: &'e str,
    end: &'e str,
}

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
        let frame = self.frame(&example)?;
        let trigger = match whole_tag(frame.before_name) {
            Some(tag) if tag.opens(Role::Wrapper) => frame.before_name.get(..tag.end())?,
            // Text for the user may begin with the same tokens.
            _ => frame.before_name,
        };
        let tag = |tool: &BoundTool| {
            let tool = &tool.definition;
            let schema = match &tool.parameters {
                Value::Null => json!({"type": "object"}),
                schema => schema.clone(),
            };
            let begin = [frame.before_name, &tool.name, frame.before_arguments];
            json!({
                "type": "tag",
                "begin": begin.concat(),
                "content": {"type": "json_schema", "json_schema": schema},
                "end": frame.end,
            })
        };
        let format = json!({
            "type": "triggered_tags",
            "triggers": [trigger],
            "tags": tools.tools().iter().map(tag).collect::<Vec<_>>(),
        });
        (!trigger.is_empty()).then(|| json!({"type": "structural_tag", "format": format}))
    }

    /// What stands around the call in the example, if its arguments are JSON.
    fn frame(self, example: &str) -> Option<Frame<'_>> {
        let options = ExtractOptions {
            raw: true,
            ..ExtractOptions::for_format(self)
        };
        let mut frame = None;
        Extractor::new(&ToolSet::any(), options).finish_with(example, &mut |piece| {
            if let Piece::RawCall(call) = piece
                && serde_json::from_str::<Map<String, Value>>(call.arguments).is_ok()
            {
                frame = around(example, call.name, call.arguments);
            }
        });
        frame
    }
}

/// What stands around the name and the arguments behind it; none where the name stands there twice.
fn around<'e>(example: &'e str, name: &str, arguments: &str) -> Option<Frame<'e>> {
    let (begin, end) = example.split_once(arguments)?;
    let (before_name, before_arguments) = begin.split_once(name)?;
    (!before_arguments.contains(name)).then_some(Frame {
        before_name,
        before_arguments,
        end,
    })
}

#[cfg(test)]
mod tests;
