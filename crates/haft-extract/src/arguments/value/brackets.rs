//! Objects, lists, tuples and sets, with members and brackets missing, doubled or mixed up.

use haft_schema::RepairKind;
use serde_json::{Map, Value};

use super::{Last, ReadError, ValueReader};
use crate::limits;
use crate::scan::bytes::{begins_word, is_word, word};
use crate::scan::{Place, is_name_key, key_follows, value_follows_half_key};

/// The name that the arguments of a call get which stand there without any.
const ARGUMENTS: &str = "arguments";

impl ValueReader<'_> {
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
        while self.next_part(Some(b'}'))? {
            let is_brace = self.peek() == Some(b'{');
            if is_brace && self.is_inside(b']') && self.last == Last::Comma {
                // `[{"a": 1, {"a": 2}]`
                self.repair(RepairKind::BracketRepaired, "{", "}, {");
                self.close();
                break;
            }
            let start = self.at;
            let key = if is_brace && self.open.len() == 1 && is_only_name(&members) {
                // `{"name": "f", {"a": 1}}`
                self.repair(RepairKind::BracketRepaired, "", ARGUMENTS);
                ARGUMENTS.to_owned()
            } else {
                let key = self.key()?;
                if !self.colon() && self.is_item_of_set(start, members.is_empty())? {
                    self.at = start;
                    return self.set(Vec::new());
                }
                key
            };
            self.member(key, Place::Member, &mut members)?;
        }
        Ok(Value::Object(members))
    }

    /// Behind a key from `start` on that no colon follows: true where it is an item of a set,
    /// false where only the colon is missing.
    fn is_item_of_set(&mut self, start: usize, is_first: bool) -> Result<bool, ReadError> {
        let first = self.source.byte(start);
        let is_text = is_first && matches!(first, Some(b'"' | b'\''));
        match self.peek().ok_or(ReadError::CutOff)? {
            b',' | b';' if is_first => return Ok(true),
            // A set of one text, where a value belongs.
            b'}' if is_text && (self.is_enclosed || self.open.len() > 1) => return Ok(true),
            b'"' | b'\'' | b'{' | b'[' if first == Some(b'"') => {}
            b'<' if self.quote().is_some() => {}
            _ => return Err(self.expected("a colon after the name")),
        }
        self.repair(RepairKind::CommaRepaired, "", ":");
        Ok(false)
    }

    /// The value of a member whose key was read.
    pub(super) fn member(
        &mut self,
        key: String,
        place: Place,
        members: &mut Map<String, Value>,
    ) -> Result<(), ReadError> {
        let outer = self.repairs.enter(&key);
        let value = self.value(place)?;
        if let Some(earlier) = members.insert(key, value) {
            self.repair(RepairKind::DoubledKey, &earlier.to_string(), "");
        }
        self.repairs.leave(outer);
        Ok(())
    }

    /// `{{...}}` is one object; `{{...}, {...}}` a list of them.
    fn doubled_braces(&mut self) -> Result<Value, ReadError> {
        let inner = self.braces()?;
        self.blanks();
        if let Some(b',') = self.peek() {
            return self.set(vec![inner]);
        }
        self.repair(RepairKind::BracketRepaired, "{{", "{");
        match self.ends(b'}')? {
            true => Ok(inner),
            false => Err(self.expected("a closing brace")),
        }
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
        let (start, depth, saved) = (self.at, self.open.len(), self.repairs.clone());
        self.enter(b')')?;
        let was_named = std::mem::take(&mut self.is_named);
        let read = self.items(b')', Vec::new());
        self.is_named = was_named;
        match read {
            Err(ReadError::CutOff) => return Err(ReadError::CutOff),
            Ok((value, is_tuple)) if self.is_delimited(self.at, place) => {
                let is_closed = self.source.byte(self.at - 1) == Some(b')');
                // Only a comma would have told a tuple of one from a value.
                if self.cut && !is_closed && !is_tuple {
                    return Err(ReadError::CutOff);
                }
                if !is_tuple && let Some([only]) = value.as_array().map(Vec::as_slice) {
                    return Ok(only.clone());
                }
                self.mend_json(RepairKind::BracketRepaired, "(", "[");
                return Ok(value);
            }
            Ok(_) | Err(ReadError::Unreadable { .. }) => {}
        }
        self.at = start;
        self.open.truncate(depth);
        self.repairs = saved;
        self.bare_text(place)
    }

    /// The items up to `closer`, and whether there was a comma. Members among them become an
    /// object.
    fn items(&mut self, closer: u8, mut items: Vec<Value>) -> Result<(Value, bool), ReadError> {
        let mut members = Map::new();
        let mut has_comma = false;
        let place = match closer {
            b')' => Place::Argument,
            _ => Place::Item,
        };
        loop {
            let before = self.at;
            let goes_on = self.next_part(Some(closer))?;
            has_comma |= self.had_comma;
            if !goes_on {
                break;
            }
            let start = self.at;
            let is_word = self.peek().is_some_and(begins_word);
            let mut is_member = is_word && closer == b']' && key_follows(self.rest());
            if !is_member {
                let outer = self.repairs.enter(&items.len().to_string());
                let item = self.value(place)?;
                self.repairs.leave(outer);
                let rest = self.source.rest(self.after_blanks(self.at));
                is_member = item.is_string() && rest.starts_with([':', '：']);
                if !is_member {
                    items.push(item);
                    continue;
                }
            }
            if !items.is_empty() && self.is_inside(b'}') {
                // `{"a": [1, 2, "b": 3}`
                self.at = before;
                self.repair(RepairKind::BracketRepaired, "[", "[...]");
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
            self.repair(RepairKind::BracketRepaired, "[", "{");
            if items.is_empty() {
                return Ok((Value::Object(members), has_comma));
            }
            items.push(Value::Object(members));
        }
        Ok((Value::Array(items), has_comma))
    }

    pub(super) fn key(&mut self) -> Result<String, ReadError> {
        let start = self.at;
        if let Some(quote) = self.quote() {
            let half = self.half_quoted(start + quote.open_len);
            return half.map_or_else(|| self.string(quote, Place::Key), Ok);
        }
        self.at += word(self.rest());
        // What else belongs to a bare key of several words: `{display name: 1}`.
        let is_part = |byte: &&u8| is_word(**byte) || matches!(**byte, b' ' | b'\t');
        let near = self.rest().iter().take(limits::KEY);
        let len = near.take_while(is_part).count();
        if len < limits::KEY && self.source.byte(self.at + len) == Some(b':') {
            self.at += self.slice(self.at, self.at + len).trim_end().len();
        }
        let written = self.slice(start, self.at);
        if written.is_empty() {
            return Err(self.expected("a name"));
        }
        if let Some(b'"' | b'\'') = self.peek() {
            self.at += 1;
            let quoted = self.slice(start, self.at);
            self.repair(RepairKind::QuotesRepaired, quoted, written);
        } else {
            self.mend_json(RepairKind::BareKey, written, written);
        }
        Ok(match written.contains('\\') {
            true => written.replace("\\_", "_"),
            false => written.to_owned(),
        })
    }

    /// The key of `"name: "x"`, which lost its last quote, from `start` on.
    fn half_quoted(&mut self, start: usize) -> Option<String> {
        let quote = self.source.byte(start - 1)?;
        let letters = self.source.bytes(start).iter();
        let end = start + letters.take_while(|byte| is_word(**byte)).count();
        let is_half = end > start
            && matches!(quote, b'"' | b'\'')
            && matches!(self.source.byte(end), Some(b':' | b'='))
            && value_follows_half_key(self.source.bytes(end), quote, true) == Ok(true);
        if !is_half {
            return None;
        }
        self.at = end;
        let key = self.slice(start, end);
        self.repair(RepairKind::QuotesRepaired, self.slice(start - 1, end), key);
        Some(key.to_owned())
    }

    /// Steps over the sign between key and value, if it is there.
    pub(super) fn colon(&mut self) -> bool {
        let sign = self.sign(&["::", "：", ":", "=>", "="]);
        match sign {
            "" | ":" => {}
            "=" | "=>" => self.mend_json(RepairKind::BracesSupplied, "=", ":"),
            _ => self.repair(RepairKind::CommaRepaired, sign, ":"),
        }
        !sign.is_empty()
    }

    /// True when a bracket with this closer is open around the innermost one.
    fn is_inside(&self, closer: u8) -> bool {
        self.open.iter().rev().nth(1) == Some(&closer)
    }
}

/// True where a call was named and nothing else: an object that follows is its arguments.
fn is_only_name(members: &Map<String, Value>) -> bool {
    let is_name = |(key, value): (&String, &Value)| is_name_key(key) && value.is_string();
    members.len() == 1 && members.iter().all(is_name)
}
