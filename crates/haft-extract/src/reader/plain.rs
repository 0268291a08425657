//! Calls between the special tokens of the most common formats, read in one go when they are
//! whole and well formed. The careful way, through [`inside`](super::inside), finds the same in
//! them; it also finds the rest.

use super::header::{name_in, written_length};
use super::{Reader, State, Step, Turn};
use crate::plain_json::{PlainCall, blanks, plain_call, plain_object};

/// A format by the tokens around a call.
struct Form {
    open: &'static str,
    /// Between the name and the arguments; none where both stand in one object.
    separator: Option<&'static str>,
    close: &'static str,
    format: &'static str,
}

/// The longest name with prefix and counter that is looked for.
const MAX_NAME: usize = 128;

static FORMS: [Form; 3] = [
    Form {
        open: "<tool_call>",
        separator: None,
        close: "</tool_call>",
        format: "hermes",
    },
    Form {
        open: "<｜tool▁call▁begin｜>",
        separator: Some("<｜tool▁sep｜>"),
        close: "<｜tool▁call▁end｜>",
        format: "deepseek_v3",
    },
    Form {
        open: "<|tool_call_begin|>",
        separator: Some("<|tool_call_argument_begin|>"),
        close: "<|tool_call_end|>",
        format: "deepseek_v3",
    },
];

impl Form {
    /// The call that begins, with its first token, at `at`, and where its last token ends.
    fn read<'t>(&self, turn: &Turn<'t, '_>, at: usize) -> Option<(PlainCall<'t>, usize)> {
        let start = at + self.open.len();
        let call = match self.separator {
            None => {
                let call = plain_call(
                    turn.text,
                    blanks(turn.text.as_bytes(), start),
                    turn.finished,
                )?;
                turn.tools.binds(call.name).then_some(call)?
            }
            Some(separator) => {
                let head = turn.text.as_bytes().get(start..)?;
                let len = head.iter().take(MAX_NAME).position(|byte| *byte == b'<')?;
                let after = turn.tail(start + len).strip_prefix(separator)?;
                let written = turn.text.get(start..start + len)?;
                if written_length(written) != len {
                    return None;
                }
                let (name, is_bound) = name_in(turn, written);
                let start = turn.text.len() - after.len();
                let end = plain_object(turn.text, start, turn.finished).filter(|_| is_bound)?;
                PlainCall {
                    name,
                    arguments: start..end,
                    end,
                }
            }
        };
        let close = blanks(turn.text.as_bytes(), call.end);
        let is_closed = turn.tail(close).starts_with(self.close);
        is_closed.then_some((call, close + self.close.len()))
    }
}

impl Reader {
    /// A whole call whose first token stands at `at`, with nothing but markup before it: it is
    /// told of, and the step goes behind it.
    pub(super) fn plain_form(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Option<Step> {
        let rest = turn.tail(at);
        let form = FORMS.iter().find(|form| rest.starts_with(form.open))?;
        let (call, end) = form.read(turn, at)?;
        self.format = form.format;
        self.tell_plain_call(turn, &call, form.format);
        turn.syntax(turn.text.get(call.end..end).unwrap_or_default());
        self.wrapped = false;
        Some(self.take(end, State::Line))
    }
}
