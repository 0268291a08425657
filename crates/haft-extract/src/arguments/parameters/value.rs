//! Where a value ends.
//!
//! A value is raw text and may hold anything, tags of calls among it. So a closing tag ends it
//! only if what a template writes next follows: another parameter, the end of the call, or the
//! end of the text: see [`following`](super::following). Whatever fails that test is part of the
//! value.

mod ends;

use std::ops::Range;

use crate::arguments::parameters::ValueKind;
use crate::arguments::parameters::following::After;
use crate::arguments::parameters::mark::{Mark, MarkKind};
use crate::arguments::parameters::misspelt::without_close;
use crate::arguments::parameters::quoted::Quoted;
use crate::arguments::parameters::text::Reader;
use crate::scan::tag::{Found, may_be_tag};

/// How far blanks and doubled tags are followed to see what comes after a tag.
pub(super) const MAX_LOOK: usize = 256;

const CDATA: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// How the value's end is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `</parameter>`.
    Tag,
    /// `</arg_value>`.
    Pair,
    /// The closing tag with the name of the opening one.
    Element,
}

/// A value whose end was not yet found.
#[derive(Debug)]
pub(super) struct OpenValue {
    pub(super) key: Range<usize>,
    /// Where it begins.
    pub(super) start: usize,
    kind: ValueKind,
    pub(super) form: Form,
    /// The name of its opening tag; empty for pairs.
    pub(super) name: Range<usize>,
    /// No line break belongs to the template.
    exact: bool,
    /// Its opening tag was missing.
    unopened: bool,
    /// Its opening tag is a special token.
    pub(super) barred: bool,
    /// MiniMax's prefix stands before its opening tag.
    pub(super) prefixed: bool,
    /// Prefixed elements stand inside.
    nested: bool,
    /// How many elements of its own name are open inside.
    depth: usize,
    /// How many that are named like a wrapper of calls.
    wrappers: usize,
    /// It is wrapped in CDATA; None until its first `<`.
    cdata: Option<bool>,
    /// The calls quoted inside.
    pub(super) quoted: Quoted,
    /// How many other tags of calls it holds.
    rejected: usize,
    /// The last of them that may end it after all.
    candidate: Option<End>,
}

/// The end of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Where the value ends, line breaks of the template included.
    pub(super) value: usize,
    /// Where to go on.
    pub(super) resume: usize,
    /// Its closing tag is missing or wrong.
    pub(super) mended: bool,
}

impl End {
    /// The end of a value that was not closed, before a tag at `at` that is not its own.
    pub(super) fn before(at: usize) -> Self {
        Self {
            value: at,
            resume: at,
            mended: true,
        }
    }
}

/// What the search for the end came to.
pub(super) enum Ending {
    /// More text is needed.
    More,
    /// Here.
    At(End),
    /// A doubled opening tag was dropped.
    Again,
    /// The reply ended before.
    Cut,
}

/// What a `<` in a value is.
enum Verdict {
    More,
    /// Part of the value up to here.
    Pass(usize),
    /// A tag of a call that is part of the value, and the end that it may be after all.
    Reject(Option<End>),
    /// The value begins here, behind a doubled opening tag.
    Restart(usize),
    End(End),
}

impl OpenValue {
    /// A value behind the opening tag of a parameter or element.
    pub(super) fn new(reader: &Reader<'_>, mark: &Mark, prefixed: bool) -> Self {
        let opening = reader.opening(mark);
        Self {
            form: match mark.kind {
                MarkKind::Element => Form::Element,
                _ => Form::Tag,
            },
            name: mark.name.clone(),
            exact: opening.exact,
            barred: mark.barred,
            prefixed,
            ..Self::pair(opening.key, opening.kind, opening.end)
        }
    }

    /// A value behind `<arg_value>`.
    pub(super) fn pair(key: Range<usize>, kind: ValueKind, start: usize) -> Self {
        Self {
            key,
            start,
            kind,
            form: Form::Pair,
            name: start..start,
            exact: false,
            unopened: false,
            barred: false,
            prefixed: false,
            nested: false,
            depth: 0,
            wrappers: 0,
            cdata: None,
            quoted: Quoted::default(),
            rejected: 0,
            candidate: None,
        }
    }

    /// The same where `<arg_value>` is missing.
    pub(super) fn unopened(key: Range<usize>, kind: ValueKind, start: usize) -> Self {
        Self {
            unopened: true,
            ..Self::pair(key, kind, start)
        }
    }

    pub(super) fn kind(&self) -> ValueKind {
        if self.nested {
            ValueKind::Elements
        } else {
            self.kind
        }
    }

    /// Looks for the end from `at` on, and moves it.
    pub(super) fn run(&mut self, reader: &Reader<'_>, at: &mut usize) -> Ending {
        while let Some(found) = reader.find(*at) {
            *at = found;
            match self.at_bracket(reader, found) {
                Verdict::More => return Ending::More,
                Verdict::Pass(end) => *at = end,
                Verdict::Reject(candidate) => {
                    self.rejected += 1;
                    self.candidate = candidate;
                    *at = found + 1;
                }
                Verdict::Restart(start) => {
                    self.start = start;
                    *at = start;
                    return Ending::Again;
                }
                Verdict::End(end) => return Ending::At(end),
            }
        }
        *at = reader.text.len();
        if reader.finished {
            self.out_of_text(reader)
        } else {
            Ending::More
        }
    }

    /// The reply ended inside the value: its closing tag may be cut off, or have been taken for a
    /// part of the value because a few sentences follow.
    fn out_of_text(&self, reader: &Reader<'_>) -> Ending {
        let len = reader.text.len();
        if let Some(value) = self.cut_closing_tag(reader) {
            return Ending::At(End {
                resume: len,
                ..End::before(value)
            });
        }
        let quoted = &self.quoted;
        let call = quoted.first_call(reader, len);
        let end = self.only_end(len);
        if let Some(end) = end.filter(|end| call.is_some_and(|call| end.resume <= call)) {
            return Ending::At(end);
        }
        if let Some(end) = call.or(quoted.last_closers(reader)) {
            return Ending::At(End::before(end));
        }
        end.map_or(Ending::Cut, Ending::At)
    }

    fn at_bracket(&mut self, reader: &Reader<'_>, found: usize) -> Verdict {
        if self.cdata.is_none() {
            let before = self.start..found;
            let first = before.len() <= MAX_LOOK && reader.slice(&before).trim().is_empty();
            let rest = reader.rest(found);
            if first && !reader.finished && rest.len() < CDATA.len() && CDATA.starts_with(rest) {
                return Verdict::More;
            }
            // Pairs of tags are written without XML's rules.
            let may_wrap = first && self.form != Form::Pair;
            self.cdata = Some(may_wrap && rest.starts_with(CDATA));
        }
        match reader.byte(found + 1) {
            None if !reader.finished => Verdict::More,
            Some(b']') => match reader.prefix(found) {
                Found::More => Verdict::More,
                Found::Yes(tag) if found > self.start => self.at_prefixed(reader, found - 1, tag),
                _ => Verdict::Pass(found + 1),
            },
            _ if may_be_tag(reader.rest(found).as_bytes()) => self.at_tag(reader, found),
            _ => Verdict::Pass(found + 1),
        }
    }

    /// A tag with a prefix, which no value holds as data.
    fn at_prefixed(&mut self, reader: &Reader<'_>, outer: usize, tag: usize) -> Verdict {
        match reader.byte(tag) {
            None if !reader.finished => return Verdict::More,
            Some(b'<') => {}
            _ => return Verdict::Pass(tag),
        }
        let mark = match reader.mark(tag, true) {
            Found::More => return Verdict::More,
            Found::No => return Verdict::Pass(tag + 1),
            Found::Yes(mark) => mark,
        };
        let mended = |resume| {
            Verdict::End(End {
                resume,
                ..End::before(outer)
            })
        };
        if self.is_own_close(reader, &mark) {
            if self.depth > 0 {
                self.depth -= 1;
                return Verdict::Pass(mark.end);
            }
            return Verdict::End(End {
                value: outer,
                resume: mark.end,
                mended: mark.damaged,
            });
        }
        match mark.kind {
            MarkKind::Element | MarkKind::Parameter => {
                if !self.nested && !reader.is_blank(self.start..outer, MAX_LOOK) {
                    return mended(outer);
                }
                self.nested = true;
                if self.is_same_element(reader, &mark) {
                    self.depth += 1;
                } else {
                    self.wrappers += usize::from(mark.wraps);
                }
                Verdict::Pass(mark.end)
            }
            MarkKind::WrapperClose if self.wrappers > 0 => {
                self.wrappers -= 1;
                Verdict::Pass(mark.end)
            }
            MarkKind::ElementClose | MarkKind::ParameterClose if !self.nested => mended(mark.end),
            MarkKind::CallClose
            | MarkKind::WrapperClose
            | MarkKind::Call
            | MarkKind::Wrapper
            | MarkKind::Frame => mended(outer),
            _ => Verdict::Pass(mark.end),
        }
    }

    fn at_tag(&mut self, reader: &Reader<'_>, found: usize) -> Verdict {
        let mark = match reader.mark(found, false) {
            Found::More => return Verdict::More,
            Found::No => return Verdict::Pass(found + 1),
            Found::Yes(mark) => mark,
        };
        if matches!(mark.kind, MarkKind::Call | MarkKind::Wrapper) {
            return self.at_call(reader, found, &mark);
        }
        if self.quoted.is_inside() {
            return self.at_quoted(reader, found, &mark);
        }
        if self.is_own_close(reader, &mark) {
            return self.at_own_close(reader, found, &mark);
        }
        let before = self.before(reader, found, &mark);
        let is_blank = || reader.is_blank(self.start..found, MAX_LOOK);
        match &mark.kind {
            MarkKind::ElementClose | MarkKind::ValueClose | MarkKind::ParameterClose
                if self.is_wrong_close(reader, &mark) =>
            {
                let end = End {
                    resume: mark.end,
                    ..before
                };
                self.end_if_followed(reader, end, After::Value)
            }
            MarkKind::CallClose | MarkKind::WrapperClose | MarkKind::Frame => {
                match self.follows(reader, mark.end, After::Call) {
                    Found::More => Verdict::More,
                    Found::Yes(()) if mark.kind == MarkKind::Frame || self.is_foreign(&mark) => {
                        Verdict::End(self.only_end(found).unwrap_or(before))
                    }
                    Found::Yes(()) => Verdict::End(before),
                    Found::No if self.is_foreign(&mark) => Verdict::Pass(mark.end),
                    // A special token is hardly data, whatever follows it.
                    Found::No => {
                        let may_end = mark.barred || reader.is_line_end(mark.end);
                        Verdict::Reject(may_end.then_some(before))
                    }
                }
            }
            MarkKind::Value if self.form == Form::Pair && is_blank() => Verdict::Restart(mark.end),
            MarkKind::Parameter if is_blank() && self.is_same_key(reader, &mark) => {
                Verdict::Restart(reader.opening(&mark).end)
            }
            // Without a name it is a closing tag that lost its slash, or text.
            MarkKind::Parameter
                if self.form == Form::Tag
                    && !self.key.is_empty()
                    && reader.opening(&mark).key.is_empty() =>
            {
                let end = End {
                    resume: mark.end,
                    ..before
                };
                match self.follows(reader, mark.end, After::Value) {
                    Found::More => Verdict::More,
                    Found::Yes(()) => Verdict::End(end),
                    Found::No => Verdict::Pass(mark.end),
                }
            }
            MarkKind::Parameter | MarkKind::Key => match self.breaks(reader, found, &mark) {
                Found::More => Verdict::More,
                Found::Yes(()) => Verdict::End(before),
                Found::No => Verdict::Reject(None),
            },
            MarkKind::Element if !self.prefixed && self.is_same_element(reader, &mark) => {
                self.depth += 1;
                Verdict::Pass(mark.end)
            }
            _ => Verdict::Pass(found + 1),
        }
    }

    /// The opening tag of a call: quoted, or only mentioned.
    fn at_call(&mut self, reader: &Reader<'_>, found: usize, mark: &Mark) -> Verdict {
        match reader.opens_call(mark.end) {
            Found::More => Verdict::More,
            Found::No if self.is_foreign(mark) => Verdict::Pass(mark.end),
            Found::No => Verdict::Reject(None),
            Found::Yes(()) => {
                self.quoted.open(reader, found);
                Verdict::Pass(mark.end)
            }
        }
    }

    /// A tag inside a quoted call.
    fn at_quoted(&mut self, reader: &Reader<'_>, found: usize, mark: &Mark) -> Verdict {
        match mark.kind {
            MarkKind::ParameterClose
            | MarkKind::ValueClose
            | MarkKind::CallClose
            | MarkKind::WrapperClose => self.quoted.close(reader, found, mark),
            // Nobody quotes it before the call is over.
            MarkKind::Frame => {
                return match self.follows(reader, mark.end, After::Call) {
                    Found::More => Verdict::More,
                    Found::Yes(()) => {
                        Verdict::End(End::before(self.quoted.run_before(reader, found)))
                    }
                    Found::No => Verdict::Reject(None),
                };
            }
            _ => {}
        }
        Verdict::Pass(mark.end)
    }

    fn at_own_close(&mut self, reader: &Reader<'_>, found: usize, mark: &Mark) -> Verdict {
        if self.depth > 0 && !self.prefixed {
            self.depth -= 1;
            return Verdict::Pass(mark.end);
        }
        let end = End {
            value: found,
            resume: mark.end,
            mended: mark.damaged,
        };
        if self.cdata == Some(true) && !reader.ends_with(found, CDATA_END) {
            return Verdict::Reject(None);
        }
        self.end_if_followed(reader, end, After::Value)
    }

    fn end_if_followed(&self, reader: &Reader<'_>, end: End, after: After) -> Verdict {
        match self.follows(reader, end.resume, after) {
            Found::More => Verdict::More,
            Found::Yes(()) => Verdict::End(end),
            Found::No => Verdict::Reject(reader.is_line_end(end.resume).then_some(End {
                mended: true,
                ..end
            })),
        }
    }

    /// The value without what the template puts around it.
    pub(super) fn trimmed(&self, reader: &Reader<'_>, end: &End) -> Range<usize> {
        let mut range = self.start..end.value;
        if self.cdata == Some(true) {
            let text = reader.slice(&range).trim();
            let inner = text
                .strip_prefix(CDATA)
                .and_then(|text| text.strip_suffix(CDATA_END));
            return inner.map_or(range, |inner| reader.range_of(inner));
        }
        let broken = end.value == end.resume;
        if broken && self.form != Form::Element {
            let name = match self.form {
                Form::Pair => "arg_value",
                _ => reader.slice(&self.name),
            };
            let value = without_close(reader.slice(&range), name);
            range.end = range.start + value.len();
        }
        let both = reader.leading_break(&range) > 0 && reader.trailing_break(&range) > 0;
        let (first, last) = match self.form {
            // Behind a name in quotes no template puts line breaks: the last one is of the value,
            // unless a first one shows that the model did.
            Form::Tag if !broken && !self.exact && reader.is_quoted_name(&self.key) => (true, both),
            Form::Tag => (!self.exact, !self.exact || broken),
            Form::Pair => (self.unopened, broken),
            Form::Element => (both && !self.prefixed, both && !self.prefixed),
        };
        // A lost closing tag leaves the line that it stood in.
        if broken && first && self.form == Form::Tag && reader.leading_break(&range) > 0 {
            range.end -= reader.trailing_break(&range);
        }
        if broken && self.form == Form::Tag && !self.exact {
            range = reader.without_blank(range);
        }
        if first {
            range.start += reader.leading_break(&range);
        }
        if last {
            range.end -= reader.trailing_break(&range);
        }
        range
    }
}
