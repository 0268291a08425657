//! The push parser: chunks of a reply in, pieces out.
//!
//! `extractor` takes chunks and keeps what is not decided. `reader` has the states, and says as
//! events what the text is; `judge` holds back calls that may only be mentioned; `output` counts
//! calls, drops repetitions and hands out pieces, with `seam` for the white space around what was
//! taken out.
//!
//! # A reply of Qwen's, from the first byte to the `ToolCall`
//!
//! The tool `get_weather` is bound, with one parameter, the text `city`. The reply goes through
//! `extractor`, `reader`, `judge`, `output`, `calls`, and in the folder `reader` the five files that are
//! named here. `reader` makes one step after the other, each in
//! the function of its state:
//!
//! | state | in the folder `reader` | takes | tells |
//! |---|---|---|---|
//! | `Start` | `start` in `../reader.rs` | | |
//! | `Line` | `line` in `line.rs` | | |
//! | `Prose` | `prose` in `prose.rs` | `Let me look.⏎` | `Text` |
//! | `Inside` | `inside` in `inside.rs` | | |
//! | `Object` | `object` in `object.rs` | `<tool_call>⏎{"name": "get_weather", "arguments":` | `Markup`, `CallBegins` |
//! | `Arguments` | `arguments` in `arguments.rs` | | `Arguments` |
//! | `Behind` | `behind_arguments` in `arguments.rs` | `{"city": "Oslo"}` | `Call` |
//! | `RestOfObject` | `rest_of_object` in `arguments.rs` | `}` | `Markup` |
//! | `Inside` | `inside` in `inside.rs` | `⏎</tool_call>` | `Candidate`, `Markup` |
//!
//! A test (`reader/tests.rs`) holds the table to the code. What a step asks elsewhere, and what the
//! answer is here:
//!
//! | in | asked | answer |
//! |---|---|---|
//! | `start` | `worded_thought` | no: such a thought begins with `◁`, `H` or `t` |
//! | `line`, `prose` | `may_hold_call` | no: a line with a call without a marker begins with a bracket, a label or the name of a tool, never with `<`. `line` leaves the line to `prose` |
//! | `prose` | `tag` (`scan::tag`) | `<tool_call>`: its letters, `toolcall`, are those of a marker in `formats::qwen`, a wrapper of calls in the format `hermes` |
//! | `prose`, `inside` | `named_tool` | none: only `<tool_call name="N">` and `<tool:N>` name one |
//! | `inside` | `next` | a brace: the step goes to `open_object`; behind the call the closing tag, which ends the wrapper |
//! | `object` | `run` (`scan::balance`) | `ArgumentsOpen` at the second brace; on the way `strict_string` noted the name and the key |
//! | `object` | `called_tool` | `get_weather`, as no parameter of that tool is called `arguments` |
//! | `arguments` | `run`, the same scan | `ArgumentsClosed` behind the next brace |
//! | `behind_arguments` | `argument_follows` | no: only behind a comma. Models close arguments too early |
//! | `judge`: `take` | `may_mention` (`mention`) | no: nothing is held back, and every event goes on at once |
//! | `output`: `take` | `seam` | the line break before the call is dropped, as no text follows the call |
//! | `output`: `call` | `find` (`tool_set`) | the tool with exactly this name |
//! | `calls`: `read` | `fits` (`haft_schema`) | yes: the arguments, read by `serde_json`, stay as they are |
//!
//! `complete` in `output` finds no equal call before it and hands out the `ToolCall` in the piece
//! `CallEnd`, which `haft_models::reply` puts into the reply of the model.
//!
//! In a stream a step that needs more text is made again when that has come, and tells nothing twice
//! but `Candidate`; while the bracket of a tag has not come, `waits_for_bracket` saves it. A quote
//! waits for what follows it: a comma and a key, or what stands behind all closing brackets. A chunk
//! that ends with the line break makes one more step in `line`, which leaves `<` to `prose`.
//!
//! All this is so with the default options: without `text_mode`, `raw`, `starts_thinking` and
//! `thought_calls`.

pub(crate) mod extractor;
pub(crate) mod judge;
pub(crate) mod output;
pub(crate) mod reader;
pub(crate) mod seam;

pub(crate) use judge::Placement;

use std::borrow::Cow;

use haft_schema::Repair;
use serde_json::Value;

use crate::arguments::parameters::Parameter;
use crate::{ExtractOptions, Format, ToolSet};

/// What is known before a reply is read.
#[derive(Clone, Copy)]
pub(crate) struct About<'t> {
    pub(crate) tools: &'t ToolSet,
    pub(crate) options: &'t ExtractOptions,
}

/// One step of reading: what the reader finds in a reply, before anything is read as arguments.
///
/// The texts of the events, one after the other, are the reply: what an event was read from is in
/// that event and in no other. Only what is shown ahead of a call comes again with it.
#[derive(Debug)]
pub(crate) enum ParseEvent<'t> {
    /// Text.
    Text(&'t str),
    /// Thinking.
    Reasoning(&'t str),
    /// Markup.
    Markup(&'t str),
    /// All text so far was thinking.
    ThinkingEnded,
    /// A call of the tool with this name, as written, has certainly begun.
    CallBegins(&'t str),
    /// More of its arguments, shown ahead.
    Arguments(&'t str),
    /// A call is complete, begun before or not; with the text that it was read from, as far as that
    /// did not come as markup.
    Call(FoundCall<'t>, &'t str),
    /// A call of the tool with this name may have begun: in something that is held back.
    CallMayBegin(&'t str),
    /// More of the arguments of that call.
    ArgumentsAhead(&'t str),
    /// What was held back is decided: calls that may have begun and did not come are none.
    Decided,
    /// The reply ended without the tag that closes the wrapper of the last call.
    Unclosed,
    /// How the next calls stand in the reply: by it and by the text around them is judged whether they
    /// are meant. A call that no such event precedes has a marker, outside of fences and quotations.
    Candidate(Placement),
}

/// Where events go.
pub(crate) type EventSink<'s> = &'s mut dyn FnMut(ParseEvent<'_>);

/// A call as it was found.
#[derive(Clone, Debug)]
pub(crate) struct FoundCall<'t> {
    /// The name as written, without prefixes and counters.
    pub(crate) name: Cow<'t, str>,
    /// The arguments as written.
    pub(crate) arguments: Written<'t>,
    /// The format that its markers announce, or that it was read in.
    pub(crate) format: Format,
    /// The reply ended before the call did.
    pub(crate) cut: bool,
    /// A tag was missing or damaged.
    pub(crate) repaired: bool,
    /// What was repaired while reading it.
    pub(crate) repairs: Vec<Repair>,
}

/// Calls that stand for themselves.
pub(crate) type Calls = Vec<FoundCall<'static>>;

/// Arguments as they were written.
#[derive(Clone, Debug)]
pub(crate) enum Written<'t> {
    /// No arguments.
    Nothing,
    /// A JSON object, more or less.
    Object(Cow<'t, str>),
    /// What stood between parentheses, or members without braces.
    Call(Cow<'t, str>),
    /// Tags: the text, and where the parameters stand in it.
    Tags(Cow<'t, str>, Cow<'t, [Parameter]>),
    /// A value that was read already, with its text.
    Value(Value, Cow<'t, str>),
    /// Something that cannot be read as a call, and what is wrong with it.
    Unreadable(Cow<'t, str>, &'static str),
}

impl<'t> FoundCall<'t> {
    /// A whole call of which nothing was repaired.
    pub(crate) fn whole(
        name: impl Into<Cow<'t, str>>,
        written: Written<'t>,
        format: Format,
    ) -> Self {
        Self {
            name: name.into(),
            arguments: written,
            format,
            cut: false,
            repaired: false,
            repairs: Vec::new(),
        }
    }

    /// This call, with whether the reply ended before it did.
    pub(crate) fn cut(self, cut: bool) -> Self {
        Self { cut, ..self }
    }

    /// Independent of the text that it was found in.
    pub(crate) fn into_owned(self) -> FoundCall<'static> {
        let (name, arguments) = (own(self.name), self.arguments.into_owned());
        FoundCall {
            cut: self.cut,
            repaired: self.repaired,
            repairs: self.repairs,
            ..FoundCall::whole(name, arguments, self.format)
        }
    }
}

impl<'t> Written<'t> {
    /// The text as the model wrote it.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Object(text)
            | Self::Call(text)
            | Self::Tags(text, _)
            | Self::Value(_, text)
            | Self::Unreadable(text, _) => text,
        }
    }

    fn into_owned(self) -> Written<'static> {
        match self {
            Self::Nothing => Written::Nothing,
            Self::Object(text) => Written::Object(own(text)),
            Self::Call(text) => Written::Call(own(text)),
            Self::Tags(text, list) => Written::Tags(own(text), Cow::Owned(list.into_owned())),
            Self::Value(value, text) => Written::Value(value, own(text)),
            Self::Unreadable(text, why) => Written::Unreadable(own(text), why),
        }
    }
}

fn own(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
