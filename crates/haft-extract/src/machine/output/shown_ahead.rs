//! Calls of which something was handed out before it was decided that they are calls.

use std::collections::VecDeque;

use super::PieceSink;
use crate::Piece;

/// What was handed out ahead and may still come.
#[derive(Debug, Default)]
pub(super) struct ShownAhead {
    calls: VecDeque<Call>,
    /// The first of them has begun to come.
    has_begun: bool,
}

#[derive(Debug)]
struct Call {
    index: usize,
    name: String,
    arguments: String,
}

impl ShownAhead {
    /// A call may have begun, whose place is returned; `next` is that of the next call that comes.
    pub(super) fn note(&mut self, next: usize, name: &str) -> usize {
        let index = next + self.calls.len();
        self.calls.push_back(Call {
            index,
            name: name.to_owned(),
            arguments: String::new(),
        });
        index
    }

    /// More of the arguments of the call that was announced last.
    pub(super) fn arguments(&mut self, fragment: &str, sink: PieceSink<'_>) {
        if let Some(call) = self.calls.back_mut() {
            call.arguments.push_str(fragment);
            let index = call.index;
            sink(Piece::CallArgs { index, fragment });
        }
    }

    /// A call comes; true when it was announced.
    pub(super) fn begins(&mut self, index: usize, name: &str) -> bool {
        let is_first = |call: &Call| call.index == index && call.name == name;
        self.has_begun = self.calls.front().is_some_and(is_first);
        self.has_begun
    }

    /// What is to be handed out of the arguments of the call that comes, or of more of them: nothing
    /// that was handed out already. What was handed out otherwise, as the model wrote it, stays.
    pub(super) fn rest_of<'a>(&self, arguments: &'a str) -> &'a str {
        match self.calls.front() {
            None => arguments,
            Some(call) if self.has_begun => arguments
                .strip_prefix(call.arguments.as_str())
                .unwrap_or_default(),
            Some(_) => "",
        }
    }

    /// The call has come.
    pub(super) fn ends(&mut self) {
        self.calls.pop_front();
        self.has_begun = false;
    }

    /// Nothing more of it will come.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
