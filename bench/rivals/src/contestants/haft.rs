//! haft-extract, forced to the format in raw mode: calls with their arguments as text, which is
//! what the others give.

use haft_extract::{ExtractOptions, Extractor, Format, Piece, ToolDefinition, ToolSet};

use super::{Contestant, Sink};
use crate::clock::Clock;
use crate::corpus;

pub struct Haft {
    tools: ToolSet,
}

impl Haft {
    pub fn new() -> Self {
        Self { tools: tool_set() }
    }

    fn read(&self, options: ExtractOptions, chunks: &[&str], sink: &mut Sink) {
        let mut extractor = Extractor::new(&self.tools, options);
        for chunk in chunks {
            extractor.push_text(chunk, &mut |piece| deliver(&piece, sink));
        }
        extractor.finish(&mut |piece| deliver(&piece, sink));
    }
}

impl Contestant for Haft {
    fn name(&self) -> &'static str {
        "haft"
    }

    fn reads(&self, format: &str) -> bool {
        Format::named(format).is_some()
    }

    fn whole(&self, format: &str, replies: &[&str], clock: &mut Clock, sink: &mut Sink) {
        let options = raw(format);
        clock.start();
        for reply in replies {
            let extractor = Extractor::new(&self.tools, options);
            extractor.finish_with(reply, &mut |piece| deliver(&piece, sink));
        }
        clock.stop();
    }

    fn chunked(&self, format: &str, chunks: &[&str], clock: &mut Clock, sink: &mut Sink) {
        let options = raw(format);
        clock.start();
        self.read(options, chunks, sink);
        clock.stop();
    }
}

/// The tools of the corpus, bound.
pub fn tool_set() -> ToolSet {
    let tools = corpus::tools().into_iter();
    ToolSet::from_definitions(tools.map(|tool| ToolDefinition::new(tool.name, tool.parameters)))
}

/// The options for raw calls; `auto` is a format too.
pub fn raw(format: &str) -> ExtractOptions {
    let mut options = checked(format);
    options.raw = true;
    options
}

/// The options for complete checked calls.
pub fn checked(format: &str) -> ExtractOptions {
    ExtractOptions::for_format(Format::named(format).unwrap_or(Format::Auto))
}

fn deliver(piece: &Piece<'_>, sink: &mut Sink) {
    match piece {
        Piece::Text(text) | Piece::Reasoning(text) => sink.text(text),
        Piece::RawCall(call) => {
            sink.name(call.index, call.name);
            sink.arguments(call.index, call.arguments);
        }
        _ => {}
    }
}
