//! Finds the parameters of one call where they are written as tags: `<parameter=K>V</parameter>`,
//! `<arg_key>K</arg_key><arg_value>V</arg_value>`, `<K>V</K>`, and the like.
//!
//! The scanner is called again and again with a text that only grows. It keeps the place it has
//! come to and looks a bounded way ahead, so that every way of cutting the text gives the same
//! parameters, and each byte of a value is passed once. What a tag means is decided in [`mark`],
//! where a value ends in [`value`], and how a name and its value stand in a pair of tags in
//! [`pair`]; elements inside a value are read by [`elements()`].

mod elements;
mod following;
mod mark;
mod misspelt;
mod pair;
mod quoted;
mod text;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use crate::scan::{More, Seen, Text};
use mark::{Mark, MarkKind};
use text::Reader;
use value::OpenValue;

pub(crate) use elements::{Element, elements};

/// How far stray text is followed before the call is held to be over.
const MAX_STRAY: usize = 256;

/// What ends a call. Every spelling of a parameter is read under each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The call's own closing tag: `</function>`, `</invoke>`, `<|close|>call<|sep|>`.
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

impl Parameter {
    fn new(key: Range<usize>, value: Range<usize>, kind: ValueKind) -> Self {
        Self { key, value, kind }
    }
}

/// How far a scan came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The call goes on.
    More,
    /// The call is over.
    Done {
        /// How many bytes it takes: its own closing tag is among them, that of a wrapper is not.
        /// At the end of the reply this may lie before what was
        /// [decided](Parameters::decided): a value that never ended is cut at its most likely end.
        end: usize,
        /// Tags were missing, doubled or damaged.
        repaired: bool,
        /// False when the text ended inside a parameter.
        complete: bool,
    },
}

/// The scanner of one call.
#[derive(Debug)]
pub(crate) struct Parameters {
    style: Style,
    list: Vec<Parameter>,
    state: State,
    /// Where to go on.
    at: usize,
    /// The end of the last tag that was taken.
    taken: usize,
    /// What may be shown.
    decided: usize,
    /// MiniMax's prefix stands right before `at`.
    prefixed: bool,
    repaired: bool,
}

#[derive(Debug)]
enum State {
    /// Between two parameters. Stray text may have begun.
    Between { stray: Option<usize> },
    /// Inside `<arg_key>`, which ended at this offset.
    Key { start: usize },
    /// Behind `</arg_key>`, before `<arg_value>`.
    AfterKey { key: Range<usize>, kind: ValueKind },
    /// Inside a value.
    Value(OpenValue),
    /// Over.
    Done { end: usize, complete: bool },
}

impl Parameters {
    /// A scanner for the text behind a call's header.
    pub(crate) fn new(style: Style) -> Self {
        Self {
            style,
            list: Vec::new(),
            state: State::Between { stray: None },
            at: 0,
            taken: 0,
            decided: 0,
            prefixed: false,
            repaired: false,
        }
    }

    /// Reads on. `text` begins with all that was given before; `finished` says that nothing
    /// follows.
    pub(crate) fn run(&mut self, text: &str, finished: bool) -> Progress {
        let reader = Reader {
            text: Text { text, finished },
            style: self.style,
        };
        loop {
            if let State::Done { end, complete } = self.state {
                return Progress::Done {
                    end,
                    repaired: self.repaired,
                    complete,
                };
            }
            if let Err(More) = self.step(&reader) {
                self.decided = self.settled(&reader);
                return Progress::More;
            }
        }
    }

    fn step(&mut self, reader: &Reader<'_>) -> Seen<()> {
        match &self.state {
            State::Between { stray } => self.between(reader, *stray),
            State::Key { start } => self.key(reader, *start),
            State::AfterKey { key, kind } => self.after_key(reader, key.clone(), *kind),
            State::Value(_) | State::Done { .. } => self.value(reader),
        }
    }

    /// The parameters found so far, in order.
    pub(crate) fn list(&self) -> &[Parameter] {
        &self.list
    }

    /// How far the text may be shown: everything before is decided.
    pub(crate) fn decided(&self) -> usize {
        self.decided
    }

    /// Everything before this belongs to the call.
    fn settled(&self, reader: &Reader<'_>) -> usize {
        match self.state {
            State::Between { .. } => self.taken,
            State::Value(_) if reader.byte(self.at.wrapping_sub(1)) == Some(b']') => self.at - 1,
            _ => self.at,
        }
    }

    /// Goes on behind a tag.
    fn take(&mut self, end: usize, state: State) {
        self.at = end;
        self.taken = end;
        self.prefixed = false;
        self.state = state;
    }

    /// Goes on between two parameters, behind a tag.
    fn take_between(&mut self, end: usize) {
        self.take(end, State::Between { stray: None });
    }

    /// The call is over; not `complete` where the text ended inside a parameter.
    fn over(&mut self, end: usize, complete: bool) {
        self.decided = end;
        self.state = State::Done { end, complete };
    }

    /// The next tag between two parameters.
    fn between(&mut self, reader: &Reader<'_>, stray: Option<usize>) -> Seen<()> {
        if stray.is_none() {
            let blanks = reader.blanks(self.at)?;
            self.at = blanks.end;
            self.prefixed |= blanks.prefixed;
        }
        let from = stray.unwrap_or(self.at);
        let found = reader.find(self.at);
        let next = found.unwrap_or(reader.len());
        if next - from > MAX_STRAY {
            self.repaired = true;
            self.over(self.taken, true);
            return Ok(());
        }
        let stray = (next > from).then_some(from);
        self.prefixed &= next == self.at;
        self.at = next;
        self.state = State::Between { stray };
        if found.is_none() {
            reader.ended()?;
            self.end_without_tag(reader, stray);
            return Ok(());
        }
        if stray.is_some()
            && let Some(tag) = reader.prefix(next)?
        {
            self.prefixed = true;
            self.at = tag;
            return Ok(());
        }
        match reader.mark(self.at, self.prefixed)? {
            Some(mark) => self.tag_between(reader, &mark, stray),
            None if reader.is_cut_tag(self.at) && stray.is_none() => {
                self.repaired = true;
                self.over(reader.len(), reader.is_cut_closing_tag(self.at));
                Ok(())
            }
            None => {
                self.skip_stray(stray);
                Ok(())
            }
        }
    }

    /// Passes a `<` that means nothing.
    fn skip_stray(&mut self, stray: Option<usize>) {
        let stray = stray.or(Some(self.at));
        self.state = State::Between { stray };
        self.at += 1;
        self.prefixed = false;
    }

    /// The reply ended behind a parameter, or behind stray text.
    fn end_without_tag(&mut self, reader: &Reader<'_>, stray: Option<usize>) {
        self.repaired |= self.style != Style::Message || stray.is_some();
        let end = match stray {
            Some(_) => self.taken,
            None => reader.len(),
        };
        // Of a call that only began, nobody knows what would have followed.
        self.over(end, self.style != Style::Invoke || !self.list.is_empty());
    }

    fn tag_between(&mut self, reader: &Reader<'_>, mark: &Mark, stray: Option<usize>) -> Seen<()> {
        use MarkKind::{Call, Element, Frame, Key, Separator, Type, Value, Wrapper};
        let (at, end) = (self.at, mark.end);
        self.repaired |= mark.damaged || stray.is_some();
        match (mark.kind, mark.close) {
            (MarkKind::Parameter, false) => self.open_value(reader, mark),
            (Element, false) if stray.is_some() && !self.prefixed => self.skip_stray(stray),
            (Element, false) if mark.is_empty_element(reader) || !reader.is_container(mark)? => {
                self.open_value(reader, mark);
            }
            (Key, false) => self.take(end, State::Key { start: end }),
            (Key, true) if let Some(key) = stray.and_then(|stray| reader.stray_key(stray..at)) => {
                let kind = ValueKind::Schema;
                self.take(end, State::AfterKey { key, kind });
            }
            (Value, false) => {
                self.repaired = true;
                let value = OpenValue::pair(at..at, ValueKind::Schema, end);
                self.take(end, State::Value(value));
            }
            (Call, true) => {
                self.repaired |= self.style != Style::Invoke;
                self.over(end, true);
            }
            (Element, true)
                if self.style == Style::Element && !reader.is_container_name(&mark.name) =>
            {
                self.over(end, true);
            }
            (Call, false) | (Wrapper | Frame, _) => {
                let is_close = mark.kind == Wrapper && mark.close;
                let is_regular = match mark.kind {
                    Wrapper => is_close && self.style == Style::Pairs,
                    Frame => self.style == Style::Message,
                    _ => false,
                };
                self.repaired |= !is_regular;
                let is_before = stray.is_some() && !is_close;
                self.over(if is_before { self.taken } else { at }, true);
            }
            (Key | Value | Element | MarkKind::Parameter, true)
            | (Type | Separator | Element, _) => {
                let is_meant = mark.kind == Separator
                    || (mark.kind == Element && reader.is_container_name(&mark.name));
                self.repaired |= !is_meant;
                self.take_between(end);
            }
        }
        Ok(())
    }

    /// Goes on behind the opening tag of a parameter.
    fn open_value(&mut self, reader: &Reader<'_>, mark: &Mark) {
        if let Some(parameter) = reader.value_in_tag(mark) {
            self.list.push(parameter);
            return self.take_between(mark.end);
        }
        let value = OpenValue::new(mark, self.prefixed);
        self.repaired |= value.key.is_empty();
        self.take(value.start, State::Value(value));
    }

    /// Looks for the end of a value.
    fn value(&mut self, reader: &Reader<'_>) -> Seen<()> {
        let State::Value(open) = &mut self.state else {
            return Ok(());
        };
        let end = open.run(reader, &mut self.at)?;
        let value = match &end {
            Some(end) => open.trimmed(reader, end),
            None => open.start..reader.len(),
        };
        let parameter = Parameter::new(open.key.clone(), value, open.kind());
        self.list.push(parameter);
        self.repaired |= open.doubled || end.is_none_or(|end| end.repaired);
        match end {
            Some(end) => self.take_between(end.resume),
            None => self.over(reader.len(), false),
        }
        Ok(())
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
