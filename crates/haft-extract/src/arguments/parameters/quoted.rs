//! Calls quoted inside a value: documentation, tests and prompts are full of them.
//!
//! A call that begins inside a value is followed to its end, so that its closing tags do not end
//! the value. It may also be a real call, and the value before it one that was never closed; that
//! shows only when the reply ends right behind it.

use super::{Mark, MarkKind, text::Source};
use crate::limits;

/// The calls quoted in one value.
#[derive(Debug, Default)]
pub(super) struct Quoted {
    /// How many wrappers and calls are open.
    pub(super) depth: usize,
    /// Where a run of closing tags begins and ends.
    closers: Option<(usize, usize)>,
    /// The last of them closes a call or a wrapper.
    closed_call: bool,
    /// Where the first of the calls begins, if there is one, and if at the beginning of a line.
    first: Option<Option<usize>>,
}

impl Quoted {
    /// Takes in the opening tag of a call or a wrapper.
    pub(super) fn open(&mut self, source: &Source<'_>, at: usize) {
        self.depth += 1;
        let start = source.begins_line(at).then_some(at);
        self.first.get_or_insert(start);
    }

    /// Takes in a closing tag inside a quoted call.
    pub(super) fn close(&mut self, source: &Source<'_>, mark: &Mark<'_>) {
        self.closed_call = matches!(mark.kind, MarkKind::Call | MarkKind::Wrapper);
        self.depth = self.depth.saturating_sub(usize::from(self.closed_call));
        self.closers = Some((self.run_before(source, mark.at), mark.end));
    }

    /// Where the closing tags begin that stand right before `at`; `at` itself without any.
    pub(super) fn run_before(&self, source: &Source<'_>, at: usize) -> usize {
        match self.closers {
            Some((start, end)) if source.is_blank(end..at, limits::BLANKS) => start,
            _ => at,
        }
    }

    /// Where a value ends that nothing closed before the closing tag of its call, or of the wrapper
    /// around it.
    pub(super) fn ends_before(&self, source: &Source<'_>, mark: &Mark<'_>) -> usize {
        let is_wrapper = mark.kind == MarkKind::Wrapper && mark.close && self.closed_call;
        let first = self.first_call(source, mark.at).filter(|_| is_wrapper);
        first.unwrap_or_else(|| self.run_before(source, mark.at))
    }

    /// At the end of a reply, or of the wrapper around its calls: where the value ends, if what
    /// seemed to be quoted were calls.
    pub(super) fn first_call(&self, source: &Source<'_>, end: usize) -> Option<usize> {
        let (start, _) = self.closers?;
        let is_whole = self.depth == 0 && self.run_before(source, end) == start;
        let first = self.first.flatten();
        first.filter(|first| is_whole && end - first <= limits::FAR)
    }

    /// At the end of a reply: where the closing tags begin with which it ends. They belong to the
    /// call itself, then, and what seemed to be quoted was only begun.
    pub(super) fn last_closers(&self, source: &Source<'_>) -> Option<usize> {
        let len = source.len();
        let start = self.run_before(source, len);
        (self.closed_call && start < len).then_some(start)
    }
}
