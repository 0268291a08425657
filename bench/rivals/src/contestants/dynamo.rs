//! `dynamo-parsers-v2`, its parsers of tool calls alone (the unified ones read thinking too).

use dynamo_parsers_v2::{Tool, ToolParseResult, ToolParser, create_tool_parser_for_family};

use super::{Contestant, Sink};
use crate::clock::Clock;
use crate::corpus;

pub struct Dynamo {
    tools: Vec<Tool>,
}

impl Dynamo {
    pub fn new() -> Self {
        let tools = corpus::tools().into_iter().map(|tool| Tool {
            name: tool.name.to_owned(),
            description: None,
            parameters: tool.parameters,
            strict: None,
        });
        Self {
            tools: tools.collect(),
        }
    }

    /// Its families have the names that formats have here.
    fn parser(&self, format: &str) -> Option<Box<dyn ToolParser>> {
        create_tool_parser_for_family(format, &self.tools).ok()
    }

    fn read(&self, format: &str, chunks: &[&str], sink: &mut Sink) {
        let Some(mut parser) = self.parser(format) else {
            return;
        };
        for chunk in chunks {
            if let Ok(result) = parser.push(chunk) {
                deliver(&result, sink);
            }
        }
        if let Ok(result) = parser.finish() {
            deliver(&result, sink);
        }
    }
}

impl Contestant for Dynamo {
    fn name(&self) -> &'static str {
        "dynamo"
    }

    fn reads(&self, format: &str) -> bool {
        self.parser(format).is_some()
    }

    fn whole(&self, format: &str, replies: &[&str], clock: &mut Clock, sink: &mut Sink) {
        clock.start();
        for reply in replies {
            self.read(format, &[reply], sink);
        }
        clock.stop();
    }

    fn chunked(&self, format: &str, chunks: &[&str], clock: &mut Clock, sink: &mut Sink) {
        clock.start();
        self.read(format, chunks, sink);
        clock.stop();
    }
}

fn deliver(result: &ToolParseResult, sink: &mut Sink) {
    sink.text(&result.normal_text);
    for call in &result.calls {
        if let Some(name) = &call.name {
            sink.name(call.tool_index, name);
        }
        sink.arguments(call.tool_index, &call.arguments);
    }
}
