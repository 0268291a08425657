//! Objects, lists, tuples and sets, with members and brackets missing, doubled or mixed up.

use haft_schema::RepairKind;
use serde_json::{Map, Value};

use super::ReadError;
use super::mends::Step;
use super::reader::{Last, Reader};
use crate::scan::balance::is_name_key;
use crate::scan::bytes::{begins_word, is_word};
use crate::scan::lexis::{Ends, Place, key_follows, value_follows_half_key};

/// The name that the arguments of a call get which stand there without any.
const ARGUMENTS: &str = "arguments";

impl<'t> Reader<'t> {
    /// What begins with `{`: an object, or a set of Python, which becomes a list.
    pub(super) fn braces(&mut self) -> Result<Value, ReadError> {
        self.enter(b'}')?;
        self.blanks();
        match self.peek() {
            Some(b'{') => return self.doubled_braces(),
            Some(b'[' | b'(') => return self.set(Vec::new()),
            _ => {}
        }
        let mut members = Map::new();
        loop {
            let commas = self.commas();
            if self.ends(b'}')? {
                self.note_trailing(commas);
                return Ok(Value::Object(members));
            }
            if self.peek() == Some(b'{') && self.is_inside(b']') && self.last == Last::Comma {
                // `[{"a": 1, {"a": 2}]`
                self.mend(RepairKind::BracketRepaired, "{", "}, {");
                self.close();
                return Ok(Value::Object(members));
            }
            if self.peek() == Some(b'{') && self.open.len() == 1 && is_only_name(&members) {
                // `{"name": "f", {"a": 1}}`
                self.mend(RepairKind::BracketRepaired, "", ARGUMENTS);
                let key = (ARGUMENTS.to_owned(), ARGUMENTS);
                self.member(key, Place::Member, &mut members)?;
                continue;
            }
            if commas == 0 && self.last == Last::Value {
                self.missing_comma()?;
            }
            let start = self.at;
            let key = self.key()?;
            if !self.colon() {
                let is_set = members.is_empty()
                    && match self.peek() {
                        Some(b',' | b';') => true,
                        // A set of one text, where a value belongs.
                        Some(b'}') => {
                            let is_quoted = matches!(self.byte(start), Some(b'"' | b'\''));
                            is_quoted && (self.is_enclosed || self.open.len() > 1)
                        }
                        _ => false,
                    };
                match self.peek() {
                    None => return Err(ReadError::CutOff),
                    Some(_) if is_set => {
                        self.at = start;
                        return self.set(Vec::new());
                    }
                    Some(b'"' | b'\'' | b'{' | b'[') if self.byte(start) == Some(b'"') => {
                        self.mend(RepairKind::CommaRepaired, "", ":");
                    }
                    Some(b'<') if self.quote().is_some() => {
                        self.mend(RepairKind::CommaRepaired, "", ":");
                    }
                    Some(_) => return Err(self.expected("a colon after the name")),
                }
            }
            self.member(key, Place::Member, &mut members)?;
        }
    }

    /// The value of a member whose key was read.
    pub(super) fn member(
        &mut self,
        (key, written): (String, &'t str),
        place: Place,
        members: &mut Map<String, Value>,
    ) -> Result<(), ReadError> {
        self.mends.path.push(Step::Member(written));
        let value = self.value(place)?;
        if let Some(earlier) = members.insert(key, value) {
            self.mend(RepairKind::DoubledKey, &earlier.to_string(), "");
        }
        self.mends.path.pop();
        Ok(())
    }

    /// `{{...}}` is one object; `{{...}, {...}}` a list of them.
    fn doubled_braces(&mut self) -> Result<Value, ReadError> {
        let inner = self.braces()?;
        self.blanks();
        if let Some(b',') = self.peek() {
            return self.set(vec![inner]);
        }
        self.mend(RepairKind::BracketRepaired, "{{", "{");
        if self.ends(b'}')? {
            return Ok(inner);
        }
        Err(self.expected("a closing brace"))
    }

    fn set(&mut self, items: Vec<Value>) -> Result<Value, ReadError> {
        self.mend_json(RepairKind::BracketRepaired, "{", "[");
        Ok(self.items(b'}', items)?.0)
    }

    /// What begins with `[`.
    pub(super) fn list(&mut self) -> Result<Value, ReadError> {
        self.enter(b']')?;
        Ok(self.items(b']', Vec::new())?.0)
    }

    /// What begins with `(`: a tuple, which becomes a list, a value in parentheses, or an
    /// expression, which stays text.
    pub(super) fn parentheses(&mut self, place: Place) -> Result<Value, ReadError> {
        let (start, depth, saved) = (self.at, self.open.len(), self.mends.save());
        self.enter(b')')?;
        let was_named = std::mem::take(&mut self.is_named);
        let read = self.items(b')', Vec::new());
        self.is_named = was_named;
        match read {
            Ok((value, is_tuple)) if self.is_delimited(self.at, place) => {
                let is_closed = self.byte(self.at - 1) == Some(b')');
                return match value {
                    // Only a comma would have told a tuple of one from a value.
                    _ if self.cut && !is_closed && !is_tuple => Err(ReadError::CutOff),
                    Value::Array(mut items) if !is_tuple && items.len() == 1 => {
                        Ok(items.pop().unwrap_or_default())
                    }
                    list => {
                        self.mend_json(RepairKind::BracketRepaired, "(", "[");
                        Ok(list)
                    }
                };
            }
            Err(ReadError::CutOff) => return Err(ReadError::CutOff),
            Ok(_) | Err(ReadError::Unreadable { .. }) => {}
        }
        self.at = start;
        self.open.truncate(depth);
        self.mends.restore(saved);
        self.bare_text(place)
    }

    /// The items up to `closer`, and whether there was a comma. Members among them become an
    /// object.
    fn items(&mut self, closer: u8, items: Vec<Value>) -> Result<(Value, bool), ReadError> {
        let mut items = items;
        let mut members = Map::new();
        let mut has_comma = false;
        let place = match closer {
            b')' => Place::Argument,
            _ => Place::Item,
        };
        loop {
            let before = self.at;
            let commas = self.commas();
            has_comma |= commas > 0;
            if self.ends(closer)? {
                if closer != b')' {
                    self.note_trailing(commas);
                }
                break;
            }
            if commas == 0 && self.last == Last::Value {
                self.missing_comma()?;
            }
            let start = self.at;
            let is_word = self.peek().is_some_and(begins_word);
            let is_member = is_word && closer == b']' && key_follows(self.rest());
            self.mends.path.push(Step::Item(items.len()));
            let item = if is_member {
                Value::Null
            } else {
                self.value(place)?
            };
            self.mends.path.pop();
            let is_member = is_member || (item.is_string() && self.colon_follows());
            if !is_member {
                items.push(item);
                continue;
            }
            if !items.is_empty() && self.is_inside(b'}') {
                // `{"a": [1, 2, "b": 3}`
                self.at = before;
                self.mend(RepairKind::BracketRepaired, "[", "[...]");
                self.close();
                break;
            }
            self.at = start;
            if closer != b']' {
                return Err(self.expected("an item"));
            }
            let key = self.key()?;
            if !self.colon() {
                return Err(self.expected("a colon after the name"));
            }
            self.member(key, Place::Member, &mut members)?;
        }
        if !members.is_empty() {
            self.mend(RepairKind::BracketRepaired, "[", "{");
            if items.is_empty() {
                return Ok((Value::Object(members), has_comma));
            }
            items.push(Value::Object(members));
        }
        Ok((Value::Array(items), has_comma))
    }

    /// A key, and as it is written.
    pub(super) fn key(&mut self) -> Result<(String, &'t str), ReadError> {
        let start = self.at;
        if let Some(quote) = self.quote() {
            if let Some(key) = self.half_quoted(start + quote.open_len) {
                return Ok((key.to_owned(), key));
            }
            let key = self.string(quote, Place::Key)?;
            let written = self.slice(start + quote.open_len, self.at);
            let written = written.trim_end_matches(['"', '\'', '`', '\\']);
            return Ok((key, written));
        }
        while self.peek().is_some_and(is_word) && !self.wide_sign_at(self.at) {
            self.at += 1;
        }
        self.pass_words_of_key();
        let written = self.slice(start, self.at);
        if written.is_empty() {
            return Err(self.expected("a name"));
        }
        if let Some(b'"' | b'\'') = self.peek() {
            self.at += 1;
            self.mend(
                RepairKind::QuotesRepaired,
                self.slice(start, self.at),
                written,
            );
        } else {
            self.mend_json(RepairKind::BareKey, written, written);
        }
        let key = match written.contains('\\') {
            true => written.replace("\\_", "_"),
            false => written.to_owned(),
        };
        Ok((key, written))
    }

    /// Steps over what else belongs to a bare key of several words: `{display name: 1}`.
    fn pass_words_of_key(&mut self) {
        const LONGEST: usize = 64;
        let mut end = self.at;
        for (at, byte) in self.rest().iter().take(LONGEST).enumerate() {
            match byte {
                b' ' | b'\t' => {}
                b':' => {
                    self.at = end;
                    return;
                }
                byte if is_word(*byte) => end = self.at + at + 1,
                _ => return,
            }
        }
    }

    /// The key of `"name: "x"`, which lost its last quote, from `start` on.
    fn half_quoted(&mut self, start: usize) -> Option<&'t str> {
        let mut end = start;
        while self.byte(end).is_some_and(is_word) {
            end += 1;
        }
        let quote = self
            .byte(start - 1)
            .filter(|quote| matches!(quote, b'"' | b'\''));
        let is_half = end > start
            && matches!(self.byte(end), Some(b':' | b'='))
            && quote.is_some_and(|quote| {
                let rest = self.text.as_bytes().get(end..).unwrap_or_default();
                value_follows_half_key(rest, quote, true) == Ends::Yes
            });
        if !is_half {
            return None;
        }
        self.at = end;
        let key = self.slice(start, end);
        self.mend(RepairKind::QuotesRepaired, self.slice(start - 1, end), key);
        Some(key)
    }

    /// Steps over the sign between key and value, if it is there.
    pub(super) fn colon(&mut self) -> bool {
        self.blanks();
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(0xEF) if self.rest().starts_with("：".as_bytes()) => {
                self.mend(RepairKind::CommaRepaired, "：", ":");
                self.at += "：".len();
            }
            Some(b'=') => {
                self.mend_json(RepairKind::BracesSupplied, "=", ":");
                self.at += 1 + usize::from(self.byte(self.at + 1) == Some(b'>'));
            }
            _ => return false,
        }
        true
    }

    fn colon_follows(&self) -> bool {
        let rest = self.text.get(self.after_blanks(self.at)..);
        rest.is_some_and(|rest| rest.starts_with([':', '：']))
    }

    /// True when a bracket with this closer is open around the innermost one.
    fn is_inside(&self, closer: u8) -> bool {
        self.open.iter().rev().nth(1) == Some(&closer)
    }

    /// No comma stands between two parts: fine before what clearly begins a new one.
    pub(super) fn missing_comma(&mut self) -> Result<(), ReadError> {
        let begins = self.quote().is_some()
            || matches!(self.peek(), Some(b'{' | b'['))
            || key_follows(self.rest());
        if !begins {
            return Err(self.expected("a comma or a closing bracket"));
        }
        self.mend(RepairKind::CommaRepaired, "", ",");
        Ok(())
    }

    pub(super) fn note_trailing(&mut self, commas: usize) {
        if commas > 0 {
            self.mend_json(RepairKind::CommaRepaired, ",", "");
        }
    }
}

/// True where a call was named and nothing else: an object that follows is its arguments.
fn is_only_name(members: &Map<String, Value>) -> bool {
    let mut members = members.iter();
    let is_name = |(key, value): (&String, &Value)| is_name_key(key) && value.is_string();
    members.next().is_some_and(is_name) && members.next().is_none()
}
