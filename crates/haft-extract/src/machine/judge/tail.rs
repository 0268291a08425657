//! An object or a list at the end of a line of text that may be a call if it ends the reply:
//! `Sure! {"name": "get_weather", "arguments": {"city": "Oslo"}}`.

use memchr::memchr2_iter;

use crate::scan::balance::{Balance, Stop, is_name_key};
use crate::{ToolSet, interpret, limits, machine::Calls};

/// The text from the bracket that opens it.
#[derive(Debug, Default)]
pub(super) struct Tail {
    pub(super) text: String,
    scan: Balance,
    /// Where it ends, with the blanks behind it.
    end: Option<usize>,
}

impl Tail {
    /// Where such a one may begin in `text`, behind `lead` in its line.
    pub(super) fn begins_in(text: &str, lead: &str) -> Option<usize> {
        let is_end_of_words = |c: char| c.is_alphanumeric() || ".!:,。！：，…".contains(c);
        let begun = lead.rsplit('\n').next().unwrap_or_default();
        let begins = |at: &usize| {
            let (head, object) = text.split_at_checked(*at).unwrap_or_default();
            let line = match head.rsplit_once('\n') {
                Some((_, line)) => line.to_owned(),
                None => format!("{begun}{head}"),
            };
            line.trim_end().ends_with(is_end_of_words)
                && line.ends_with([' ', ':', '：', '。', '！', '，'])
                && may_name_a_call(object)
        };
        let shortest = text.len().saturating_sub(limits::SEARCHED);
        let mut brackets = memchr2_iter(b'{', b'[', text.as_bytes()).filter(|at| *at >= shortest);
        brackets.find(begins)
    }

    /// Takes in more text; false where it is none.
    pub(super) fn add(&mut self, text: &str) -> bool {
        self.text.push_str(text);
        self.may_be_last(false)
            && self.text.len() <= limits::SEARCHED
            && may_name_a_call(&self.text)
    }

    /// False where none can end, or more than blanks stands behind it.
    fn may_be_last(&mut self, finished: bool) -> bool {
        if self.end.is_none() {
            self.end = match self.scan.run(&self.text, finished) {
                Stop::Closed(end) => Some(end),
                Stop::More => None,
                _ => return false,
            };
        }
        let Some(end) = &mut self.end else {
            return true;
        };
        let behind = self.text.get(*end..).unwrap_or_default();
        *end = self.text.len();
        behind.trim().is_empty()
    }

    /// The calls in it, if it is whole and holds some of bound tools.
    pub(super) fn calls(&mut self, tools: &ToolSet) -> Option<Calls> {
        let is_call = self.may_be_last(true) && self.end.is_some() && !tools.is_any();
        let text = self.text.trim_end();
        is_call.then(|| match text.starts_with('[') {
            true => interpret::list(text, false, tools),
            false => interpret::object(text, false, tools),
        })?
    }
}

/// False when what begins with a bracket does not begin with the name of a call.
fn may_name_a_call(text: &str) -> bool {
    let items = text.strip_prefix('[').map(str::trim_start);
    let object = items.unwrap_or(text);
    let Some(inner) = object.strip_prefix('{').map(str::trim_start) else {
        // `["get_weather", {"city": "Oslo"}]`
        return items.is_some_and(|items| items.is_empty() || items.starts_with(['"', '\'']));
    };
    let Some(rest) = inner.strip_prefix('"') else {
        return inner.is_empty();
    };
    let key = rest.split_once('"');
    key.map_or(rest.len() < 32, |(key, _)| is_name_key(key))
}
