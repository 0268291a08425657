//! The Rust parser of vLLM. It takes owned pieces of decoded text, which its tokenizer makes: they
//! are made here while the clock stands. Text carries no token ids, so markers are found by their
//! spelling.

use std::sync::Arc;

use vllm_parser::tool::{
    self, DeepSeekV4ToolParser, DeepSeekV31ToolParser, Glm47MoeToolParser, HermesToolParser,
    KimiK2ToolParser, Llama3JsonToolParser, MistralToolParser, Qwen3CoderToolParser, Tool,
    ToolCallDelta, ToolParser, ToolParserEvent, ToolParserOutput,
};
use vllm_parser::unified::{
    self, Gemma4UnifiedParser, UnifiedParser, UnifiedParserEvent, UnifiedParserOutput,
};
use vllm_tokenizer::{DecodedText, DynTokenizer, Result, Tokenizer};

use super::{Contestant, Sink};
use crate::clock::Clock;
use crate::corpus;

/// So many pieces of decoded text exist at a time: few enough to stay in the cache.
const WINDOW: usize = 1024;

pub struct Vllm {
    tools: Vec<Tool>,
    tokenizer: DynTokenizer,
}

impl Vllm {
    pub fn new() -> Self {
        let tools = corpus::tools().into_iter().map(|tool| Tool {
            name: tool.name.to_owned(),
            description: None,
            parameters: tool.parameters,
            strict: None,
            defer_loading: None,
        });
        Self {
            tools: tools.collect(),
            tokenizer: Arc::new(Names),
        }
    }

    fn parser(&self, create: Create) -> Option<Parser> {
        let tokenizer = self.tokenizer.clone();
        Some(match create {
            Create::Tool(create) => {
                let parser = create(&self.tools, tokenizer).ok()?;
                Parser::Tool(parser, ToolParserOutput::default())
            }
            Create::Unified(create) => {
                let parser = create(&self.tools, tokenizer).ok()?;
                Parser::Unified(parser, UnifiedParserOutput::default())
            }
        })
    }
}

/// How a parser is made.
#[derive(Clone, Copy)]
enum Create {
    Tool(fn(&[Tool], DynTokenizer) -> tool::Result<Box<dyn ToolParser>>),
    Unified(fn(&[Tool], DynTokenizer) -> unified::Result<Box<dyn UnifiedParser>>),
}

fn create(format: &str) -> Option<Create> {
    Some(Create::Tool(match format {
        "hermes" => HermesToolParser::create,
        "qwen3_coder" => Qwen3CoderToolParser::create,
        "glm47" => Glm47MoeToolParser::create,
        "deepseek_v31" => DeepSeekV31ToolParser::create,
        "deepseek_v4" => DeepSeekV4ToolParser::create,
        "kimi_k2" => KimiK2ToolParser::create,
        "mistral" => MistralToolParser::create,
        "llama3_json" => Llama3JsonToolParser::create,
        "gemma4" => return Some(Create::Unified(Gemma4UnifiedParser::create)),
        _ => return None,
    }))
}

impl Contestant for Vllm {
    fn name(&self) -> &'static str {
        "vllm"
    }

    fn reads(&self, format: &str) -> bool {
        create(format).is_some()
    }

    fn whole(&self, format: &str, replies: &[&str], clock: &mut Clock, sink: &mut Sink) {
        let Some(create) = create(format) else {
            return;
        };
        let replies = decoded(replies);
        clock.start();
        for reply in replies {
            if let Some(mut parser) = self.parser(create) {
                parser.push(reply, sink);
                parser.finish(sink);
            }
        }
        clock.stop();
    }

    fn chunked(&self, format: &str, chunks: &[&str], clock: &mut Clock, sink: &mut Sink) {
        let Some(create) = create(format) else {
            return;
        };
        clock.start();
        let Some(mut parser) = self.parser(create) else {
            return clock.stop();
        };
        clock.stop();
        for window in chunks.chunks(WINDOW) {
            let window = decoded(window);
            clock.start();
            for chunk in window {
                parser.push(chunk, sink);
            }
            clock.stop();
        }
        clock.start();
        parser.finish(sink);
        drop(parser);
        clock.stop();
    }
}

fn decoded(texts: &[&str]) -> Vec<DecodedText> {
    let texts = texts.iter().copied();
    texts.map(DecodedText::unattributed).collect()
}

/// A parser and the output that it appends to, which is emptied after each chunk as a server
/// does.
enum Parser {
    Tool(Box<dyn ToolParser>, ToolParserOutput),
    Unified(Box<dyn UnifiedParser>, UnifiedParserOutput),
}

impl Parser {
    /// A reply that it refuses yields no more calls.
    fn push(&mut self, chunk: DecodedText, sink: &mut Sink) {
        match self {
            Self::Tool(parser, output) => {
                let _ = parser.parse_into(chunk, output);
                deliver(output, sink);
            }
            Self::Unified(parser, output) => {
                let _ = parser.parse_into(chunk, output);
                deliver_unified(output, sink);
            }
        }
    }

    fn finish(&mut self, sink: &mut Sink) {
        match self {
            Self::Tool(parser, _) => {
                if let Ok(mut output) = parser.finish() {
                    deliver(&mut output, sink);
                }
            }
            Self::Unified(parser, _) => {
                if let Ok(mut output) = parser.finish() {
                    deliver_unified(&mut output, sink);
                }
            }
        }
    }
}

fn deliver(output: &mut ToolParserOutput, sink: &mut Sink) {
    for event in output.events.drain(..) {
        match event {
            ToolParserEvent::Text(text) => sink.text(&text),
            ToolParserEvent::ToolCall(delta) => deliver_call(&delta, sink),
        }
    }
}

fn deliver_unified(output: &mut UnifiedParserOutput, sink: &mut Sink) {
    for event in output.events.drain(..) {
        match event {
            UnifiedParserEvent::Text(text) => sink.text(&text),
            UnifiedParserEvent::Reasoning(text) => sink.text(&text.text),
            UnifiedParserEvent::ToolCall(delta) => deliver_call(&delta, sink),
        }
    }
}

fn deliver_call(delta: &ToolCallDelta, sink: &mut Sink) {
    if let Some(name) = &delta.name {
        sink.name(delta.tool_index, name);
    }
    sink.arguments(delta.tool_index, &delta.arguments);
}

/// A tokenizer that knows nothing but the two tokens without which the parser of Gemma 4 cannot
/// be made; it is never asked to encode or decode.
struct Names;

impl Tokenizer for Names {
    fn encode(&self, _text: &str, _add_special_tokens: bool) -> Result<Vec<u32>> {
        Ok(Vec::new())
    }

    fn encode_ordinary(&self, _text: &str) -> Result<Vec<u32>> {
        Ok(Vec::new())
    }

    fn decode(&self, _token_ids: &[u32], _skip_special_tokens: bool) -> Result<String> {
        Ok(String::new())
    }

    fn token_to_id(&self, token: &str) -> Option<u32> {
        let known = ["<|channel>", "<channel|>"];
        let at = known.iter().position(|name| *name == token)?;
        u32::try_from(at).ok()
    }

    fn id_to_token(&self, _id: u32) -> Option<String> {
        None
    }
}
