//! The push parser: takes a reply in chunks cut anywhere.
//!
//! It keeps what is not decided yet, and puts characters together that a chunk cut. The
//! [`reader`](crate::machine::reader) decides, the [`output`](crate::machine::output) counts and checks.

mod closed_thought;

use closed_thought::ClosedThought;

use crate::machine::judge::Judge;
use crate::machine::output::{Output, PieceSink, Target};
use crate::machine::reader::Reader;
use crate::machine::{About, ParseEvent};
use crate::{ExtractOptions, Format, Piece, ToolSet, limits, scan::Text};

/// Reads one reply.
///
/// ```
/// use haft_extract::{ExtractOptions, Extractor, Piece, ToolSet};
///
/// let mut extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
/// let mut text = String::new();
/// let mut calls = Vec::new();
/// let mut sink = |piece: Piece<'_>| match piece {
///     Piece::Text(more) => text.push_str(more),
///     Piece::CallEnd { call, .. } => calls.push(call),
///     _ => {}
/// };
/// for chunk in [&b"Well. <tool_c"[..], b"all>{\"name\": \"get_time\", \"arg", b"uments\": {}}</tool_call>"] {
///     extractor.push(chunk, &mut sink);
/// }
/// extractor.finish(&mut sink);
/// assert_eq!((text.as_str(), calls[0].name.as_str()), ("Well.", "get_time"));
/// ```
#[derive(Debug)]
pub struct Extractor {
    /// The beginning of a character whose rest has not come.
    cut: Vec<u8>,
    /// Text that is not decided yet.
    held: String,
    machine: Machine,
    /// The thought of the reply, with the option `thought_calls`.
    thought: Option<Box<ClosedThought>>,
}

/// What decides about text: it keeps none of it.
#[derive(Debug)]
struct Machine {
    tools: ToolSet,
    options: ExtractOptions,
    reader: Reader,
    judge: Judge,
    output: Output,
}

impl Extractor {
    /// A reader for one reply.
    #[must_use]
    pub fn new(tools: &ToolSet, options: ExtractOptions) -> Self {
        let options = ExtractOptions {
            text_mode: options.text_mode || options.format == Format::PlainCall,
            ..options
        };
        Self {
            cut: Vec::new(),
            held: String::new(),
            machine: Machine {
                tools: tools.clone(),
                options,
                reader: Reader::new(&options),
                judge: Judge::new(&options),
                output: Output::default(),
            },
            thought: options.thought_calls.then(Box::default),
        }
    }

    /// Takes in the next chunk, which may be cut anywhere, even inside a character, and hands
    /// what is certain by now to `sink`. Bytes that are not UTF-8 become U+FFFD.
    pub fn push(&mut self, chunk: &[u8], sink: PieceSink<'_>) {
        self.watched(sink, |this, sink| this.push_bytes(chunk, sink));
    }

    /// Runs `act`. With the option `thought_calls`, the pieces that `act` hands out are noted for the
    /// thought.
    #[inline]
    fn watched(&mut self, sink: PieceSink<'_>, act: impl FnOnce(&mut Self, PieceSink<'_>)) {
        let Some(mut thought) = self.thought.take() else {
            return act(self, sink);
        };
        let options = self.machine.options;
        let mut note = |piece: Piece<'_>| {
            thought.note(&piece, &options);
            sink(piece);
        };
        act(self, &mut note);
        self.thought = Some(thought);
    }

    fn push_bytes(&mut self, chunk: &[u8], sink: PieceSink<'_>) {
        let mut joined = std::mem::take(&mut self.cut);
        let bytes = match joined.is_empty() {
            true => chunk,
            false => {
                joined.extend_from_slice(chunk);
                &joined
            }
        };
        let mut end = 0;
        for part in bytes.utf8_chunks() {
            self.feed(part.valid(), sink);
            end += part.valid().len() + part.invalid().len();
            let error = std::str::from_utf8(part.invalid()).err();
            match error.map(|error| error.error_len()) {
                Some(None) if end == bytes.len() => self.cut = part.invalid().to_vec(),
                Some(_) => self.feed("\u{FFFD}", sink),
                None => {}
            }
        }
    }

    /// As [`push`](Self::push), for a chunk that is known to be text.
    pub fn push_text(&mut self, chunk: &str, sink: PieceSink<'_>) {
        self.watched(sink, |this, sink| {
            this.end_character(sink);
            this.feed(chunk, sink);
        });
    }

    /// Ends the reply: hands out what was held back.
    pub fn finish(self, sink: PieceSink<'_>) {
        self.finish_with("", sink);
    }

    /// Takes in the last text and ends the reply. A whole reply is read in one pass, because nothing
    /// in it has to wait for text that may follow.
    ///
    /// ```
    /// use haft_extract::{ExtractOptions, Extraction, Extractor, ToolSet};
    ///
    /// let mut extraction = Extraction::default();
    /// let extractor = Extractor::new(&ToolSet::any(), ExtractOptions::default());
    /// extractor.finish_with("get_time(zone=\"Asia/Tokyo\")", &mut |piece| extraction.add(piece));
    /// assert_eq!(extraction.calls[0].name, "get_time");
    /// ```
    pub fn finish_with(mut self, last: &str, sink: PieceSink<'_>) {
        self.watched(sink, |this, sink| this.end(last, sink));
        if let Some(thought) = self.thought.take() {
            let Machine { tools, options, .. } = &self.machine;
            thought.finish(About { tools, options }, sink);
        }
    }

    fn end(&mut self, last: &str, sink: PieceSink<'_>) {
        self.end_character(sink);
        let rest = match self.held.is_empty() {
            true => last,
            false => {
                self.held.push_str(last);
                &self.held
            }
        };
        self.machine.read(Text::whole(rest), sink);
    }

    /// Ends a reply that was cut before its end, as by a limit on tokens: beside other text, calls
    /// without a marker are text, because what would have been said of them is not known.
    pub fn finish_cut(mut self, sink: PieceSink<'_>) {
        self.machine.judge.is_cut = true;
        self.thought = None;
        self.finish(sink);
    }

    /// The rest of a character that was cut does not come.
    fn end_character(&mut self, sink: PieceSink<'_>) {
        if !self.cut.is_empty() {
            self.cut.clear();
            self.feed("\u{FFFD}", sink);
        }
    }

    fn feed(&mut self, text: &str, sink: PieceSink<'_>) {
        let finished = false;
        if self.held.is_empty() {
            let taken = self.machine.read(Text { text, finished }, sink);
            return self.held.push_str(text.get(taken..).unwrap_or_default());
        }
        self.held.reserve(limits::ROOM);
        self.held.push_str(text);
        let text = &self.held;
        let taken = self.machine.read(Text { text, finished }, sink);
        if taken > 0 {
            self.held.drain(..taken);
        }
    }
}

impl Machine {
    /// Reads `text`, which is not decided yet. Returns how many bytes of it are decided now.
    // Each chunk comes here.
    #[inline(always)]
    fn read(&mut self, text: Text<'_>, sink: PieceSink<'_>) -> usize {
        let about = About {
            tools: &self.tools,
            options: &self.options,
        };
        let mut target = Target {
            output: &mut self.output,
            about,
            sink,
        };
        let judge = &mut self.judge;
        let mut tell = |event: ParseEvent<'_>| judge.take(event, &mut target);
        let taken = self.reader.read(text, about, &mut tell);
        if text.finished {
            judge.finish(&mut target);
        }
        taken
    }
}

#[cfg(test)]
mod tests;
