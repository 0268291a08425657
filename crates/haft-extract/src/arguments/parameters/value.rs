//! Where a value ends.
//!
//! A value is raw text and may hold anything, tags of calls among it. So a closing tag ends it
//! only if what a template writes next follows: another parameter, the end of the call, or the
//! end of the text: see [`following`](super::following). Whatever fails that test is part of the
//! value. Tags that open inside in another notation than the call's own, or name no parameter that
//! may still follow, are text too, and so are the tags that close them.

pub(super) mod trimmed;

use std::ops::Range;

use super::{
    Mark, MarkKind, Names, Parameter, Style, ValueKind, following::After, quoted::Quoted,
    text::Source,
};
use crate::limits;
use crate::scan::{More, Seen, may_be_tag};

const CDATA: &str = "<![CDATA[";
const CDATA_END: &str = "]]>";

/// A value whose end was not yet found.
#[derive(Debug, Default)]
pub(super) struct OpenValue {
    pub(super) key: Range<usize>,
    /// What ends the call that it stands in.
    pub(super) style: Style,
    /// The parameters that may follow: those of the call, while the value is read.
    pub(super) names: Names,
    /// Where it begins.
    pub(super) start: usize,
    /// What is known of it: elements from the first prefixed one on that stands inside.
    pub(super) kind: ValueKind,
    /// What its opening tag is, and so its closing one: that of a parameter, of a value behind a
    /// name, or an element.
    pub(super) tag: MarkKind,
    /// The name of its opening tag; empty for pairs.
    pub(super) name: Range<usize>,
    /// No line break belongs to the template.
    exact: bool,
    /// Its opening tag was missing.
    pub(super) unopened: bool,
    /// Its opening tag is a special token.
    pub(super) barred: bool,
    /// MiniMax's prefix stands before its opening tag.
    pub(super) prefixed: bool,
    /// Its opening tag was doubled.
    pub(super) doubled: bool,
    /// How many tags are open inside that a closing tag like its own closes.
    pub(super) depth: usize,
    /// How many others that a closing tag closes which may end the value by mistake.
    inner: usize,
    /// How many that are named like a wrapper of calls.
    pub(super) wrappers: usize,
    /// It is wrapped in CDATA; None until its first `<`.
    cdata: Option<bool>,
    /// No CDATA ends before this.
    searched: usize,
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
    pub(super) repaired: bool,
}

impl End {
    /// The end of a value that was not closed, before a tag at `at` that is not its own.
    pub(super) fn before(at: usize) -> Self {
        Self {
            value: at,
            resume: at,
            repaired: true,
        }
    }

    /// The end at the value's own closing tag, which stands at `at`.
    pub(super) fn closed(at: usize, mark: &Mark<'_>) -> Self {
        Self {
            repaired: mark.damaged,
            ..Self::before(at).resuming(mark.end)
        }
    }

    /// With another place to go on.
    pub(super) fn resuming(self, resume: usize) -> Self {
        Self { resume, ..self }
    }
}

/// What a `<` in a value is.
pub(super) enum Verdict {
    /// Part of the value up to here.
    Pass(usize),
    /// A tag of a call that is part of the value, and the end that it may be after all.
    Reject(Option<End>),
    End(End),
}

impl OpenValue {
    /// A value behind the opening tag of a parameter or element.
    pub(super) fn new(source: &Source<'_>, mark: &Mark<'_>, prefixed: bool) -> Self {
        Self {
            tag: mark.kind,
            name: source.range_of(mark.name),
            exact: mark.exact,
            barred: mark.barred,
            prefixed,
            key: source.range_of(mark.key),
            kind: mark.value_kind.unwrap_or_default(),
            start: mark.start,
            ..Self::default()
        }
    }

    /// A value behind `<arg_value>`.
    pub(super) fn pair(key: Range<usize>, kind: ValueKind, start: usize) -> Self {
        Self {
            key,
            start,
            kind,
            tag: MarkKind::Value,
            ..Self::default()
        }
    }

    /// The parameter whose value it is, where it ends there, or with the text.
    pub(super) fn parameter(&self, source: &Source<'_>, end: Option<End>) -> Parameter {
        Parameter {
            key: self.key.clone(),
            value: end.map_or(self.start..source.len(), |end| self.trimmed(source, end)),
            kind: self.kind,
        }
    }

    /// Looks for the end from `at` on, and moves it; none where the reply ended before.
    pub(super) fn run(&mut self, source: &Source<'_>, at: &mut usize) -> Seen<Option<End>> {
        while let Some(found) = source.find(*at) {
            *at = found;
            match self.at_bracket(source, found)? {
                Verdict::Pass(end) => *at = end,
                Verdict::Reject(candidate) => {
                    self.rejected += 1;
                    self.candidate = candidate;
                    *at = found + 1;
                }
                Verdict::End(end) => return Ok(Some(end)),
            }
        }
        *at = source.len();
        source.ended()?;
        Ok(self.out_of_text(source))
    }

    /// Where the value ends in which the reply ended: its closing tag may be cut off, or have been
    /// taken for a part of the value because a few sentences follow.
    fn out_of_text(&self, source: &Source<'_>) -> Option<End> {
        let len = source.len();
        if let Some(value) = self.cut_closing_tag(source) {
            return Some(End::before(value).resuming(len));
        }
        let call = self.quoted.first_call(source, len);
        let end = self.only_end(len);
        let is_before_call = end.is_some_and(|end| call.is_some_and(|call| end.resume <= call));
        let last = call.or(self.quoted.last_closers(source));
        last.filter(|_| !is_before_call).map(End::before).or(end)
    }

    fn at_bracket(&mut self, source: &Source<'_>, found: usize) -> Seen<Verdict> {
        if self.cdata.is_none() {
            let is_first = source.is_blank(self.start..found, limits::AHEAD);
            // Pairs of tags are written without XML's rules.
            let may_wrap = is_first && source.begins(found, CDATA)?;
            self.cdata = Some(may_wrap && self.tag != MarkKind::Value);
        }
        match source.byte(found + 1) {
            None if source.ended().is_err() => Err(More),
            Some(b']') => match source.prefix(found)?.filter(|_| found > self.start) {
                Some(tag) => self.at_prefixed(source, tag),
                None => Ok(Verdict::Pass(found + 1)),
            },
            _ if may_be_tag(source.bytes(found)) => self.at_tag(source, found),
            _ => Ok(Verdict::Pass(found + 1)),
        }
    }

    fn at_tag(&mut self, source: &Source<'_>, found: usize) -> Seen<Verdict> {
        let Some(mark) = source.mark(found, false)? else {
            return Ok(Verdict::Pass(found + 1));
        };
        let is_opening = !mark.close;
        if is_opening && matches!(mark.kind, MarkKind::Call | MarkKind::Wrapper) {
            return self.at_call(source, &mark);
        }
        if self.quoted.depth > 0 {
            return self.at_quoted(source, &mark);
        }
        if mark.close && self.is_same_tag(source, &mark) {
            return self.at_own_close(source, &mark);
        }
        let before = self.before(source, &mark);
        let after_tag = match mark.close && mark.kind == self.tag {
            true => End::closed(found, &mark),
            false => before.resuming(mark.end),
        };
        let is_blank = || source.is_blank(self.start..found, limits::AHEAD);
        let is_parameter = self.tag == MarkKind::Parameter;
        let is_same_key = !is_parameter || mark.key == source.slice(&self.key);
        let lacks_key = is_opening && is_parameter && !self.key.is_empty() && mark.key.is_empty();
        let is_named = is_parameter && mark.name == source.slice(&self.key);
        // Models close it by mistake as other formats do, or with the parameter's name.
        let closes = mark.closes_value() && (mark.kind != MarkKind::Element || is_named);
        match mark.kind {
            _ if closes && self.inner > 0 => {
                self.inner -= 1;
                Ok(Verdict::Pass(mark.end))
            }
            _ if closes => self.end_if_followed(source, after_tag, After::Wrong),
            _ if mark.is_of_calls() => self.at_end_of_call(source, &mark),
            // The value begins behind the second one.
            MarkKind::Value | MarkKind::Parameter
                if is_opening && is_blank() && self.is_same_tag(source, &mark) && is_same_key =>
            {
                self.doubled = true;
                self.start = mark.start;
                Ok(Verdict::Pass(mark.start))
            }
            // Without a name it is a closing tag that lost its slash, or text.
            MarkKind::Parameter if lacks_key && self.follows(source, mark.end, After::Value)? => {
                Ok(Verdict::End(after_tag))
            }
            _ if mark.opens_parameter() && self.breaks(source, &mark)? => Ok(Verdict::End(before)),
            kind if is_opening && !mark.is_empty_element() => {
                if self.is_same_tag(source, &mark) {
                    self.depth += usize::from(!self.prefixed);
                } else if is_named || kind != MarkKind::Element {
                    self.inner += 1;
                }
                Ok(Verdict::Pass(mark.end))
            }
            _ => Ok(Verdict::Pass(found + 1)),
        }
    }

    fn at_own_close(&mut self, source: &Source<'_>, mark: &Mark<'_>) -> Seen<Verdict> {
        if self.depth > 0
            && !self.prefixed
            && (self.tag == MarkKind::Element || !self.follows(source, mark.end, After::Inner)?)
        {
            self.depth -= 1;
            return Ok(Verdict::Pass(mark.end));
        }
        if self.cdata == Some(true) {
            let from = self.start.max(self.searched);
            let end = source.slice(&(from..mark.at)).find(CDATA_END);
            self.searched = end.map_or(mark.at, |end| from + end);
            if end.is_none() {
                return Ok(Verdict::Reject(None));
            }
        }
        self.end_if_followed(source, End::closed(mark.at, mark), After::Value)
    }

    fn end_if_followed(&self, source: &Source<'_>, mut end: End, after: After) -> Seen<Verdict> {
        if self.follows(source, end.resume, after)? {
            return Ok(Verdict::End(end));
        }
        end.repaired = true;
        let may_end = source.is_line_end(end.resume);
        Ok(Verdict::Reject(may_end.then_some(end)))
    }
}
