//! What a tag means inside a call.
//!
//! The tag itself is cut out by [`tag`](crate::tag) and looked up in
//! [`markers`](crate::markers). Here are added: Kimi's tags, which are made of three tokens
//! (`<|open|>argument key="k"<|sep|>`), MiniMax's prefix, elements whose name is the parameter's,
//! and ordinary words that happen to be markers elsewhere (`<message>`, `<start>`).

use std::ops::Range;

use crate::markers::{Marker, Role};
use crate::parameters::{Style, ValueKind};
use crate::tag::{Found, Tag, attribute, read_tag};

/// What MiniMax M3 writes before each tag.
const PREFIX: &str = "]<]minimax[>[";

/// The same from its bracket on, which is what a scan for tags comes upon.
const PREFIX_TAIL: &str = "<]minimax[>[";

/// The longest tag of Kimi.
const MAX_XTML: usize = 256;

/// The longest name of a type.
const MAX_TYPE: usize = 64;

/// The longest piece of a tag at the end of a reply that is taken for a tag cut off.
const MAX_CUT_TAG: usize = 64;

/// The text that is read.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) finished: bool,
    pub(super) style: Style,
}

/// A run of blanks and prefixes.
pub(super) struct Blanks {
    pub(super) end: usize,
    /// The last thing but blanks was a prefix.
    pub(super) prefixed: bool,
    /// The text ends in what may become a prefix.
    pub(super) undecided: bool,
}

/// A tag and what it means.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    /// The offset behind it.
    pub(super) end: usize,
    /// It lacks a piece.
    pub(super) damaged: bool,
    /// It is a closing tag.
    pub(super) close: bool,
    /// Its name.
    pub(super) name: Range<usize>,
    /// It is written with bars: a special token, which values rarely hold.
    pub(super) barred: bool,
}

/// What a tag means.
#[derive(Debug)]
pub(super) enum MarkKind {
    /// Opens a parameter and names it.
    Parameter(Opening),
    ParameterClose,
    Key,
    KeyClose,
    Value,
    ValueClose,
    Type,
    TypeClose,
    /// Opens a call.
    Call,
    CallClose,
    /// Opens or closes what calls stand in.
    Wrapper,
    WrapperClose,
    /// Stands between the name of a call and its parameters.
    Separator,
    /// A token of the frame of a reply.
    Frame,
    /// Any other tag, which may be a parameter named like it.
    Element(Opening),
    ElementClose,
}

/// The opening tag of a parameter.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) key: Range<usize>,
    pub(super) kind: ValueKind,
    /// The name of the tag.
    pub(super) name: Range<usize>,
    /// The tag's name is not that of a marker.
    pub(super) is_element: bool,
    /// The value is written exactly, without line breaks around it.
    pub(super) exact: bool,
    /// It closes itself: `<k/>`.
    pub(super) is_empty: bool,
    /// It is written with bars.
    pub(super) barred: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or("")
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// The next `<`.
    pub(super) fn find(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(from..)?;
        memchr::memchr(b'<', bytes).map(|at| from + at)
    }

    /// Blanks and prefixes from here on.
    pub(super) fn blanks(&self, from: usize) -> Blanks {
        let mut blanks = Blanks {
            end: from,
            prefixed: false,
            undecided: false,
        };
        loop {
            match self.byte(blanks.end) {
                Some(byte) if byte.is_ascii_whitespace() => blanks.end += 1,
                Some(b']') => {
                    let rest = self.rest(blanks.end);
                    if rest.starts_with(PREFIX) {
                        blanks.prefixed = true;
                        blanks.end += PREFIX.len();
                        continue;
                    }
                    blanks.undecided = !self.finished && PREFIX.starts_with(rest);
                    return blanks;
                }
                _ => return blanks,
            }
        }
    }

    /// Whether a prefix stands around the bracket at `at`; the offset behind it.
    pub(super) fn prefix(&self, at: usize) -> Found<usize> {
        let rest = self.rest(at);
        if self.byte(at.wrapping_sub(1)) != Some(b']') {
            return Found::No;
        }
        if rest.starts_with(PREFIX_TAIL) {
            return Found::Yes(at + PREFIX_TAIL.len());
        }
        match !self.finished && PREFIX_TAIL.starts_with(rest) {
            true => Found::More,
            false => Found::No,
        }
    }

    /// The tag at `at`, if there is one. `prefixed` says that MiniMax's prefix stands before it.
    pub(super) fn mark(&self, at: usize, prefixed: bool) -> Found<Mark> {
        let tag = match read_tag(self.rest(at), self.finished) {
            Found::Yes(tag) => tag,
            Found::More => return Found::More,
            Found::No => return Found::No,
        };
        if let Some(marker) = tag.marker
            && matches!(marker.letters, "open" | "close")
            && tag.barred
        {
            return self.xtml(at, &tag, marker.letters == "close");
        }
        let mut end = at + tag.len;
        let marker = tag.marker.filter(|marker| !is_word(marker, &tag, prefixed));
        let kind = match marker {
            Some(marker) if marker.role != Role::Parameter || tag.close => {
                meaning(marker, tag.close)
            }
            None if tag.damaged => return Found::No,
            None if tag.close => MarkKind::ElementClose,
            _ => {
                let opening = self.opening(at, &tag, prefixed);
                if tag.damaged && !opening.key.is_empty() {
                    let quoted = matches!(self.byte(opening.key.end), Some(b'"' | b'\''));
                    end = opening.key.end + usize::from(quoted);
                }
                match opening.is_element {
                    true => MarkKind::Element(opening),
                    false => MarkKind::Parameter(opening),
                }
            }
        };
        Found::Yes(Mark {
            kind,
            end,
            damaged: tag.damaged,
            close: tag.close,
            name: shifted(&tag.name, at),
            barred: tag.barred,
        })
    }

    /// Name and kind of the parameter that a tag opens.
    fn opening(&self, at: usize, tag: &Tag, prefixed: bool) -> Opening {
        let attributes = self.slice(&shifted(&tag.attributes, at));
        let unclosed = attributes.strip_suffix('/');
        let attributes = unclosed.unwrap_or(attributes);
        let is_parameter = tag.marker.is_some_and(|m| m.role == Role::Parameter);
        let key = attribute(attributes, "name").or_else(|| attribute(attributes, "key"));
        let key = match is_parameter {
            true => key.or_else(|| bare_word(attributes)),
            false => key,
        };
        let is_element = !is_parameter || (prefixed && key.is_none());
        let name = shifted(&tag.name, at);
        let kind = kind_of(attributes);
        Opening {
            key: match key {
                Some(key) => self.range_of(key),
                None if is_element => name.clone(),
                None => at..at,
            },
            kind: kind.unwrap_or(ValueKind::Schema),
            name,
            is_element,
            exact: kind.is_some(),
            is_empty: unclosed.is_some(),
            barred: tag.barred,
        }
    }

    /// Where a piece of the text stands.
    pub(super) fn range_of(&self, piece: &str) -> Range<usize> {
        let start = (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        start..start + piece.len()
    }

    /// `<|open|>word attributes<|sep|>` or `<|close|>word<|sep|>`.
    fn xtml(&self, at: usize, tag: &Tag, close: bool) -> Found<Mark> {
        let start = at + tag.len;
        let (body_end, end, damaged) = match self.find(start) {
            Some(found) if found - start <= MAX_XTML => {
                match read_tag(self.rest(found), self.finished) {
                    Found::More => return Found::More,
                    Found::Yes(tag) if tag.marker.is_some_and(|m| m.letters == "sep") => {
                        (found, found + tag.len, tag.damaged)
                    }
                    _ => (found, found, true),
                }
            }
            None if self.text.len() - start <= MAX_XTML => {
                if !self.finished {
                    return Found::More;
                }
                (self.text.len(), self.text.len(), true)
            }
            _ => return Found::No,
        };
        let body = self.slice(&(start..body_end));
        let trimmed = body.trim_start();
        let word_len = trimmed.find(|c: char| !c.is_ascii_alphabetic());
        let (word, attributes) = trimmed.split_at(word_len.unwrap_or(trimmed.len()));
        let kind = match (word, close) {
            ("argument", true) => MarkKind::ParameterClose,
            ("argument", false) => {
                let key = attribute(attributes, "key").or_else(|| attribute(attributes, "name"));
                MarkKind::Parameter(Opening {
                    key: key.map_or(at..at, |key| self.range_of(key)),
                    kind: kind_of(attributes).unwrap_or(ValueKind::Schema),
                    name: self.range_of(word),
                    is_element: false,
                    exact: true,
                    is_empty: false,
                    barred: true,
                })
            }
            ("call", true) => MarkKind::CallClose,
            ("call", false) => MarkKind::Call,
            ("tools", true) => MarkKind::WrapperClose,
            ("tools", false) => MarkKind::Wrapper,
            _ => MarkKind::Frame,
        };
        Found::Yes(Mark {
            kind,
            end,
            damaged,
            close,
            name: self.range_of(word),
            barred: true,
        })
    }

    /// The kind that `<arg_type>` names, from behind that tag, and the offset behind its closing
    /// tag.
    pub(super) fn value_type(&self, from: usize) -> Found<(ValueKind, usize)> {
        let Some(at) = self.find(from).filter(|at| at - from <= MAX_TYPE) else {
            let may_come = self.text.len() - from <= MAX_TYPE && !self.finished;
            return if may_come { Found::More } else { Found::No };
        };
        let kind = kind_of_type(self.slice(&(from..at)).trim()).unwrap_or(ValueKind::Schema);
        match self.mark(at, false) {
            Found::More => Found::More,
            Found::Yes(mark) if matches!(mark.kind, MarkKind::TypeClose) => {
                Found::Yes((kind, mark.end))
            }
            _ => Found::Yes((kind, at)),
        }
    }

    /// True when the element holds the parameters of the call: `<parameters><city>...`.
    pub(super) fn is_container(&self, opening: &Opening, end: usize) -> Found<()> {
        if !self.is_container_name(&opening.name) {
            return Found::No;
        }
        let blanks = self.blanks(end);
        let next = blanks.end;
        match (self.byte(next), self.byte(next + 1)) {
            (Some(b'<'), Some(b'/')) => Found::No,
            (Some(b'<'), Some(_)) => Found::Yes(()),
            (None, _) | (Some(b'<'), None) if !self.finished => Found::More,
            _ if blanks.undecided => Found::More,
            _ => Found::No,
        }
    }

    pub(super) fn is_container_name(&self, name: &Range<usize>) -> bool {
        let names = ["parameters", "params", "arguments", "args"];
        let name = self.slice(name);
        names.iter().any(|known| name.eq_ignore_ascii_case(known))
    }

    /// The range without the blanks around it.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        self.range_of(self.slice(&range).trim())
    }

    /// True for at most `limit` bytes of blanks.
    pub(super) fn is_blank(&self, range: Range<usize>, limit: usize) -> bool {
        range.len() <= limit && self.slice(&range).trim().is_empty()
    }

    /// True when the line ends here.
    pub(super) fn is_line_end(&self, at: usize) -> bool {
        self.rest(at).starts_with(['\r', '\n'])
    }

    /// True when `ending` stands before `at`, but for a few blanks.
    pub(super) fn ends_with(&self, at: usize, ending: &str) -> bool {
        let bytes = self.text.as_bytes().get(at.saturating_sub(MAX_CUT_TAG)..at);
        bytes.is_some_and(|bytes| bytes.trim_ascii_end().ends_with(ending.as_bytes()))
    }

    /// The length of the line break at the beginning of a range.
    pub(super) fn leading_break(&self, range: &Range<usize>) -> usize {
        let text = self.slice(range);
        match text.strip_prefix("\r\n") {
            Some(_) => 2,
            None => usize::from(text.starts_with('\n')),
        }
    }

    /// The length of the line break at the end of a range.
    pub(super) fn trailing_break(&self, range: &Range<usize>) -> usize {
        let text = self.slice(range);
        match text.strip_suffix("\r\n") {
            Some(_) => 2,
            None => usize::from(text.ends_with('\n')),
        }
    }

    /// Whether a name and the tags that stand around it and its value follow `<arg_key>`.
    pub(super) fn is_whole_key(&self, from: usize) -> Found<()> {
        let close = match self.name_and_mark(from) {
            Found::Yes(mark) if matches!(mark.kind, MarkKind::KeyClose) => mark,
            Found::More => return Found::More,
            _ => return Found::No,
        };
        match self.name_and_mark(close.end) {
            Found::Yes(mark) if matches!(mark.kind, MarkKind::Value) => Found::Yes(()),
            Found::More => Found::More,
            _ => Found::No,
        }
    }

    /// Whether a call goes on behind the tag that may have opened it.
    pub(super) fn opens_call(&self, from: usize) -> Found<()> {
        match self.name_and_mark(from) {
            Found::More => Found::More,
            Found::Yes(mark)
                if matches!(
                    mark.kind,
                    MarkKind::Parameter(_) | MarkKind::Key | MarkKind::Call | MarkKind::CallClose
                ) =>
            {
                Found::Yes(())
            }
            _ => Found::No,
        }
    }

    /// The tag behind blanks and at most one name.
    fn name_and_mark(&self, from: usize) -> Found<Mark> {
        let Some(at) = self.find(from).filter(|at| at - from <= MAX_CUT_TAG) else {
            let may_come = self.text.len() - from <= MAX_CUT_TAG && !self.finished;
            return if may_come { Found::More } else { Found::No };
        };
        match self.slice(&(from..at)).trim().contains(char::is_whitespace) {
            true => Found::No,
            false => self.mark(at, false),
        }
    }

    /// The name of a parameter in stray text, if it is nothing but one.
    pub(super) fn stray_key(&self, stray: Range<usize>) -> Option<Range<usize>> {
        let key = self.slice(&stray).trim();
        let is_name = !key.is_empty() && !key.contains(char::is_whitespace);
        is_name.then(|| self.range_of(key))
    }

    /// The first line and the rest, if there is more than one.
    pub(super) fn first_line(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let (first, rest) = self.slice(range).split_once('\n')?;
        Some((self.range_of(first.trim_end()), self.range_of(rest)))
    }

    /// True when the reply ends inside a tag that begins at `at`.
    pub(super) fn is_cut_tag(&self, at: usize) -> bool {
        let unfinished = Self {
            finished: false,
            ..*self
        };
        self.finished
            && self.text.len() - at <= MAX_CUT_TAG
            && matches!(unfinished.mark(at, false), Found::More)
    }

    /// The same for a tag that may be a closing one.
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

/// What a marker means where parameters stand. Opening tags of parameters are read apart.
fn meaning(marker: &Marker, close: bool) -> MarkKind {
    match (marker.role, close) {
        (Role::Parameter, _) => MarkKind::ParameterClose,
        (Role::Key, true) => MarkKind::KeyClose,
        (Role::Key, false) => MarkKind::Key,
        (Role::Value, true) => MarkKind::ValueClose,
        (Role::Value, false) => MarkKind::Value,
        (Role::Type, true) => MarkKind::TypeClose,
        (Role::Type, false) => MarkKind::Type,
        (Role::Invoke, true) => MarkKind::CallClose,
        (Role::Invoke, false) => MarkKind::Call,
        (Role::Wrapper, false) => MarkKind::Wrapper,
        (Role::Wrapper, true) | (Role::Close, _) => MarkKind::WrapperClose,
        (Role::Separator, _) => MarkKind::Separator,
        _ if marker.letters == "sep" => MarkKind::Separator,
        _ => MarkKind::Frame,
    }
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// The first word of attributes, if it is not the name of one: `<parameter city>`.
fn bare_word(attributes: &str) -> Option<&str> {
    let attributes = attributes.trim_start();
    let end = attributes.find(|c: char| c.is_whitespace() || c == '=');
    let (word, after) = attributes.split_at(end.unwrap_or(attributes.len()));
    let is_attribute = after.trim_start().starts_with('=');
    let word = word.trim_matches(['"', '\'']);
    (!word.is_empty() && !is_attribute).then_some(word)
}

/// What attributes say about a value.
fn kind_of(attributes: &str) -> Option<ValueKind> {
    match attribute(attributes, "string") {
        Some("true") => return Some(ValueKind::Text),
        Some("false") => return Some(ValueKind::Json),
        _ => {}
    }
    attribute(attributes, "type").and_then(kind_of_type)
}

fn kind_of_type(name: &str) -> Option<ValueKind> {
    let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    if is(&["string", "str", "text"]) {
        return Some(ValueKind::Text);
    }
    let json = [
        "number", "integer", "boolean", "object", "array", "null", "int", "float", "bool", "list",
        "dict", "json",
    ];
    is(&json).then_some(ValueKind::Json)
}
