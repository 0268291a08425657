//! What a tag means inside a call.
//!
//! The tag itself is cut out by [`tag`](crate::scan::tag) and looked up in
//! [`formats`](crate::formats). Here are added: Kimi's tags, which are made of three tokens
//! (`<|open|>argument key="k"<|sep|>`), MiniMax's prefix, elements whose name is the parameter's,
//! and ordinary words that happen to be markers elsewhere (`<message>`, `<start>`).

use std::ops::Range;

use crate::arguments::parameters::text::Reader;
use crate::arguments::parameters::{Parameter, ValueKind};
use crate::formats::{Marker, Role};
use crate::scan::Seen;
use crate::scan::tag::{Attributes, Tag, attribute, tag_at};

/// The longest tag of Kimi.
const MAX_XTML: usize = 256;

/// Ends a tag of Kimi.
const XTML_END: &str = "<|sep|>";

/// The longest name of a type.
const MAX_TYPE: usize = 64;

/// The longest run of blanks at the beginning of a container.
const MAX_CONTAINER_BLANKS: usize = 256;

/// The longest piece of a tag at the end of a reply that is taken for a tag cut off.
const MAX_CUT_TAG: usize = 64;

/// The longest name of an option.
const MAX_DASHED: usize = 64;

/// A tag and what it means.
#[derive(Debug, Default)]
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    /// It is a closing tag.
    pub(super) close: bool,
    /// The offset behind it.
    pub(super) end: usize,
    /// It lacks a piece.
    pub(super) damaged: bool,
    /// It is written with bars: a special token, which values rarely hold.
    pub(super) barred: bool,
    /// It is an element that is named like a wrapper of calls.
    pub(super) wraps: bool,
    /// Its name.
    pub(super) name: Range<usize>,
    /// Its attributes.
    attributes: Range<usize>,
    /// The name of the parameter that it opens; empty if there is none.
    pub(super) key: Range<usize>,
    /// What it says of the value; nothing if the schema has to.
    pub(super) value_kind: Option<ValueKind>,
    /// The value is written exactly, without line breaks around it.
    pub(super) exact: bool,
    /// The offset at which the value begins.
    pub(super) start: usize,
}

/// What a tag means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// Names a parameter, and stands around its value.
    Parameter,
    /// Stands around the name of a parameter.
    Key,
    /// Stands around the value behind a name.
    Value,
    /// Stands around the type of a value.
    Type,
    /// Stands around a call.
    Call,
    /// Stands around calls.
    Wrapper,
    /// Stands between the name of a call and its parameters.
    Separator,
    /// A token of the frame of a reply.
    Frame,
    /// Any other tag, which may be a parameter named like it.
    #[default]
    Element,
}

impl Mark {
    /// True for a tag that closes itself: `<k/>`.
    pub(super) fn is_empty_element(&self, reader: &Reader<'_>) -> bool {
        reader.slice(&self.attributes).ends_with('/')
    }

    /// True for what closes a parameter, a value or an element.
    pub(super) fn closes_value(&self) -> bool {
        let kinds = [MarkKind::Parameter, MarkKind::Value, MarkKind::Element];
        self.close && kinds.contains(&self.kind)
    }

    /// True for a tag of a call, of what calls stand in, or of the frame of a reply.
    pub(super) fn is_of_calls(&self) -> bool {
        let kinds = [MarkKind::Call, MarkKind::Wrapper, MarkKind::Frame];
        kinds.contains(&self.kind)
    }

    /// True for what opens a parameter or the name of one.
    pub(super) fn opens_parameter(&self) -> bool {
        !self.close && matches!(self.kind, MarkKind::Parameter | MarkKind::Key)
    }
}

impl Reader<'_> {
    /// The tag at `at`, if there is one. `prefixed` says that MiniMax's prefix stands before it.
    pub(super) fn mark(&self, at: usize, prefixed: bool) -> Seen<Option<Mark>> {
        let Some(tag) = tag_at(self.text, at)? else {
            return if prefixed { self.dashed(at) } else { Ok(None) };
        };
        let end = at + tag.len;
        let marker = tag.marker.filter(|marker| !is_word(marker, &tag, prefixed));
        if let Some(marker) = marker.filter(|marker| is_xtml(marker)) {
            let mark = self.xtml(end, marker.letters == "close")?;
            return Ok(mark.map(|mark| self.opening(mark)));
        }
        if marker.is_none() && tag.damaged {
            return Ok(None);
        }
        let mut kind = marker.map_or(MarkKind::Element, meaning);
        let close = tag.close || marker.is_some_and(|marker| marker.role == Role::Close);
        let is_element = prefixed
            && !close
            && match kind {
                MarkKind::Parameter => tag.attributes.is_empty(),
                MarkKind::Wrapper => self.is_parameter(end)?,
                _ => false,
            };
        if is_element {
            kind = MarkKind::Element;
        }
        let shifted = |range: &Range<usize>| range.start + at..range.end + at;
        Ok(Some(self.opening(Mark {
            kind,
            close,
            end,
            damaged: tag.damaged,
            barred: tag.barred,
            wraps: is_element && tag.has_role(Role::Wrapper),
            name: shifted(&tag.name),
            attributes: shifted(&tag.attributes),
            ..Mark::default()
        })))
    }

    /// A tag behind MiniMax's prefix whose name is that of an option: `<-A>`, `</--all>`.
    fn dashed(&self, at: usize) -> Seen<Option<Mark>> {
        let close = self.rest(at).starts_with("</");
        let start = at + 1 + usize::from(close);
        let len = self.word_length(start, MAX_DASHED);
        let end = start + len;
        if self.byte(end).is_none() && len < MAX_DASHED {
            self.ended()?;
        }
        let is_tag = self.byte(end) == Some(b'>') && self.byte(start) == Some(b'-');
        let mark = Mark {
            close,
            end: end + 1,
            name: start..end,
            ..Mark::default()
        };
        Ok(is_tag.then(|| self.opening(mark)))
    }

    /// Whether MiniMax's tag that ends at `end` opens a parameter which is named like the wrapper of
    /// calls: no call follows in it.
    fn is_parameter(&self, end: usize) -> Seen<bool> {
        let next = self.blanks(end)?.end;
        if next - end > MAX_CONTAINER_BLANKS {
            return Ok(false);
        }
        match self.byte(next) {
            None => self.ended().map(|()| false),
            Some(b'<') => {
                let role = tag_at(self.text, next)?.and_then(|tag| Some(tag.marker?.role));
                Ok(role != Some(Role::Invoke))
            }
            Some(_) => Ok(true),
        }
    }

    /// The mark with what its attributes say of the parameter that it opens.
    fn opening(&self, mark: Mark) -> Mark {
        let is_element = mark.kind == MarkKind::Element;
        let text = self.slice(&mark.attributes);
        let (mut name, mut value_kind) = (None, None);
        for (word, value) in Attributes::new(text.strip_suffix('/').unwrap_or(text)) {
            match (word, value) {
                ("name", Some(value)) => name = Some(value),
                ("key", Some(value)) => name = name.or(Some(value)),
                ("string", Some("true")) => value_kind = Some(ValueKind::Text),
                ("string", Some("false")) => value_kind = Some(ValueKind::Json),
                ("type", Some(value)) => value_kind = value_kind.or(kind_of_type(value)),
                // `<parameter city>`.
                (word, None) if !is_element && name.is_none() => {
                    name = Some(word.trim_matches(['"', '\'']));
                }
                _ => {}
            }
        }
        let key = match name {
            Some(name) => self.range_of(name),
            None if is_element => mark.name.clone(),
            None => mark.name.start..mark.name.start,
        };
        // Kimi's values are never trimmed, and Muse's template puts nothing around one.
        let tag = self.slice(&mark.name);
        let is_exact = (mark.barred && tag == "argument") || tag.starts_with("atem:");
        let is_closed = self.byte(mark.end.wrapping_sub(1)) == Some(b'>');
        // Behind a tag without its bracket, the value may begin right after the name, or behind
        // DeepSeek's kind: `string="true"Oslo`.
        let start = match mark.damaged && !key.is_empty() && !is_closed {
            true if mark.barred => {
                let kinds = ["string=\"true\"", "string=\"false\""];
                let end = |kind: &str| Some(text.find(kind)? + kind.len());
                let end = kinds.into_iter().find_map(end);
                end.map_or(mark.end, |end| mark.attributes.start + end)
            }
            true => key.end + usize::from(matches!(self.byte(key.end), Some(b'"' | b'\''))),
            false => mark.end,
        };
        Mark {
            key,
            value_kind,
            exact: value_kind.is_some() || is_exact,
            start,
            ..mark
        }
    }

    /// The parameter that a tag is all of, where it closes itself: `<city/>`, or, with the value as
    /// an attribute, `<param name="city" value="Oslo" type="string"/>`.
    pub(super) fn value_in_tag(&self, mark: &Mark) -> Option<Parameter> {
        let attributes = self.slice(&mark.attributes).strip_suffix('/')?;
        // `<parameter=/usr/bin/>` names a path, and its value follows.
        let is_whole = attributes.ends_with(['"', '\'', ' ']) && !mark.key.is_empty();
        if mark.kind != MarkKind::Element && (mark.damaged || !is_whole) {
            return None;
        }
        let value = attribute(attributes, "value").map(|value| self.range_of(value));
        Some(Parameter {
            key: mark.key.clone(),
            value: value.unwrap_or(mark.end..mark.end),
            kind: mark.value_kind.unwrap_or_default(),
        })
    }

    /// `word attributes<|sep|>`, from behind `<|open|>` or `<|close|>`.
    fn xtml(&self, start: usize, close: bool) -> Seen<Option<Mark>> {
        let found = self.find_xtml_end(start);
        let body_end = found.unwrap_or(self.len());
        if body_end - start > MAX_XTML {
            return Ok(None);
        }
        let is_ended = self.text.begins(body_end, XTML_END)?;
        let body = self.slice(&(start..body_end));
        let (body_end, end) = match body.find('>').filter(|_| found.is_some() && !close) {
            _ if is_ended => (body_end, body_end + XTML_END.len()),
            // Of the token only the bracket may be left.
            Some(bracket) => (start + bracket, start + bracket + 1),
            None => (body_end, body_end),
        };
        let word_start = start + (body.len() - body.trim_ascii_start().len());
        let letters = self.slice(&(word_start..body_end)).bytes();
        let word_len = letters.take_while(u8::is_ascii_alphabetic).count();
        let name = word_start..word_start + word_len;
        let kind = match (self.slice(&name), close) {
            ("argument", _) => MarkKind::Parameter,
            ("call", _) | ("toolscall", false) => MarkKind::Call,
            ("tools", _) => MarkKind::Wrapper,
            _ => MarkKind::Frame,
        };
        Ok(Some(Mark {
            kind,
            close,
            end,
            damaged: body_end == end,
            barred: true,
            attributes: name.end..body_end,
            name,
            ..Mark::default()
        }))
    }

    /// The bracket that ends or cuts off the tag of Kimi whose word stands at `start`: one within
    /// quotes does so only if it begins the token that ends such tags.
    fn find_xtml_end(&self, start: usize) -> Option<usize> {
        let mut found = self.find(start)?;
        loop {
            let rest = self.rest(found);
            let may_end = rest.starts_with(XTML_END) || XTML_END.starts_with(rest);
            let is_far = found - start > MAX_XTML;
            let is_quoted = || self.slice(&(start..found)).matches('"').count() % 2 == 1;
            if may_end || is_far || !is_quoted() {
                return Some(found);
            }
            found = self.find(found + 1)?;
        }
    }

    /// The kind that `<arg_type>` names, from behind that tag, and the offset behind its closing
    /// tag.
    pub(super) fn value_type(&self, from: usize) -> Seen<Option<(ValueKind, usize)>> {
        let Some(at) = self.find_near(from, MAX_TYPE)? else {
            return Ok(None);
        };
        let kind = kind_of_type(self.slice(&(from..at)).trim()).unwrap_or(ValueKind::Schema);
        let close = self.mark(at, false)?;
        let close = close.filter(|mark| mark.kind == MarkKind::Type && mark.close);
        Ok(Some((kind, close.map_or(at, |mark| mark.end))))
    }

    /// True when the element holds the parameters of the call: `<parameters><city>...`.
    pub(super) fn is_container(&self, mark: &Mark) -> Seen<bool> {
        if !self.is_container_name(&mark.name) {
            return Ok(false);
        }
        let next = self.blanks(mark.end)?.end;
        if next - mark.end > MAX_CONTAINER_BLANKS {
            return Ok(false);
        }
        match (self.byte(next), self.byte(next + 1)) {
            (None, _) | (Some(b'<'), None) => self.ended().map(|()| false),
            (first, second) => Ok(first == Some(b'<') && second != Some(b'/')),
        }
    }

    pub(super) fn is_container_name(&self, name: &Range<usize>) -> bool {
        let names = ["parameters", "params", "arguments", "args"];
        let name = self.slice(name);
        names.iter().any(|known| name.eq_ignore_ascii_case(known))
    }

    /// Whether a name and the tags that stand around it and its value follow `<arg_key>`.
    pub(super) fn is_whole_key(&self, from: usize) -> Seen<bool> {
        let close = self.name_and_mark(from)?;
        let Some(close) = close.filter(|mark| mark.kind == MarkKind::Key && mark.close) else {
            return Ok(false);
        };
        let value = self.name_and_mark(close.end)?;
        Ok(value.is_some_and(|mark| mark.kind == MarkKind::Value && !mark.close))
    }

    /// Whether a call goes on behind the tag that may have opened it.
    pub(super) fn opens_call(&self, from: usize) -> Seen<bool> {
        let mark = self.name_and_mark(from)?;
        Ok(mark.is_some_and(|mark| mark.opens_parameter() || mark.kind == MarkKind::Call))
    }

    /// The tag behind blanks and at most one name.
    fn name_and_mark(&self, from: usize) -> Seen<Option<Mark>> {
        let Some(at) = self.find_near(from, MAX_CUT_TAG)? else {
            return Ok(None);
        };
        match self.slice(&(from..at)).trim().contains(char::is_whitespace) {
            true => Ok(None),
            false => self.mark(at, false),
        }
    }

    /// True when the reply ends inside a tag that begins at `at`.
    pub(super) fn is_cut_tag(&self, at: usize) -> bool {
        let mut unfinished = *self;
        unfinished.text.finished = false;
        self.text.finished && self.len() - at <= MAX_CUT_TAG && unfinished.mark(at, false).is_err()
    }

    /// True when it may be a closing one.
    pub(super) fn is_cut_closing_tag(&self, at: usize) -> bool {
        let rest = self.rest(at);
        self.is_cut_tag(at)
            && (rest.len() == 1 || rest.starts_with("</") || "<|close|>".starts_with(rest))
    }
}

/// True for an ordinary word that is a marker elsewhere: `<message>` names a parameter,
/// `<|message|>` does not. Behind MiniMax's prefix only the tags of its own format are markers.
fn is_word(marker: &Marker, tag: &Tag, prefixed: bool) -> bool {
    !tag.barred
        && match marker.role {
            Role::Channel | Role::Noise | Role::Thinking | Role::ThinkingEnd | Role::Quote => true,
            Role::Separator => marker.letters != "toolsep",
            Role::Wrapper | Role::Close => {
                let word = matches!(marker.letters, "tool" | "tools" | "plugin" | "interpreter");
                word || (prefixed && !marker.letters.contains("call"))
            }
            Role::Invoke => prefixed && marker.letters != "invoke",
            Role::Key | Role::Value | Role::Type => prefixed,
            Role::Parameter => false,
        }
}

/// True for the first token of a tag of Kimi.
fn is_xtml(marker: &Marker) -> bool {
    marker.role == Role::Channel && matches!(marker.letters, "open" | "close")
}

/// What a marker means where parameters stand.
fn meaning(marker: &Marker) -> MarkKind {
    match marker.role {
        Role::Parameter => MarkKind::Parameter,
        Role::Key => MarkKind::Key,
        Role::Value => MarkKind::Value,
        Role::Type => MarkKind::Type,
        Role::Invoke => MarkKind::Call,
        Role::Wrapper | Role::Close => MarkKind::Wrapper,
        Role::Separator => MarkKind::Separator,
        _ if marker.letters == "sep" => MarkKind::Separator,
        _ => MarkKind::Frame,
    }
}

fn kind_of_type(name: &str) -> Option<ValueKind> {
    const JSON: &str = "number integer boolean object array null int float bool list dict json";
    let is = |names: &str| {
        names
            .split(' ')
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    match is("string str text") {
        true => Some(ValueKind::Text),
        false => is(JSON).then_some(ValueKind::Json),
    }
}
