//! An object at the end of a line of text that may be a call if it ends the reply:
//! `Sure! {"name": "get_weather", "arguments": {"city": "Oslo"}}`.

use memchr::memchr;

use crate::ToolSet;
use crate::interpret;
use crate::machine::reading::Reading;
use crate::scan::balance::is_name_key;

/// The longest object, in bytes.
const LONGEST: usize = 16 * 1024;

/// The text from the brace that opens the object.
#[derive(Debug, Default)]
pub(super) struct Tail {
    text: String,
    /// So many brackets are open.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// More than blanks stands behind it.
    is_followed: bool,
}

impl Tail {
    /// Where such an object may begin in `text`, behind `lead` in its line.
    pub(super) fn begins_in(text: &str, lead: &str) -> Option<usize> {
        let mut from = 0;
        while let Some(found) = memchr(b'{', text.as_bytes().get(from..)?) {
            let at = from + found;
            let head = text.get(..at)?;
            let line = match head.rsplit_once('\n') {
                Some((_, line)) => line.to_owned(),
                None => format!("{}{head}", lead.rsplit('\n').next().unwrap_or_default()),
            };
            let is_behind_words = line.trim_end().ends_with(|c: char| {
                c.is_alphanumeric()
                    || matches!(c, '.' | '!' | ':' | ',' | '。' | '！' | '：' | '，' | '…')
            });
            let is_apart = line.ends_with([' ', ':', '：', '。', '！', '，']);
            if is_behind_words && is_apart && may_name_a_call(text.get(at..)?) {
                return Some(at);
            }
            from = at + 1;
        }
        None
    }

    /// Takes in more text; false where it is no such object.
    pub(super) fn add(&mut self, text: &str) -> bool {
        let is_closed = |tail: &Self| !tail.text.is_empty() && tail.depth == 0;
        for c in text.chars() {
            self.is_followed |= is_closed(self) && !c.is_whitespace();
            self.step(c);
            self.text.push(c);
        }
        !self.is_followed && self.text.len() <= LONGEST && may_name_a_call(&self.text)
    }

    fn step(&mut self, c: char) {
        if self.in_string {
            self.in_string = self.is_escaped || c != '"';
            self.is_escaped = !self.is_escaped && c == '\\';
            return;
        }
        match c {
            '"' => self.in_string = true,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// The calls in it, if it is a whole object that holds some of bound tools.
    pub(super) fn calls(&self, tools: &ToolSet) -> Option<Vec<Reading<'static>>> {
        if self.depth > 0 || tools.is_any() {
            return None;
        }
        interpret::object(self.text.trim_end(), false, tools)
    }

    pub(super) fn into_text(self) -> String {
        self.text
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
