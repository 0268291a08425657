//! A call as it was found, before its arguments are read.

use std::borrow::Cow;

use haft_schema::Repair;
use serde_json::Value;

use crate::{Format, arguments::parameters::Parameter};

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
    pub(crate) fn new(name: impl Into<Cow<'t, str>>, written: Written<'t>, format: Format) -> Self {
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
            ..FoundCall::new(name, arguments, self.format)
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
