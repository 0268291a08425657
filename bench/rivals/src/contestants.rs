//! The parsers that are measured, each behind the same two calls. One file for each.

mod dynamo;
#[cfg(feature = "haft")]
pub mod haft;
mod smg;
mod vllm;

use crate::clock::Clock;

/// A parser of tool calls.
///
/// What it needs before it can begin (input in the form that it takes, tools) is prepared while
/// the clock stands; making a parser for one reply is part of what is measured.
pub trait Contestant {
    fn name(&self) -> &'static str;

    /// True when it has a parser for the format.
    fn reads(&self, format: &str) -> bool;

    /// Reads replies, each in one piece.
    fn whole(&self, format: &str, replies: &[&str], clock: &mut Clock, sink: &mut Sink);

    /// Reads one reply that comes in chunks.
    fn chunked(&self, format: &str, chunks: &[&str], clock: &mut Clock, sink: &mut Sink);
}

/// All contestants; haft comes last, if it takes part.
pub fn all() -> Vec<Box<dyn Contestant>> {
    vec![
        Box::new(vllm::Vllm::new()),
        Box::new(smg::Smg::new()),
        Box::new(dynamo::Dynamo::new()),
        #[cfg(feature = "haft")]
        Box::new(haft::Haft::new()),
    ]
}

/// Where calls and text go: counted, and kept only when they are to be compared.
#[derive(Default)]
pub struct Sink {
    /// Calls by name.
    pub calls: usize,
    /// Bytes of text and arguments; also keeps the compiler from leaving the work out.
    pub bytes: usize,
    /// Names and arguments in order, if kept.
    pub kept: Option<Vec<(String, String)>>,
}

impl Sink {
    pub fn keeping() -> Self {
        Self {
            kept: Some(Vec::new()),
            ..Self::default()
        }
    }

    pub fn text(&mut self, text: &str) {
        self.bytes += text.len();
    }

    pub fn name(&mut self, index: usize, name: &str) {
        self.calls += 1;
        if let Some(call) = self.call(index) {
            call.0.push_str(name);
        }
    }

    pub fn arguments(&mut self, index: usize, fragment: &str) {
        self.bytes += fragment.len();
        if let Some(call) = self.call(index) {
            call.1.push_str(fragment);
        }
    }

    fn call(&mut self, index: usize) -> Option<&mut (String, String)> {
        let kept = self.kept.as_mut()?;
        if kept.len() <= index {
            kept.resize_with(index + 1, Default::default);
        }
        kept.get_mut(index)
    }
}
