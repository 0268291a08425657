//! The push parser: chunks of a reply in, pieces out.
//!
//! `extractor` takes chunks and keeps what is not decided. `reader` has the states, and says as
//! events what the text is; `judge` holds back calls that may only be mentioned; `output` counts
//! calls, drops repetitions and hands out pieces, with `seam` for the white space around what was
//! taken out.
//!
//! # A reply of Qwen's, from the first byte to the `ToolCall`
//!
//! `extractor` hands the text to `reader`, which makes one step after the other, each in the function
//! of its state. In a stream it waits in that state for more text; while the bracket of a tag has not
//! come, `waits_for_bracket` in `../reader.rs` saves the step.
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
//! | `Rest` | `rest` in `arguments.rs` | `}` | `Markup` |
//! | `Inside` | `inside` in `inside.rs` | `⏎</tool_call>` | `Candidate`, `Markup` |
//!
//! Why, with the default options (no `text_mode`, not `raw`, not `starts_thinking`):
//!
//! * `start`: the reply begins with no word that begins a thought, and with no header of a channel.
//! * `line`: a call without a marker begins with the name of a tool, a bracket or a label, never with
//!   `Le` where no tool is called so (`tool_set::starts`). Nor does one begin with `<`, so that `prose`
//!   goes on behind the line break without the state `Line`.
//! * `prose`: `scan::tag` cuts the tag out. Its letters, without `_`, are those of a marker in
//!   `formats::qwen`, which says that `toolcall` is a wrapper, and that the call is in the format
//!   `hermes`. No quotation mark stands before it.
//! * `inside`: behind blanks comes a brace. In the object no `tool =>` stands.
//! * `object`: `scan::balance` stops where the arguments open; the name before them is that of a tool,
//!   none of whose parameters is called `arguments`. The scan goes on in the next two states. In it
//!   `strict_string` steps over strings: a quote ends one where `quote_ends` of `scan::lexis` says so of
//!   what stands behind it, and a stream waits until that has come.
//! * `arguments`: it stops where they close. They wait for what is behind them, because models close
//!   them too early; no comma with another argument follows, so the call is whole.
//! * `inside`: `Candidate` says how a next call would stand. The closing tag ends the wrapper; without
//!   it, `Unclosed` would be told. It has no attributes that name a tool (`named_tool`), and its own
//!   name is not that of a tool or a parameter (`tool_element`).
//!
//! Each event goes through `take` in `judge`, which keeps `Candidate` for itself, as no call waits, and
//! hands all others on at once: the call has a marker, none of the phrases of `before_marked`
//! (`mention::lead_in`) stands in the text before it, which does not end within a sentence
//! (`ends_within`), and no element that quotes (`mention::quoting`) is open there. Then `output` makes pieces of them; `seam` drops
//! the line break before the call, behind which no text comes. The call goes from its `call` through
//! `read` in `calls`: the arguments are valid JSON, read by `serde_json`, and an object; no value in
//! them is a placeholder or stands for the result of another call, and they fit the schema, so that
//! nothing is coerced. `complete` finds no equal call before it, and hands out the `ToolCall` in the
//! piece `CallEnd`, which `haft_models::reply` puts into the reply of the model.

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
    /// How the next calls stand in the reply. Whether those are meant that have no marker outside of
    /// fences and quotations is judged by the text around them. A call that no such event precedes
    /// has one.
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
