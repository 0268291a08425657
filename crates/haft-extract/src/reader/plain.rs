//! Calls between the special tokens of the most common formats, read in one go when they are
//! whole and well formed. The careful way, through [`inside`](super::inside), finds the same in
//! them; it also finds the rest.

use super::arguments::MAX_CALL;
use super::header::{name_in, written_length};
use super::inside::Inside;
use super::{Reader, State, Step, Turn};
use crate::calls::plain_tags;
use crate::lexis::Ends;
use crate::parameters::Style;
use crate::plain_json::{
    PlainCall, Seen, blanks, plain_call, plain_object, settled, token_arguments,
};

/// A format by the tokens around a call.
struct Form {
    open: &'static str,
    body: Body,
    /// Between the name and the arguments; none where both stand in one object.
    separator: Option<&'static str>,
    /// What ends the call; empty where its arguments end it.
    close: &'static str,
    /// What ends a section of such calls.
    section_end: Option<&'static str>,
    format: &'static str,
}

/// What stands between the tokens.
enum Body {
    /// JSON.
    Json,
    /// The name behind `call:`, and the arguments in Gemma's notation.
    Tokens,
    /// The name between these two, and the arguments in tags.
    Tags(&'static str, &'static str, Style),
}

/// What most of the formats open a call with.
const USUAL: &str = "<tool_call>";

/// What stands in text before whole calls. Its tag is looked at only where none follows.
pub(super) struct Lead {
    tag: &'static str,
    /// It is no part of the call.
    is_section: bool,
    format: &'static str,
    /// Its template closes it with a tag of the same name.
    is_closed: bool,
}

static LEADS: [Lead; 5] = [
    Lead {
        tag: USUAL,
        is_section: false,
        format: "hermes",
        is_closed: true,
    },
    Lead {
        tag: "<｜tool▁calls▁begin｜>",
        is_section: true,
        format: "deepseek_v3",
        is_closed: false,
    },
    Lead {
        tag: "<|tool_calls_section_begin|>",
        is_section: true,
        format: "deepseek_v3",
        is_closed: false,
    },
    Lead {
        tag: "<｜DSML｜tool_calls>",
        is_section: true,
        format: "deepseek_v32",
        is_closed: true,
    },
    Lead {
        tag: "<|tool_call>",
        is_section: false,
        format: "gemma4",
        is_closed: false,
    },
];

/// What `text` begins with, if whole calls may follow.
pub(super) fn lead(text: &str) -> Option<&'static Lead> {
    LEADS.iter().find(|lead| text.starts_with(lead.tag))
}

/// The longest name with prefix and counter that is looked for.
const MAX_NAME: usize = 128;

static FORMS: [Form; 7] = [
    Form {
        open: USUAL,
        body: Body::Json,
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: "hermes",
    },
    Form {
        open: "<｜tool▁call▁begin｜>",
        body: Body::Json,
        separator: Some("<｜tool▁sep｜>"),
        close: "<｜tool▁call▁end｜>",
        section_end: Some("<｜tool▁calls▁end｜>"),
        format: "deepseek_v3",
    },
    Form {
        open: "<|tool_call_begin|>",
        body: Body::Json,
        separator: Some("<|tool_call_argument_begin|>"),
        close: "<|tool_call_end|>",
        section_end: Some("<|tool_calls_section_end|>"),
        format: "deepseek_v3",
    },
    Form {
        open: USUAL,
        body: Body::Tags("<function=", ">", Style::Invoke),
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: "qwen3_coder",
    },
    Form {
        open: USUAL,
        body: Body::Tags("", "", Style::Pairs),
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: "glm45",
    },
    Form {
        open: "<｜DSML｜invoke name=\"",
        body: Body::Tags("", "\">", Style::Invoke),
        separator: None,
        close: "",
        section_end: Some("</｜DSML｜tool_calls>"),
        format: "deepseek_v32",
    },
    Form {
        open: "<|tool_call>",
        body: Body::Tokens,
        separator: None,
        close: "<tool_call|>",
        section_end: None,
        format: "gemma4",
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
        let bytes = turn.text.as_bytes();
        let start = at + self.open.len();
        let call = match self.body {
            Body::Json => self.call_in_json(turn, start)?,
            Body::Tokens => call_in_tokens(turn, start)?,
            Body::Tags(before, behind, style) => {
                call_in_tags(turn, start, (before, behind, style))?
            }
        };
        if self.close.is_empty() {
            let end = call.end;
            return Some((call, end));
        }
        let close = blanks(bytes, call.end);
        let is_closed = turn.tail(close).starts_with(self.close);
        is_closed.then_some((call, close + self.close.len()))
    }

    /// The call behind the first token, if it is settled.
    fn call_in_json<'t>(&self, turn: &Turn<'t, '_>, start: usize) -> Option<PlainCall<'t>> {
        let call = match self.separator {
            None => plain_call(turn.text, start, None, turn.search())?,
            Some(separator) => {
                let (written, after) = written_name(turn, start)?;
                let tool = turn.tools.place(written);
                let (name, is_bound) = match tool {
                    Some(_) => (written, true),
                    None => name_in(turn, written),
                };
                let is_apart = is_bound && turn.tail(after).starts_with(separator);
                is_apart.then_some(())?;
                let start = after + separator.len();
                plain_object(turn.text, start, (name, tool), turn.search())?
            }
        };
        let is_settled = settled(turn.text.as_bytes(), call.end, turn.finished) == Ends::Yes;
        is_settled.then_some(call)
    }
}

/// The name that stands at `at`, with prefix and counter, and where it ends.
fn written_name<'t>(turn: &Turn<'t, '_>, at: usize) -> Option<(&'t str, usize)> {
    let head = turn.tail(at);
    let len = written_length(head.get(..MAX_NAME).unwrap_or(head));
    Some((head.get(..len)?, at + len))
}

/// The call whose name and arguments stand at `at`, if its arguments are wanted as values.
fn call_in_tokens<'t>(turn: &Turn<'t, '_>, at: usize) -> Option<PlainCall<'t>> {
    let (written, start) = written_name(turn, at)?;
    let is_object = written.starts_with("call:") && turn.byte(start) == Some(b'{');
    (is_object && !turn.options.raw && turn.text.len() <= MAX_CALL).then_some(())?;
    let (name, _) = name_in(turn, written);
    let place = turn.tools.place(name)?;
    let filling = turn.tools.filling((name, Some(place)));
    let (read, repair, end) = token_arguments(turn.text, start + 1, filling)?;
    Some(PlainCall {
        name,
        tool: Some(place),
        arguments: start..end,
        read: Some(read),
        repairs: vec![repair],
        end,
    })
}

/// The call whose name stands behind `before`, and is followed by `behind` and arguments in tags.
fn call_in_tags<'t>(
    turn: &Turn<'t, '_>,
    at: usize,
    (before, behind, style): (&str, &str, Style),
) -> Option<PlainCall<'t>> {
    let bytes = turn.text.as_bytes();
    (turn.text.len() <= MAX_CALL).then_some(())?;
    // What begins a tag may have blanks before it, a name in quotes has none.
    let at = if behind == "\">" {
        at
    } else {
        blanks(bytes, at)
    };
    let rest = turn.tail(at).strip_prefix(before)?;
    let (name, end) = written_name(turn, turn.text.len() - rest.len())?;
    let place = turn.tools.place(name).filter(|_| !name.is_empty())?;
    let tool = turn.tools.tools().get(place)?;
    let rest = turn.tail(end).strip_prefix(behind)?;
    let mut start = turn.text.len() - rest.len();
    if style == Style::Pairs {
        start = blanks(bytes, start);
    }
    let (read, len) = plain_tags(turn.tail(start), style, tool)?;
    Some(PlainCall {
        name,
        tool: Some(place),
        arguments: start..start + len,
        read: Some(read),
        repairs: Vec::new(),
        end: start + len,
    })
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

    /// A whole call in text, behind what leads to it at `at`: the text before it is told of, then
    /// the call is.
    pub(super) fn plain_form_in_text(
        &mut self,
        turn: &mut Turn<'_, '_>,
        (at, lead): (usize, &Lead),
    ) -> Option<Step> {
        self.tell_text(turn, turn.head(at));
        turn.text = turn.tail(at);
        (!self.is_quoted()).then_some(())?;
        self.format = lead.format;
        self.is_closed = lead.is_closed;
        let start = match lead.is_section {
            true => blanks(turn.text.as_bytes(), lead.tag.len()),
            false => 0,
        };
        match self.plain_form(turn, start)? {
            Step::Take(taken) => Some(Step::Take(at + taken)),
            Step::More => None,
        }
    }

    /// A whole call whose first token stands at `at`, with nothing but markup before it: it is
    /// told of, and the step goes behind it.
    pub(super) fn plain_form(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Option<Step> {
        let rest = turn.tail(at);
        let mut forms = FORMS.iter().filter(|form| rest.starts_with(form.open));
        let (form, (mut call, mut end)) =
            forms.find_map(|form| Some((form, form.read(turn, at)?)))?;
        let is_closed = !form.close.is_empty();
        // The same tags stand in other wrappers too.
        (is_closed || self.format == form.format).then_some(())?;
        let mut start = 0;
        self.format = form.format;
        match is_closed {
            true => self.wrapper_closed(),
            false => self.wrapper_opened(),
        }
        loop {
            self.tell_plain_call(turn, call, (start, end, form.format));
            // Most often more of the same follow.
            start = blanks(turn.text.as_bytes(), end);
            let is_next = turn.tail(start).starts_with(form.open);
            let Some(next) = is_next.then(|| form.read(turn, start)).flatten() else {
                return Some(match is_closed {
                    true => self.section_ends(turn, form, end),
                    false => self.wrapper_ends(turn, form, (end, start)),
                });
            };
            if is_closed {
                self.tell_text(turn, turn.text.get(end..start).unwrap_or_default());
            } else {
                start = end;
            }
            (call, end) = next;
        }
    }

    /// Behind calls with tokens of their own: the token of their section may follow at `end`.
    fn section_ends(&mut self, turn: &mut Turn<'_, '_>, form: &Form, end: usize) -> Step {
        let rest = turn.tail(end);
        let section_end = form.section_end.filter(|_| self.fence == 0);
        let section_end = section_end.filter(|token| rest.starts_with(token));
        let section_end = section_end.map_or(0, str::len);
        turn.syntax(rest.get(..section_end).unwrap_or_default());
        self.take(end + section_end, State::Line)
    }

    /// Behind calls in a wrapper, which end at `end`: its closing tag may stand at `close`.
    fn wrapper_ends(
        &mut self,
        turn: &mut Turn<'_, '_>,
        form: &Form,
        (end, close): (usize, usize),
    ) -> Step {
        let token = form
            .section_end
            .filter(|token| turn.tail(close).starts_with(token));
        let Some(token) = token else {
            return self.take(end, State::Inside(Inside::open()));
        };
        let after = close + token.len();
        turn.syntax(turn.text.get(end..after).unwrap_or_default());
        self.wrapper_closed();
        self.take(after, State::Line)
    }
}

#[cfg(test)]
mod tests;
