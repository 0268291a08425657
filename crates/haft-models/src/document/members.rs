//! The members of a JSON object, with their values unparsed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::borrowed_text::BorrowedText;

/// The members of an object in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members of the object in `text`; `None` if it is not an object.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The value of a member. Of members with the same name, the last one counts.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }

    /// Whether there is a member with this name that is not null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.get() != "null")
    }

    /// The text of a member that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<BorrowedText<'a>> {
        self.get(name).and_then(BorrowedText::of)
    }

    /// The members of a member that is an object.
    pub(crate) fn object(&self, name: &str) -> Option<Self> {
        self.get(name).and_then(|value| Self::read(value.get()))
    }

    /// The items of a member that is a list; none if it is not.
    pub(crate) fn list(&self, name: &str) -> Vec<&'a RawValue> {
        let list = self.get(name).map(RawValue::get);
        list.and_then(|list| serde_json::from_str(list).ok())
            .unwrap_or_default()
    }

    /// Copies the members that are not `handled` and hold something to `fields`.
    pub(crate) fn collect(&self, handled: &[&str], fields: &mut Map<String, Value>) {
        for (name, value) in &self.0 {
            if !handled.contains(&&**name)
                && let Some(value) = parsed(value)
            {
                fields.insert(name.to_string(), value);
            }
        }
    }

    /// Adds a member at the end.
    pub(crate) fn push(&mut self, name: Cow<'a, str>, value: &'a RawValue) {
        self.0.push((name, value));
    }

    /// Replaces a member, or adds it at the end.
    pub(crate) fn set(&mut self, name: &'a str, value: &'a RawValue) {
        match self.0.iter_mut().rev().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.push(name.into(), value),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(name) = map.next_key::<BorrowedText<'de>>()? {
            members.push(name.into_inner(), map.next_value()?);
        }
        Ok(members)
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The value, unless it is null.
pub(crate) fn parsed(value: &RawValue) -> Option<Value> {
    (value.get() != "null").then(|| serde_json::from_str(value.get()).ok())?
}
