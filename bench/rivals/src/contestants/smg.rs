//! `tool-parser`, of the gateway SMG. Whole replies go to one parser that lives on, as its pool
//! does; each streamed reply gets a parser of its own, as in its gateway. Some of its parsers
//! panic in the middle of a stream: what was found until then counts.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;
use openai_protocol::common::Tool;
use serde_json::json;
use tool_parser::parsers::{
    DeepSeek31Parser, DeepSeekDsmlParser, Gemma4Parser, Glm4MoeParser, KimiK2Parser, LlamaParser,
    MistralParser, PythonicParser, QwenParser, QwenXmlParser,
};
use tool_parser::traits::ToolParser;

use super::{Contestant, Sink};
use crate::clock::Clock;
use crate::corpus::{self, FORMATS};

pub struct Smg {
    tools: Vec<Tool>,
    pool: HashMap<&'static str, Box<dyn ToolParser>>,
}

impl Smg {
    pub fn new() -> Self {
        let tools = corpus::tools().into_iter().filter_map(|tool| {
            let function = json!({"name": tool.name, "parameters": tool.parameters});
            serde_json::from_value(json!({"type": "function", "function": function})).ok()
        });
        let names = FORMATS.iter().map(|format| format.name);
        Self {
            tools: tools.collect(),
            pool: names
                .filter_map(|name| Some((name, parser(name)?)))
                .collect(),
        }
    }

    fn stream(&self, format: &str, chunks: &[&str], sink: &mut Sink) {
        let Some(mut parser) = parser(format) else {
            return;
        };
        let mut calls = Vec::new();
        for chunk in chunks {
            let result = parser.parse_incremental(chunk, &self.tools).now_or_never();
            if let Some(Ok(result)) = result {
                sink.text(&result.normal_text);
                calls.extend(result.calls);
            }
            for call in calls.drain(..) {
                if let Some(name) = &call.name {
                    sink.name(call.tool_index, name);
                }
                sink.arguments(call.tool_index, &call.parameters);
            }
        }
        for call in parser.get_unstreamed_tool_args().into_iter().flatten() {
            sink.arguments(call.tool_index, &call.parameters);
        }
        sink.text(&parser.take_unstreamed_normal_text());
    }
}

impl Contestant for Smg {
    fn name(&self) -> &'static str {
        "smg"
    }

    fn reads(&self, format: &str) -> bool {
        self.pool.contains_key(format)
    }

    fn whole(&self, format: &str, replies: &[&str], clock: &mut Clock, sink: &mut Sink) {
        let Some(parser) = self.pool.get(format) else {
            return;
        };
        clock.start();
        for reply in replies {
            let parsed = parser.parse_complete_with_tools(reply, &self.tools);
            if let Some(Ok((text, calls))) = parsed.now_or_never() {
                sink.text(&text);
                for (index, call) in calls.iter().enumerate() {
                    sink.name(index, &call.function.name);
                    sink.arguments(index, &call.function.arguments);
                }
            }
        }
        clock.stop();
    }

    fn chunked(&self, format: &str, chunks: &[&str], clock: &mut Clock, sink: &mut Sink) {
        clock.start();
        let _ = catch_unwind(AssertUnwindSafe(|| self.stream(format, chunks, sink)));
        clock.stop();
    }
}

fn parser(format: &str) -> Option<Box<dyn ToolParser>> {
    Some(match format {
        "hermes" => Box::new(QwenParser::new()),
        "qwen3_coder" => Box::new(QwenXmlParser::new()),
        "glm47" => Box::new(Glm4MoeParser::glm47()),
        "deepseek_v31" => Box::new(DeepSeek31Parser::new()),
        "deepseek_v4" => Box::new(DeepSeekDsmlParser::v4()),
        "kimi_k2" => Box::new(KimiK2Parser::new()),
        "mistral" => Box::new(MistralParser::new()),
        "llama3_json" => Box::new(LlamaParser::new()),
        "pythonic" => Box::new(PythonicParser::new()),
        "gemma4" => Box::new(Gemma4Parser::new()),
        _ => return None,
    })
}
