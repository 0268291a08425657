//! The push parser: chunks of a reply in, pieces out.
//!
//! `extractor` takes chunks and keeps what is not decided. `reader` has the states, and says as
//! events what the text is; `judge` holds back calls that may only be mentioned; `output` counts
//! calls, drops repetitions and hands out pieces, with `seam` for the white space around what was
//! taken out.
//!
//! # A reply of Qwen's, from the first byte to the `ToolCall`
//!
//! ```text
//! Let me look.
//! <tool_call>
//! {"name": "get_weather", "arguments": {"city": "Oslo"}}
//! </tool_call>
//! ```
//!
//! The tool `get_weather` is bound, with one parameter, the text `city`. To follow this reply, read ten
//! files: this one, `extractor`, `reader`, `judge`, `output`, `calls`, and `line`, `prose`, `inside` and
//! `object` in the folder `reader`. What they ask of others is listed below, with the answer.
//!
//! `extract` gives the reply to `Extractor::finish_with`; `Machine::read` (in `extractor`) calls
//! `Reader::read`, which calls `step` until nothing is left. A step is made in the function of its state:
//!
//! | state | in the folder `reader` | takes | tells |
//! |---|---|---|---|
//! | `Start` | `start` in `../reader.rs` | | |
//! | `Line` | `line` in `line.rs` | | |
//! | `Prose` | `prose` in `prose.rs` | `Let me look.⏎` | `Text` |
//! | `Inside` | `inside` in `inside.rs` | | |
//! | `Object` | `object` in `object.rs` | `<tool_call>⏎{"name": "get_weather", "arguments":` | `Markup`, `CallBegins` |
//! | `Arguments` | `arguments` in `object.rs` | | `Arguments` |
//! | `BehindArguments` | `behind_arguments` in `object.rs` | `{"city": "Oslo"}` | `Call` |
//! | `RestOfObject` | `rest_of_object` in `object.rs` | `}` | `Markup` |
//! | `Inside` | `inside` in `inside.rs` | `⏎</tool_call>` | `NextCall`, `Markup` |
//!
//! A test (`reader/tests.rs`) holds this table to the code, for a reply that is there whole; spaces at the
//! end of a text are left out. The opening tag is not taken before the call is certain. The event
//! `Arguments` is for display in a stream; `Call` has the same text again, and only that is read.
//! `NextCall` says how a next call would stand; none comes, and the judge drops it.
//!
//! What the steps ask, and what the answer is here, is held by no test:
//!
//! | in | asked | answer |
//! |---|---|---|
//! | `start` | `worded_thought` | no: such a thought begins with `◁`, `H` or `t` |
//! | `line` | `may_hold_call` | no: no label and no name of a tool begins with `Le` |
//! | `prose` | `next_sign` | the `<`: no call without a marker begins with it, so the line break before it is passed over |
//! | `prose` | `Cursor::tag` (`scan::tag`) | `<tool_call>`: its letters, `toolcall`, are those of a marker in `formats::qwen`, a wrapper of calls in the format `hermes` |
//! | `prose` | `named_tool` | none: the tag has no attribute that names a tool, and no `:N` behind its letters |
//! | `inside` | `next` | a brace: the step goes to `open_object` |
//! | `object` | `Balance::run` (`scan::balance`) | `ArgumentsOpen`, with the place before the second brace; it stops so at each member that is an object. `Balance::name` and `Balance::key` are known by then |
//! | `object` | `is_arguments_key` | yes: `arguments` |
//! | `object` | `called_tool` | `get_weather`: it is bound, and has no parameter called `arguments` |
//! | `arguments` | `Balance::run`, the same scan | `ArgumentsClosed`, with the place behind the first closing brace |
//! | `behind_arguments` | `argument_follows` | no: no comma follows. Behind a comma another argument would be taken in, as models close arguments too early |
//! | `rest_of_object` | whether words or another object follow | neither: a brace closes this one |
//! | `rest_of_object` | `Balance::run`, the same scan | `Closed`, with the place behind the last brace |
//! | `inside` | `inside_tag` | the tag closes a wrapper, behind a call: the next state is `Line` |
//!
//! `advance(n, state)` says that `n` bytes are decided, and goes to `state`; `take_markup(end, state)`
//! reports the text before `end` as markup, too. `tell_text` only reports. `body(at)` is what stands behind
//! the blanks at `at`, and where. `call_ended` and `wrapper_closed` note what the next decisions depend on.
//! An answer that is not certain yet is `Err(More)`, and `?` ends the step with it.
//!
//! Each event goes to `Judge::take`. At the first `Markup` behind text it asks `may_mention` (`mention`),
//! which says no: the text ends with a line break, no element that quotes is open, and none of its words
//! says that the call is not made. So the judge holds nothing back. `Text` goes on at once to
//! `Target::text` (in `output`), `Arguments` to `Target::fragment`, and all others but `NextCall` to
//! `Target::take`. These make pieces of them: of `Text` `Piece::Text`, of `Arguments` `CallArgs`, of
//! `Markup` `Syntax`, of `CallBegins` `CallStart`, of `Call` `CallEnd`. `ToolSet::find` finds the tool by
//! exactly this name. `calls::read` reads the arguments with `serde_json`; they hold no placeholder and no
//! result of another call, and fit the schema, so that nothing is coerced. `complete` finds no equal call
//! before it and hands out the `ToolCall`, which `Extraction::add` puts into `calls`. The line break before
//! the call is kept in `seam`, and dropped at the end, as no text followed.
//!
//! In a stream a step that needs more text is called again when that has come; scans of brackets go on
//! where they were, and no event is told twice but `NextCall`. A quote ends its string only where what
//! follows proves it, so that the last `"}` is shown with the line break behind `}}`. A chunk that ends with
//! a line break makes one more step in `line`. While the bracket of the opening tag has not come,
//! `waits_for_bracket` saves the step.
//!
//! All this is so with the default options: without `text_mode`, `raw`, `starts_thinking` and
//! `thought_calls`, and with `bare_calls` at its default.

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
/// The texts of `Text`, `Reasoning`, `Markup` and `Call`, one after the other, are the reply. The other
/// events say parts of it once more.
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
    NextCall(Placement),
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
