//! What a tag means inside a call.
//!
//! The tag itself is cut out by [`tag`](crate::scan::tag) and looked up in
//! [`formats`](crate::formats). Here are added: Kimi's tags, which are made of three tokens
//! (`<|open|>argument key="k"<|sep|>`), MiniMax's prefix, elements whose name is the parameter's,
//! and ordinary words that happen to be markers elsewhere (`<message>`, `<start>`).

use std::ops::Range;

use crate::arguments::parameters::ValueKind;
use crate::arguments::parameters::text::Reader;
use crate::formats::{Marker, Role};
use crate::scan::tag::{Attributes, Found, Tag, read_tag};

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
    /// It is written with bars: a special token, which values rarely hold.
    pub(super) barred: bool,
    /// It is an element that is named like a wrapper of calls.
    pub(super) wraps: bool,
    /// Its name.
    pub(super) name: Range<usize>,
    /// Its attributes.
    attributes: Range<usize>,
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// Opens a parameter and names it.
    Parameter,
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
    Element,
    ElementClose,
}

/// What the opening tag of a parameter says.
#[derive(Debug)]
pub(super) struct Opening {
    /// The parameter's name; empty if there is none.
    pub(super) key: Range<usize>,
    /// What is known of the value.
    pub(super) kind: ValueKind,
    /// The value is written exactly, without line breaks around it.
    pub(super) exact: bool,
    /// The offset at which the value begins.
    pub(super) end: usize,
}

impl Reader<'_> {
    /// The tag at `at`, if there is one. `prefixed` says that MiniMax's prefix stands before it.
    pub(super) fn mark(&self, at: usize, prefixed: bool) -> Found<Mark> {
        let tag = match read_tag(self.rest(at), self.finished) {
            Found::Yes(tag) => tag,
            Found::More => return Found::More,
            Found::No if prefixed => return self.dashed(at),
            Found::No => return Found::No,
        };
        let marker = tag.marker.filter(|marker| !is_word(marker, &tag, prefixed));
        let kind = match marker {
            Some(marker) if marker.role == Role::Channel && is_xtml(marker) => {
                return self.xtml(at + tag.len, marker.letters == "close");
            }
            Some(marker) => meaning(marker, tag.close),
            None if tag.damaged => return Found::No,
            None if tag.close => MarkKind::ElementClose,
            None => MarkKind::Element,
        };
        let kind = match kind {
            MarkKind::Parameter if prefixed && tag.attributes.is_empty() => MarkKind::Element,
            MarkKind::Wrapper if prefixed => match self.is_parameter(at + tag.len) {
                Found::More => return Found::More,
                Found::Yes(()) => MarkKind::Element,
                Found::No => MarkKind::Wrapper,
            },
            kind => kind,
        };
        Found::Yes(Mark {
            kind,
            end: at + tag.len,
            damaged: tag.damaged,
            close: tag.close,
            barred: tag.barred,
            wraps: kind == MarkKind::Element && marker.is_some_and(|m| m.role == Role::Wrapper),
            name: shifted(&tag.name, at),
            attributes: shifted(&tag.attributes, at),
        })
    }

    /// A tag behind MiniMax's prefix whose name is that of an option: `<-A>`, `</--all>`.
    fn dashed(&self, at: usize) -> Found<Mark> {
        const LONGEST: usize = 64;
        let rest = self.rest(at);
        let close = rest.starts_with("</");
        let start = 1 + usize::from(close);
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-');
        let name = rest.bytes().skip(start).take(LONGEST);
        let end = start + name.take_while(is_letter).count();
        match rest.as_bytes().get(end) {
            None if !self.finished && end < LONGEST => Found::More,
            Some(b'>') if rest.as_bytes().get(start) == Some(&b'-') => Found::Yes(Mark {
                kind: match close {
                    true => MarkKind::ElementClose,
                    false => MarkKind::Element,
                },
                end: at + end + 1,
                damaged: false,
                close,
                barred: false,
                wraps: false,
                name: at + start..at + end,
                attributes: at + end..at + end,
            }),
            _ => Found::No,
        }
    }

    /// Whether MiniMax's tag that ends at `end` opens a parameter which is named like the wrapper of
    /// calls: no call follows in it.
    fn is_parameter(&self, end: usize) -> Found<()> {
        let blanks = self.blanks(end);
        match self.byte(blanks.end) {
            _ if blanks.end - end > MAX_CONTAINER_BLANKS => Found::No,
            _ if blanks.undecided => Found::More,
            None if !self.finished => Found::More,
            None => Found::No,
            Some(b'<') => match read_tag(self.rest(blanks.end), self.finished) {
                Found::Yes(tag) if tag.marker.is_some_and(|m| m.role == Role::Invoke) => Found::No,
                Found::More => Found::More,
                _ => Found::Yes(()),
            },
            Some(_) => Found::Yes(()),
        }
    }

    /// What the opening tag of a parameter says.
    pub(super) fn opening(&self, mark: &Mark) -> Opening {
        let is_element = mark.kind == MarkKind::Element;
        let text = self.slice(&mark.attributes);
        let mut name = None;
        let mut kind = None;
        for (word, value) in Attributes::new(text.strip_suffix('/').unwrap_or(text)) {
            match (word, value) {
                ("name", Some(value)) => name = Some(value),
                ("key", Some(value)) => name = name.or(Some(value)),
                ("string", Some("true")) => kind = Some(ValueKind::Text),
                ("string", Some("false")) => kind = Some(ValueKind::Json),
                ("type", Some(value)) => kind = kind.or(kind_of_type(value)),
                // `<parameter city>`.
                (word, None) if !is_element && name.is_none() => {
                    name = Some(word.trim_matches(['"', '\'']));
                }
                _ => {}
            }
        }
        let nothing = mark.name.start..mark.name.start;
        let key = match name {
            Some(name) => self.range_of(name),
            None if is_element => mark.name.clone(),
            None => nothing,
        };
        let quoted = matches!(self.byte(key.end), Some(b'"' | b'\''));
        let is_closed = self.byte(mark.end.wrapping_sub(1)) == Some(b'>');
        Opening {
            // Behind a tag without its bracket, the value may begin right after the name.
            end: match mark.damaged && !key.is_empty() && !is_closed {
                true if mark.barred => self.after_kind(mark),
                true => key.end + usize::from(quoted),
                false => mark.end,
            },
            key,
            kind: kind.unwrap_or(ValueKind::Schema),
            exact: kind.is_some() || self.is_xtml_tag(mark) || self.is_atem_tag(mark),
        }
    }

    /// Where a value begins behind DeepSeek's tag without its bracket: `string="true"Oslo`.
    fn after_kind(&self, mark: &Mark) -> usize {
        let text = self.slice(&mark.attributes);
        let kinds = ["string=\"true\"", "string=\"false\""];
        let end = |kind: &str| text.find(kind).map(|at| at + kind.len());
        let end = kinds.into_iter().find_map(end);
        end.map_or(mark.end, |end| mark.attributes.start + end)
    }

    /// True for a tag that closes itself: `<k/>`.
    pub(super) fn is_empty_element(&self, mark: &Mark) -> bool {
        self.slice(&mark.attributes).ends_with('/')
    }

    /// The attributes of a tag.
    pub(super) fn attributes(&self, mark: &Mark) -> &str {
        self.slice(&mark.attributes)
    }

    /// True for a tag of Kimi's, whose values are never trimmed.
    fn is_xtml_tag(&self, mark: &Mark) -> bool {
        mark.barred && self.slice(&mark.name) == "argument"
    }

    /// True for a tag of Muse's, whose template puts nothing around a value.
    fn is_atem_tag(&self, mark: &Mark) -> bool {
        self.slice(&mark.name).starts_with("atem:")
    }

    /// `word attributes<|sep|>`, from behind `<|open|>` or `<|close|>`.
    fn xtml(&self, start: usize, close: bool) -> Found<Mark> {
        let (body_end, end) = match self.find_xtml_end(start) {
            Some(found) if found - start <= MAX_XTML => {
                let rest = self.rest(found);
                if rest.starts_with(XTML_END) {
                    (found, found + XTML_END.len())
                } else if !self.finished && XTML_END.starts_with(rest) {
                    return Found::More;
                } else {
                    // Of the token only the bracket may be left.
                    let body = self.slice(&(start..found));
                    match body.find('>').filter(|_| !close) {
                        Some(bracket) => (start + bracket, start + bracket + 1),
                        None => (found, found),
                    }
                }
            }
            None if self.text.len() - start <= MAX_XTML && self.finished => {
                (self.text.len(), self.text.len())
            }
            None if self.text.len() - start <= MAX_XTML => return Found::More,
            _ => return Found::No,
        };
        let body = self.slice(&(start..body_end));
        let word_start = start + (body.len() - body.trim_ascii_start().len());
        let letters = self.rest(word_start).bytes();
        let word_len = letters.take_while(u8::is_ascii_alphabetic).count();
        let name = word_start..word_start + word_len;
        let kind = match (self.slice(&name), close) {
            ("argument", true) => MarkKind::ParameterClose,
            ("argument", false) => MarkKind::Parameter,
            ("call", true) => MarkKind::CallClose,
            ("call" | "toolscall", false) => MarkKind::Call,
            ("tools", true) => MarkKind::WrapperClose,
            ("tools", false) => MarkKind::Wrapper,
            _ => MarkKind::Frame,
        };
        Found::Yes(Mark {
            kind,
            end,
            damaged: body_end == end,
            close,
            barred: true,
            wraps: false,
            attributes: name.end..body_end,
            name,
        })
    }

    /// The bracket that ends or cuts off the tag of Kimi whose word stands at `start`: one within
    /// quotes does so only if it begins the token that ends such tags.
    fn find_xtml_end(&self, start: usize) -> Option<usize> {
        let mut found = self.find(start)?;
        let mut is_quoted = false;
        let mut from = start;
        loop {
            let quotes = self.slice(&(from..found)).matches('"').count();
            is_quoted ^= quotes % 2 == 1;
            let rest = self.rest(found);
            let may_end = rest.starts_with(XTML_END) || XTML_END.starts_with(rest);
            if !is_quoted || may_end || found - start > MAX_XTML {
                return Some(found);
            }
            from = found;
            found = self.find(found + 1)?;
        }
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
    pub(super) fn is_container(&self, mark: &Mark) -> Found<()> {
        if !self.is_container_name(&mark.name) {
            return Found::No;
        }
        let blanks = self.blanks(mark.end);
        let next = blanks.end;
        if next - mark.end > MAX_CONTAINER_BLANKS {
            return Found::No;
        }
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
                    MarkKind::Parameter | MarkKind::Key | MarkKind::Call | MarkKind::CallClose
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

/// True for the first token of a tag of Kimi.
fn is_xtml(marker: &Marker) -> bool {
    matches!(marker.letters, "open" | "close")
}

/// What a marker means where parameters stand.
fn meaning(marker: &Marker, close: bool) -> MarkKind {
    match (marker.role, close) {
        (Role::Parameter, true) => MarkKind::ParameterClose,
        (Role::Parameter, false) => MarkKind::Parameter,
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
