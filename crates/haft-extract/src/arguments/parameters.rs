//! Finds the parameters of one call where they are written as tags: `<parameter=K>V</parameter>`,
//! `<arg_key>K</arg_key><arg_value>V</arg_value>`, `<K>V</K>`, and the like.
//!
//! The scanner is called again and again with a text that only grows. It keeps the place it has
//! come to and looks a bounded way ahead, so that every way of cutting the text gives the same
//! parameters, and each byte of a value is passed once. What a tag means is decided in [`mark`],
//! for Kimi's tags in [`kimi`]; [`text`] says what follows one. What stands between two parameters,
//! and a name and its value in a pair of tags, is read in [`between`]; where a value ends is decided in
//! [`value`] and [`following`]; elements inside a value are read by [`elements()`].

mod between;
mod elements;
mod following;
mod kimi;
mod mark;
mod quoted;
mod text;
mod value;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::scan::{More, Seen, Text};
use mark::{Mark, MarkKind};
use text::Source;
use value::OpenValue;

pub(crate) use elements::{Element, elements};

/// What ends a call. Every spelling of a parameter is read under each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Style {
    /// The call's own closing tag: `</function>`, `</invoke>`, `<|close|>call<|sep|>`.
    #[default]
    Invoke,
    /// The closing tag of the wrapper in which the call stands alone: `</tool_call>` of GLM.
    Pairs,
    /// The end of a message: `<|end|>`, `<|call|>`.
    Message,
    /// The closing tag of an element that is named like the tool: `</get_weather>`.
    Element,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Raw text; the schema says what it stands for.
    #[default]
    Schema,
    /// A string: `string="true"`, `type="string"`.
    Text,
    /// JSON: `string="false"`, or a type of JSON that is not a string.
    Json,
    /// Elements, each behind MiniMax's prefix; [`elements()`] reads them.
    Elements,
}

/// One parameter: ranges in the text given to [`Parameters::run`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name; empty where the model wrote none.
    pub(crate) key: Range<usize>,
    /// Its value without the line breaks that the template puts around it.
    pub(crate) value: Range<usize>,
    /// What is known of the value.
    pub(crate) kind: ValueKind,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// How many bytes it takes: its own closing tag is among them, that of a wrapper is not. At the
    /// end of the reply this may lie before what was [decided](Parameters::decided): a value that
    /// never ended is cut at its most likely end.
    pub(crate) end: usize,
    /// False when the text ended inside a parameter.
    pub(crate) complete: bool,
}

/// The parameters that a call may have.
#[derive(Debug, Default)]
struct Names {
    /// The parameters of the tool; None where any name is one.
    known: Option<Arc<[String]>>,
    /// Where the names of those stand that are given already.
    given: Vec<Range<usize>>,
}

impl Names {
    /// Those of the tool that are not given yet.
    fn not_given(&self, source: &Source<'_>) -> impl Iterator<Item = &str> {
        let is_given = |known: &&str| self.given.iter().any(|key| source.slice(key) == *known);
        let known = self.known.iter().flat_map(|known| known.iter());
        known
            .map(String::as_str)
            .filter(move |name| !is_given(name))
    }
}

/// The scanner of one call.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    style: Style,
    /// The parameters that it may have; a value that is being read has them in its stead.
    names: Option<Names>,
    /// The parameters found so far, in order.
    pub(crate) list: Vec<Parameter>,
    state: State,
    /// Where to go on.
    at: usize,
    /// The end of the last tag that was taken.
    taken: usize,
    /// How far the text may be shown: everything before is decided.
    pub(crate) decided: usize,
    /// Where the stray text between two parameters begins.
    stray: Option<usize>,
    /// MiniMax's prefix stands right before `at`.
    prefixed: bool,
    /// Tags were missing, doubled or damaged.
    pub(crate) repaired: bool,
}

// Each chunk asks for it: a byte of its own tells it sooner than a field that has room for it.
#[derive(Debug, Default)]
#[repr(u8)]
enum State {
    /// Between two parameters.
    #[default]
    Between,
    /// Inside `<arg_key>`, which ended at this offset.
    Key(usize),
    /// Behind `</arg_key>` of this name, before `<arg_value>` of a value of this kind.
    AfterKey(Range<usize>, ValueKind),
    /// Inside a value.
    Value(OpenValue),
    Done(Done),
}

impl Parameters {
    /// A scanner for the text behind a call's header.
    pub(crate) fn new(style: Style, names: Option<Arc<[String]>>) -> Self {
        Self {
            style,
            names: Some(Names {
                known: names,
                ..Names::default()
            }),
            ..Self::default()
        }
    }

    /// Reads on. `text` begins with all that was given before; `finished` says that nothing
    /// follows.
    pub(crate) fn run(&mut self, text: &str, finished: bool) -> Seen<Done> {
        let source = &Source::new(Text { text, finished });
        loop {
            let step = match &self.state {
                State::Between => self.between(source),
                State::Key(start) => self.key(source, *start),
                State::AfterKey(key, kind) => self.after_key(source, key.clone(), *kind),
                State::Value(_) => self.value(source),
                State::Done(done) => return Ok(*done),
            };
            if step.is_err() {
                let is_bracket = source.byte(self.at.wrapping_sub(1)) == Some(b']');
                self.decided = match self.state {
                    State::Between => self.taken,
                    State::Value(_) if is_bracket => self.at - 1,
                    _ => self.at,
                };
                return Err(More);
            }
        }
    }

    /// Goes on behind a tag.
    fn advance(&mut self, end: usize, state: State) -> Seen<()> {
        self.at = end;
        self.taken = end;
        self.stray = None;
        self.prefixed = false;
        self.state = state;
        Ok(())
    }

    /// The call is over; not `complete` where the text ended inside a parameter.
    fn over(&mut self, end: usize, complete: bool) -> Seen<()> {
        self.decided = end;
        self.state = State::Done(Done { end, complete });
        Ok(())
    }

    /// Looks for the end of a value.
    fn value(&mut self, source: &Source<'_>) -> Seen<()> {
        let State::Value(open) = &mut self.state else {
            return Ok(());
        };
        open.style = self.style;
        if let Some(names) = self.names.take() {
            open.names = names;
        }
        let end = open.run(source, &mut self.at)?;
        let key = open.key.clone();
        let is_first = open
            .names
            .not_given(source)
            .any(|name| name == source.slice(&key));
        open.names.given.extend(is_first.then_some(key));
        self.names = Some(std::mem::take(&mut open.names));
        self.list.push(open.parameter(source, end));
        self.repaired |= open.doubled || end.is_none_or(|end| end.repaired);
        match end {
            Some(end) => self.advance(end.resume, State::Between),
            None => self.over(source.len(), false),
        }
    }
}

/// `text` with the four entities of Kimi's attributes written out.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&quot;", "\"").replace("&lt;", "<");
    // Last, so that `&amp;lt;` stays `&lt;`.
    Cow::Owned(text.replace("&gt;", ">").replace("&amp;", "&"))
}

#[cfg(test)]
mod tests;
