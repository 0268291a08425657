//! What the reader finds in a reply, before anything is read as arguments.
//!
//! The [`reader`](crate::machine::reader) makes readings, [`output`](crate::machine::output) turns them into the
//! pieces that callers see.

use std::borrow::Cow;

use haft_schema::Repair;
use serde_json::Value;

use crate::Format;
use crate::arguments::parameters::Parameter;
use crate::machine::judge::Placement;

/// One step of reading.
#[derive(Clone, Debug)]
pub(crate) enum Reading<'t> {
    /// Text.
    Text(Cow<'t, str>),
    /// Thinking.
    Reasoning(Cow<'t, str>),
    /// Markup.
    Syntax(Cow<'t, str>),
    /// All text so far was thinking.
    ThinkingEnded,
    /// A call of the tool with this name, as written, has certainly begun.
    Start(Cow<'t, str>),
    /// More of its arguments.
    Fragment(Cow<'t, str>),
    /// A call of the tool with this name may have begun: in something that is held back.
    Ahead(Cow<'t, str>),
    /// More of the arguments of that call.
    AheadArguments(Cow<'t, str>),
    /// What was held back is decided; calls that were told of ahead and did not come are none.
    Decided,
    /// A call is complete, announced or not.
    Call(Found<'t>),
    /// The reply ended without the tag that closes the wrapper of the last call.
    Unclosed,
    /// The next calls have no marker outside of fences and quotations: whether they are meant is
    /// to be judged by the text around them.
    Candidate(Placement),
    /// This text is decided: what was handed out since the last one was read from it.
    Source(Cow<'t, str>),
}

/// A call as it was found.
#[derive(Clone, Debug)]
pub(crate) struct Found<'t> {
    /// The name as written, without prefixes and counters.
    pub(crate) name: Cow<'t, str>,
    /// The place of the tool with exactly this name, if it was looked for.
    pub(crate) tool: Option<usize>,
    /// The arguments as written.
    pub(crate) arguments: Written<'t>,
    /// The format's name.
    pub(crate) format: Format,
    /// The reply ended before the call did.
    pub(crate) cut: bool,
    /// A tag was missing or damaged.
    pub(crate) mended: bool,
    /// What was mended while reading it.
    pub(crate) repairs: Vec<Repair>,
}

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

impl Reading<'_> {
    /// The same, independent of the text it was found in.
    pub(crate) fn into_owned(self) -> Reading<'static> {
        match self {
            Self::Text(text) => Reading::Text(own(text)),
            Self::Reasoning(text) => Reading::Reasoning(own(text)),
            Self::Syntax(text) => Reading::Syntax(own(text)),
            Self::ThinkingEnded => Reading::ThinkingEnded,
            Self::Unclosed => Reading::Unclosed,
            Self::Candidate(placement) => Reading::Candidate(placement),
            Self::Source(text) => Reading::Source(own(text)),
            Self::Start(name) => Reading::Start(own(name)),
            Self::Fragment(text) => Reading::Fragment(own(text)),
            Self::Ahead(name) => Reading::Ahead(own(name)),
            Self::AheadArguments(text) => Reading::AheadArguments(own(text)),
            Self::Decided => Reading::Decided,
            Self::Call(found) => Reading::Call(found.into_owned()),
        }
    }
}

impl Found<'_> {
    fn into_owned(self) -> Found<'static> {
        Found {
            name: own(self.name),
            tool: self.tool,
            arguments: self.arguments.into_owned(),
            format: self.format,
            cut: self.cut,
            mended: self.mended,
            repairs: self.repairs,
        }
    }
}

fn own<'a>(text: Cow<'_, str>) -> Cow<'a, str> {
    Cow::Owned(text.into_owned())
}
