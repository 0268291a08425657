//! What a tag means inside a call.
//!
//! The tag itself is cut out by [`tag`](crate::scan::tag) and looked up in
//! [`formats`](crate::formats). Here are added: Kimi's tags, which are made of three tokens
//! (`<|open|>argument key="k"<|sep|>`), MiniMax's prefix, elements whose name is the parameter's,
//! and ordinary words that happen to be markers elsewhere (`<message>`, `<start>`).

use std::ops::Range;

use super::{
    Parameter, ValueKind,
    text::{Source, kind_of_type},
};
use crate::formats::{Marker, Role};
use crate::limits;
use crate::scan::{Attributes, Seen, Tag, attribute, near, split_run, tag_at};

/// The tag of a parameter in most formats.
const PARAMETER: &str = "parameter";

/// A tag and what it means.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark<'t> {
    pub(super) kind: MarkKind,
    /// It is a closing tag.
    pub(super) close: bool,
    /// Where it begins.
    pub(super) at: usize,
    /// The offset behind it.
    pub(super) end: usize,
    /// It lacks a piece.
    pub(super) damaged: bool,
    /// It is written with bars: a special token, which values rarely hold.
    pub(super) barred: bool,
    /// It is an element that is named like a wrapper of calls.
    pub(super) wraps: bool,
    /// Its name.
    pub(super) name: &'t str,
    /// Its attributes.
    pub(super) attributes: &'t str,
    /// The name of the parameter that it opens; empty if there is none.
    pub(super) key: &'t str,
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

impl Mark<'_> {
    /// True for a tag that closes itself: `<k/>`.
    pub(super) fn is_empty_element(&self) -> bool {
        self.attributes.ends_with('/')
    }

    /// True for what closes a parameter, a name, a value or an element.
    pub(super) fn closes_value(&self) -> bool {
        use MarkKind::{Element, Key, Parameter, Value};
        self.close && matches!(self.kind, Parameter | Key | Value | Element)
    }

    /// True for a tag of a call, of what calls stand in, or of the frame of a reply.
    pub(super) fn is_of_calls(&self) -> bool {
        use MarkKind::{Call, Frame, Wrapper};
        matches!(self.kind, Call | Wrapper | Frame)
    }

    /// True for what opens a parameter or the name of one.
    pub(super) fn opens_parameter(&self) -> bool {
        !self.close && matches!(self.kind, MarkKind::Parameter | MarkKind::Key)
    }
}

impl<'t> Source<'t> {
    /// The tag at `at`, if there is one. `prefixed` says that MiniMax's prefix stands before it.
    pub(super) fn mark(&self, at: usize, prefixed: bool) -> Seen<Option<Mark<'t>>> {
        let Some(tag) = tag_at(self.given, at)? else {
            return if prefixed { self.dashed(at) } else { Ok(None) };
        };
        let end = at + tag.len;
        let marker = tag.marker;
        let meant = marker.and_then(|marker| meaning(marker, &tag, prefixed));
        let marker = marker.filter(|_| meant.is_some());
        // The first token of a tag of Kimi.
        let is_xtml = |marker: &&Marker| matches!(marker.letters, "open" | "close");
        if let Some(marker) = marker.filter(is_xtml) {
            let mark = self.xtml(end, marker.letters == "close")?;
            return Ok(mark.map(|mark| self.opening(Mark { at, ..mark })));
        }
        if marker.is_none() && tag.damaged {
            return Ok(None);
        }
        let kind = meant.unwrap_or_default();
        let close = tag.close || marker.is_some_and(|marker| marker.role == Role::Close);
        let is_element = match kind {
            _ if !prefixed || close => false,
            MarkKind::Parameter => tag.attributes.is_empty(),
            MarkKind::Wrapper => self.is_parameter(end)?,
            _ => false,
        };
        let element = is_element.then_some(MarkKind::Element);
        let part = |range: &Range<usize>| self.slice(&(range.start + at..range.end + at));
        Ok(Some(self.opening(Mark {
            kind: element.unwrap_or(kind),
            close,
            at,
            end,
            damaged: tag.damaged,
            barred: tag.barred,
            wraps: is_element && tag.role() == Some(Role::Wrapper),
            name: part(&tag.name),
            attributes: part(&tag.attributes),
            ..Mark::default()
        })))
    }

    /// The opening tag of a parameter that lost its first bracket: `parameter=city>`.
    pub(super) fn unbracketed(&self, at: usize) -> Seen<Option<Mark<'t>>> {
        if !self.begins(at, PARAMETER)? {
            return Ok(None);
        }
        let start = at + PARAMETER.len();
        let near = near(self.rest(start), limits::KEY);
        let Some(len) = near.find(['>', '<', '\n']) else {
            if near.len() < limits::KEY {
                self.ended()?;
            }
            return Ok(None);
        };
        let end = start + len + 1;
        let mark = self.opening(Mark {
            kind: MarkKind::Parameter,
            at,
            end,
            damaged: true,
            name: self.slice(&(at..start)),
            attributes: self.slice(&(start..start + len)),
            ..Mark::default()
        });
        let is_tag = near.starts_with(['=', ' ']) && self.byte(end - 1) == Some(b'>');
        Ok((is_tag && !mark.key.is_empty()).then_some(mark))
    }

    /// A tag behind MiniMax's prefix whose name is that of an option: `<-A>`, `</--all>`.
    fn dashed(&self, at: usize) -> Seen<Option<Mark<'t>>> {
        let close = self.rest(at).starts_with("</");
        let start = at + 1 + usize::from(close);
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'_' | b'-');
        let (name, _) = split_run(self.rest(start), limits::KEY, is_letter);
        let end = start + name.len();
        if self.byte(end).is_none() && name.len() < limits::KEY {
            self.ended()?;
        }
        let is_tag = self.byte(end) == Some(b'>') && self.byte(start) == Some(b'-');
        let mark = Mark {
            close,
            at,
            end: end + 1,
            name,
            ..Mark::default()
        };
        Ok(is_tag.then(|| self.opening(mark)))
    }

    /// The mark with what its attributes say of the parameter that it opens.
    fn opening(&self, mut mark: Mark<'t>) -> Mark<'t> {
        let is_element = mark.kind == MarkKind::Element;
        let text = mark.attributes;
        let mut name = None;
        for (word, value) in Attributes::new(text.strip_suffix('/').unwrap_or(text)) {
            match (word, value) {
                ("name", Some(value)) => name = Some(value),
                ("key", Some(value)) => name = name.or(Some(value)),
                ("string", Some("true")) => mark.value_kind = Some(ValueKind::Text),
                ("string", Some("false")) => mark.value_kind = Some(ValueKind::Json),
                ("type", Some(value)) => mark.value_kind = mark.value_kind.or(kind_of_type(value)),
                // `<parameter city>`.
                (word, None) if !is_element && name.is_none() => {
                    name = Some(word.trim_matches(['"', '\'']));
                }
                _ => {}
            }
        }
        // Of an element its name, else none.
        let own = if is_element { mark.name.len() } else { 0 };
        mark.key = name.unwrap_or(mark.name.split_at(own).0);
        // Kimi's values are never trimmed, and Muse's template puts nothing around one.
        let tag = mark.name;
        let is_exact = (mark.barred && tag == "argument") || tag.starts_with("atem:");
        mark.exact = mark.value_kind.is_some() || is_exact;
        let is_closed = self.byte(mark.end.wrapping_sub(1)) == Some(b'>');
        // Behind a tag without its bracket, the value may begin right after the name, or behind
        // DeepSeek's kind: `string="true"Oslo`.
        mark.start = match mark.damaged && !mark.key.is_empty() && !is_closed {
            true if mark.barred => {
                let kinds = ["string=\"true\"", "string=\"false\""];
                let end = |kind: &str| Some(text.find(kind)? + kind.len());
                let end = kinds.into_iter().find_map(end);
                end.map_or(mark.end, |end| self.range_of(text).start + end)
            }
            true => {
                let end = self.range_of(mark.key).end;
                end + usize::from(matches!(self.byte(end), Some(b'"' | b'\'')))
            }
            false => mark.end,
        };
        mark
    }

    /// The parameter that a tag is all of, where it closes itself: `<city/>`, or, with the value as
    /// an attribute, `<param name="city" value="Oslo" type="string"/>`.
    pub(super) fn value_in_tag(&self, mark: &Mark<'_>) -> Option<Parameter> {
        let attributes = mark.attributes.strip_suffix('/')?;
        // `<parameter=/usr/bin/>` names a path, and its value follows.
        let is_whole = attributes.ends_with(['"', '\'', ' ']) && !mark.key.is_empty();
        if mark.kind != MarkKind::Element && (mark.damaged || !is_whole) {
            return None;
        }
        let value = attribute(attributes, "value").map(|value| self.range_of(value));
        Some(Parameter {
            key: self.range_of(mark.key),
            value: value.unwrap_or(mark.end..mark.end),
            kind: mark.value_kind.unwrap_or_default(),
        })
    }
}

/// What a marker means where parameters stand; nothing for an ordinary word that is a marker
/// elsewhere: `<message>` names a parameter, `<|message|>` does not. Behind MiniMax's prefix only
/// the tags of its own format are markers.
fn meaning(marker: &Marker, tag: &Tag<'_>, prefixed: bool) -> Option<MarkKind> {
    let (letters, is_token) = (marker.letters, tag.barred);
    let is_common = matches!(letters, "tool" | "tools" | "plugin" | "interpreter");
    let is_wrapper = !is_common && (!prefixed || letters.contains("call"));
    let (kind, is_marker) = match marker.role {
        Role::Parameter => (MarkKind::Parameter, true),
        Role::Key => (MarkKind::Key, !prefixed),
        Role::Value => (MarkKind::Value, !prefixed),
        Role::Type => (MarkKind::Type, !prefixed),
        Role::Invoke => (MarkKind::Call, !prefixed || letters == "invoke"),
        Role::Wrapper | Role::Close => (MarkKind::Wrapper, is_wrapper),
        Role::Separator => (MarkKind::Separator, letters == "toolsep"),
        _ if letters == "sep" => (MarkKind::Separator, false),
        _ => (MarkKind::Frame, false),
    };
    (is_token || is_marker).then_some(kind)
}
