//! An object at the end of a line of text that may be a call if it ends the reply:
//! `Sure! {"name": "get_weather", "arguments": {"city": "Oslo"}}`.

use memchr::memchr_iter;

use crate::scan::balance::{Balance, Stop, is_name_key};
use crate::{ToolSet, interpret, limits, machine::Calls};

/// The text from the brace that opens the object.
#[derive(Debug, Default)]
pub(super) struct Tail {
    pub(super) text: String,
    scan: Balance,
    /// Where it ends, with the blanks behind it.
    end: Option<usize>,
}

impl Tail {
    /// Where such an object may begin in `text`, behind `lead` in its line.
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
        let mut braces = memchr_iter(b'{', text.as_bytes()).filter(|at| *at >= shortest);
        braces.find(begins)
    }

    /// Takes in more text; false where it is no such object.
    pub(super) fn add(&mut self, text: &str) -> bool {
        self.text.push_str(text);
        self.may_be_last(false)
            && self.text.len() <= limits::SEARCHED
            && may_name_a_call(&self.text)
    }

    /// False where no object can end, or more than blanks stands behind it.
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

    /// The calls in it, if it is a whole object that holds some of bound tools.
    pub(super) fn calls(&mut self, tools: &ToolSet) -> Option<Calls> {
        let is_call = self.may_be_last(true) && self.end.is_some() && !tools.is_any();
        is_call.then(|| interpret::object(self.text.trim_end(), false, tools))?
    }
}

/// False when the object at the beginning of `text` does not begin with the name of a call.
fn may_name_a_call(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('{').map(str::trim_start) else {
        return false;
    };
    match inner.strip_prefix('"') {
        None => inner.is_empty(),
        Some(rest) => match rest.split_once('"') {
            Some((key, _)) => is_name_key(key),
            None => rest.len() < 32,
        },
    }
}
