//! Calls between the special tokens of the most common formats, read in one go when they are
//! whole and well formed. The careful way, through [`inside`](super::inside), finds the same in
//! them; it also finds the rest.

use super::header::{name_in, written_length};
use super::{Reader, State, Step, Turn};
use crate::lexis::Ends;
use crate::plain_json::{PlainCall, Seen, blanks, plain_call, plain_object, settled};

/// A format by the tokens around a call.
struct Form {
    open: &'static str,
    /// Between the name and the arguments; none where both stand in one object.
    separator: Option<&'static str>,
    close: &'static str,
    /// What ends a section of such calls.
    section_end: Option<&'static str>,
    format: &'static str,
}

/// The longest name with prefix and counter that is looked for.
const MAX_NAME: usize = 128;

static FORMS: [Form; 3] = [
    Form {
        open: "<tool_call>",
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: "hermes",
    },
    Form {
        open: "<｜tool▁call▁begin｜>",
        separator: Some("<｜tool▁sep｜>"),
        close: "<｜tool▁call▁end｜>",
        section_end: Some("<｜tool▁calls▁end｜>"),
        format: "deepseek_v3",
    },
    Form {
        open: "<|tool_call_begin|>",
        separator: Some("<|tool_call_argument_begin|>"),
        close: "<|tool_call_end|>",
        section_end: Some("<|tool_calls_section_end|>"),
        format: "deepseek_v3",
    },
];

/// True when `text` ends with a token that stands between a name and its arguments.
pub(super) fn ends_separated(text: &str) -> bool {
    let mut separators = FORMS.iter().filter_map(|form| form.separator);
    separators.any(|separator| text.ends_with(separator))
}

impl Form {
    /// The call that begins, with its first token, at `at`, and where its last token ends.
    fn read<'t>(&self, turn: &Turn<'t, '_>, at: usize) -> Option<(PlainCall<'t>, usize)> {
        let start = at + self.open.len();
        let call = match self.separator {
            None => plain_call(turn.text, start, None, turn.search())?,
            Some(separator) => {
                let head = turn.tail(start);
                let len = written_length(head.get(..MAX_NAME).unwrap_or(head));
                let (written, after) = head.split_at_checked(len)?;
                let after = after.strip_prefix(separator)?;
                let (name, is_bound) = name_in(turn, written);
                let start = turn.text.len() - after.len();
                is_bound.then_some(())?;
                plain_object(turn.text, (name, start), turn.search())?
            }
        };
        let is_settled = settled(turn.text.as_bytes(), call.end, turn.finished) == Ends::Yes;
        let close = blanks(turn.text.as_bytes(), call.end);
        let is_closed = turn.tail(close).starts_with(self.close);
        (is_settled && is_closed).then_some((call, close + self.close.len()))
    }
}

impl Reader {
    /// Whether the whole call at hand is settled. Where the text ends with it that is unclear once:
    /// then it is worth while to wait for more, instead of reading it again the careful way.
    pub(super) fn settled(&self, turn: &Turn<'_, '_>, call: &PlainCall<'_>) -> Ends {
        let is_known = |seen: &Seen| seen.range == call.arguments;
        match settled(turn.text.as_bytes(), call.end, turn.finished) {
            Ends::Unclear if self.seen.as_ref().is_some_and(is_known) => Ends::No,
            settled => settled,
        }
    }

    /// Keeps what was found of a call until it is settled.
    pub(super) fn keep(&mut self, call: PlainCall<'_>) {
        self.seen = Some(Seen {
            range: call.arguments,
            read: call.read,
        });
    }

    /// A whole call whose first token stands at `at`, with nothing but markup before it: it is
    /// told of, and the step goes behind it.
    pub(super) fn plain_form(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Option<Step> {
        let rest = turn.tail(at);
        let form = FORMS.iter().find(|form| rest.starts_with(form.open))?;
        let (mut call, mut end) = form.read(turn, at)?;
        let mut start = 0;
        self.format = form.format;
        self.wrapped = false;
        loop {
            self.tell_plain_call(turn, call, (start, end, form.format));
            // Most often more of the same follow.
            start = blanks(turn.text.as_bytes(), end);
            let is_next = turn.tail(start).starts_with(form.open);
            let Some(next) = is_next.then(|| form.read(turn, start)).flatten() else {
                let rest = turn.tail(end);
                let section_end = form.section_end.filter(|_| self.fence == 0);
                let section_end = section_end.filter(|token| rest.starts_with(token));
                let section_end = section_end.map_or(0, str::len);
                turn.syntax(rest.get(..section_end).unwrap_or_default());
                return Some(self.take(end + section_end, State::Line));
            };
            self.tell_text(turn, turn.text.get(end..start).unwrap_or_default());
            (call, end) = next;
        }
    }
}
