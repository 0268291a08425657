//! Calls between the special tokens of the most common formats, read in one go when they are
//! whole and well formed. The careful way, through [`inside`](super::inside), finds the same in
//! them; it also finds the rest.

use super::arguments::MAX_CALL;
use super::header::{is_written, name_in, without_counter};
use super::inside::Inside;
use super::{Reader, State, Step, Turn};
use crate::Format;
use crate::lexis::Ends;
use crate::parameters::{Style, plain_parameters};
use crate::plain_json::{PlainCall, blanks, settled};
use crate::same::{behind, stands};
use crate::value;

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
    format: Format,
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

/// What Mistral writes before its calls.
pub(super) const MISTRAL: &str = "[TOOL_CALLS]";

/// What stands in text before whole calls. Its tag is looked at only where none follows.
pub(super) struct Lead {
    tag: &'static str,
    kind: LeadKind,
    format: Format,
    /// Its template closes it with a tag of the same name.
    is_closed: bool,
}

/// What whole calls have to do with what stands before them.
#[derive(Clone, Copy)]
enum LeadKind {
    /// The first call begins with it.
    Call,
    /// Calls with tokens of their own follow.
    Section,
    /// Calls without tokens follow, in a list or by name.
    Bare,
}

static LEADS: [Lead; 6] = [
    Lead {
        tag: USUAL,
        kind: LeadKind::Call,
        format: Format::Hermes,
        is_closed: true,
    },
    Lead {
        tag: "<｜tool▁calls▁begin｜>",
        kind: LeadKind::Section,
        format: Format::DeepseekV3,
        is_closed: false,
    },
    Lead {
        tag: "<|tool_calls_section_begin|>",
        kind: LeadKind::Section,
        format: Format::DeepseekV3,
        is_closed: false,
    },
    Lead {
        tag: "<｜DSML｜tool_calls>",
        kind: LeadKind::Section,
        format: Format::DeepseekV32,
        is_closed: true,
    },
    Lead {
        tag: "<|tool_call>",
        kind: LeadKind::Call,
        format: Format::Gemma4,
        is_closed: false,
    },
    Lead {
        tag: MISTRAL,
        kind: LeadKind::Bare,
        format: Format::Mistral,
        is_closed: false,
    },
];

/// What stands at `at`, if whole calls may follow.
pub(super) fn lead(text: &str, at: usize) -> Option<&'static Lead> {
    LEADS
        .iter()
        .find(|lead| stands(text.as_bytes(), at, lead.tag))
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
        format: Format::Hermes,
    },
    Form {
        open: "<｜tool▁call▁begin｜>",
        body: Body::Json,
        separator: Some("<｜tool▁sep｜>"),
        close: "<｜tool▁call▁end｜>",
        section_end: Some("<｜tool▁calls▁end｜>"),
        format: Format::DeepseekV3,
    },
    Form {
        open: "<|tool_call_begin|>",
        body: Body::Json,
        separator: Some("<|tool_call_argument_begin|>"),
        close: "<|tool_call_end|>",
        section_end: Some("<|tool_calls_section_end|>"),
        format: Format::DeepseekV3,
    },
    Form {
        open: USUAL,
        body: Body::Tags("<function=", ">", Style::Invoke),
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: Format::Qwen3Coder,
    },
    Form {
        open: USUAL,
        body: Body::Tags("", "", Style::Pairs),
        separator: None,
        close: "</tool_call>",
        section_end: None,
        format: Format::Glm45,
    },
    Form {
        open: "<｜DSML｜invoke name=\"",
        body: Body::Tags("", "\">", Style::Invoke),
        separator: None,
        close: "",
        section_end: Some("</｜DSML｜tool_calls>"),
        format: Format::DeepseekV32,
    },
    Form {
        open: "<|tool_call>",
        body: Body::Tokens,
        separator: None,
        close: "<tool_call|>",
        section_end: None,
        format: Format::Gemma4,
    },
];

/// True when `text` ends with a token that stands between a name and its arguments.
pub(super) fn ends_separated(text: &str) -> bool {
    let mut separators = FORMS.iter().filter_map(|form| form.separator);
    separators.any(|separator| text.ends_with(separator))
}

impl Form {
    /// Finds the call that begins, with its first token, at `at`; where its last token ends.
    fn find<'t>(&self, turn: &Turn<'t, '_>, at: usize, call: &mut PlainCall<'t>) -> Option<usize> {
        let bytes = turn.text.as_bytes();
        let start = at + self.open.len();
        match self.body {
            Body::Json => self.find_in_json(turn, start, call)?,
            Body::Tokens => find_in_tokens(turn, start, call)?,
            Body::Tags(before, after, style) => {
                find_in_tags(turn, start, (before, after, style), call)?;
            }
        }
        if self.close.is_empty() {
            return Some(call.end);
        }
        behind(bytes, blanks(bytes, call.end), self.close)
    }

    /// Finds the call behind the first token, if it is settled.
    fn find_in_json<'t>(
        &self,
        turn: &Turn<'t, '_>,
        start: usize,
        call: &mut PlainCall<'t>,
    ) -> Option<()> {
        let bytes = turn.text.as_bytes();
        match self.separator {
            None => call.find((turn.text, start), None, turn.tools)?,
            Some(separator) => {
                let (written, after) = written_name(turn, start)?;
                let is_bound;
                (call.name, call.tool, is_bound) = tool_in(turn, written);
                is_bound.then_some(())?;
                let start = behind(bytes, after, separator)?;
                call.find_arguments((turn.text, start))?;
            }
        }
        let is_settled = settled(bytes, call.end, turn.finished) == Ends::Yes;
        is_settled.then_some(())
    }
}

/// The name that stands at `at`, with prefix and counter, and where it ends; nothing if more of it
/// may follow.
fn written_name<'t>(turn: &Turn<'t, '_>, at: usize) -> Option<(&'t str, usize)> {
    let rest = turn.text.as_bytes().get(at..)?;
    let near = rest.get(..MAX_NAME).unwrap_or(rest);
    let end = at + near.iter().position(|byte| !is_written(*byte))?;
    let is_whole = turn.byte(end)?.is_ascii();
    is_whole.then_some((turn.text.get(at..end)?, end))
}

/// The name in what is written, the place of the tool with exactly this name, and whether it names
/// a tool at all. As [`name_in`] says, which takes longer: prefix and counter are the templates'.
fn tool_in<'n>(turn: &Turn<'_, '_>, written: &'n str) -> (&'n str, Option<usize>, bool) {
    let exact = |name: &'n str| Some((name, Some(turn.tools.place(name)?), true));
    let bare = || {
        let called = written.strip_prefix("call:");
        called.or_else(|| written.strip_prefix("functions."))
    };
    let in_template = || {
        let bare = bare()?;
        exact(bare).or_else(|| exact(without_counter(bare)?))
    };
    exact(written).or_else(in_template).unwrap_or_else(|| {
        let (name, is_bound) = name_in(turn, written);
        (name, turn.tools.place(name), is_bound)
    })
}

/// Finds the call whose name and arguments stand at `at`.
fn find_in_tokens<'t>(turn: &Turn<'t, '_>, at: usize, call: &mut PlainCall<'t>) -> Option<()> {
    let (written, start) = written_name(turn, at)?;
    let is_object = written.starts_with("call:") && turn.byte(start) == Some(b'{');
    (is_object && turn.text.len() <= MAX_CALL).then_some(())?;
    (call.name, call.tool, _) = tool_in(turn, written);
    call.tool?;
    call.end = start + value::written_in_tokens(turn.tail(start))?.len;
    call.arguments = start..call.end;
    // A string that the end of the call stands in may have lost its closing quote.
    let arguments = turn.text.get(call.arguments.clone())?;
    (!arguments.contains("<tool_call|>")).then_some(())?;
    Some(())
}

/// Finds the call whose name stands behind `before`, and is followed by `after` and arguments in
/// tags.
fn find_in_tags<'t>(
    turn: &Turn<'t, '_>,
    at: usize,
    (before, after, style): (&str, &str, Style),
    call: &mut PlainCall<'t>,
) -> Option<()> {
    let bytes = turn.text.as_bytes();
    (turn.text.len() <= MAX_CALL).then_some(())?;
    // What begins a tag may have blanks before it, a name in quotes has none.
    let at = if after == "\">" {
        at
    } else {
        blanks(bytes, at)
    };
    let (name, end) = written_name(turn, behind(bytes, at, before)?)?;
    let place = turn.tools.place(name).filter(|_| !name.is_empty())?;
    let mut start = behind(bytes, end, after)?;
    if style == Style::Pairs {
        start = blanks(bytes, start);
    }
    let mut list = Vec::new();
    let len = plain_parameters(turn.tail(start), style, &mut list)?;
    call.name = name;
    call.tool = Some(place);
    call.arguments = start..start + len;
    call.in_tags = Some(list);
    call.end = start + len;
    Some(())
}

impl Reader {
    /// Whether the whole call at hand is settled. Where the text ends with it that is unclear once:
    /// then it is worth while to wait for more, instead of reading it again the careful way.
    pub(super) fn settled(&self, turn: &Turn<'_, '_>, call: &PlainCall<'_>) -> Ends {
        match settled(turn.text.as_bytes(), call.end, turn.finished) {
            Ends::Unclear if self.seen.as_ref() == Some(&call.arguments) => Ends::No,
            settled => settled,
        }
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
        let start = match lead.kind {
            LeadKind::Call => 0,
            LeadKind::Section => blanks(turn.text.as_bytes(), lead.tag.len()),
            LeadKind::Bare => {
                let inside = Inside::opened_by(lead.tag.len());
                return Some(self.take(at, State::Inside(inside)));
            }
        };
        match self.plain_form(turn, start)? {
            Step::Take(taken) => Some(Step::Take(at + taken)),
            Step::More => None,
        }
    }

    /// A whole call whose first token stands at `at`, with nothing but markup before it: it is
    /// told of, and the step goes behind it.
    pub(super) fn plain_form(&mut self, turn: &mut Turn<'_, '_>, at: usize) -> Option<Step> {
        (!self.in_pieces).then_some(())?;
        let bytes = turn.text.as_bytes();
        let mut forms = FORMS.iter().filter(|form| stands(bytes, at, form.open));
        let (form, end) = forms.find_map(|form| Some((form, self.plain_call(turn, form, at)?)))?;
        Some(match form.close {
            "" => self.wrapper_ends(turn, form, end),
            _ => self.section_ends(turn, form, end),
        })
    }

    /// The whole call of one form that begins at `at`, which is told of; where it ends.
    fn plain_call(
        &mut self,
        turn: &mut Turn<'_, '_>,
        form: &'static Form,
        at: usize,
    ) -> Option<usize> {
        let is_closed = !form.close.is_empty();
        // The same tags stand in other wrappers too.
        (is_closed || self.format == form.format).then_some(())?;
        let mut call = PlainCall::default();
        let end = form.find(turn, at, &mut call)?;
        self.format = form.format;
        match is_closed {
            true => self.wrapper_closed(),
            false => self.wrapper_opened(),
        }
        self.tell_plain_call(turn, &mut call, (0, end, form.format));
        Some(end)
    }

    /// Behind calls with tokens of their own: the token of their section may follow at `end`.
    fn section_ends(&mut self, turn: &mut Turn<'_, '_>, form: &Form, end: usize) -> Step {
        let section_end = form.section_end.filter(|_| self.fence.is_none());
        let after = section_end.and_then(|token| behind(turn.text.as_bytes(), end, token));
        let Some(after) = after else {
            return self.take(end, State::Line);
        };
        turn.syntax(turn.text.get(end..after).unwrap_or_default());
        self.take(after, State::Line)
    }

    /// Behind calls in a wrapper, which end at `end`: its closing tag may follow.
    fn wrapper_ends(&mut self, turn: &mut Turn<'_, '_>, form: &Form, end: usize) -> Step {
        let bytes = turn.text.as_bytes();
        let close = blanks(bytes, end);
        let after = form
            .section_end
            .and_then(|token| behind(bytes, close, token));
        let Some(after) = after else {
            return self.take(end, State::Inside(Inside::open()));
        };
        turn.syntax(turn.text.get(end..after).unwrap_or_default());
        self.wrapper_closed();
        self.take(after, State::Line)
    }
}

#[cfg(test)]
mod tests;
