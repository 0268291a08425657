//! The members of a JSON object as slices of its text; adds or removes one of them in the text.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::print::Place;

/// Names and the texts of their values, in order; a name may occur twice.
#[derive(Debug)]
pub(super) struct Members<'a> {
    pub(super) members: Vec<Member<'a>>,
    /// The text of the whole object.
    object: &'a str,
}

#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) name: String,
    /// The text of its value.
    pub(super) value: &'a str,
}

/// Parses the members of the object in `text`. Whitespace and a byte order mark before it are
/// allowed.
pub(super) fn members(text: &str) -> Result<Members<'_>, serde_json::Error> {
    let object = text.trim_start_matches('\u{feff}').trim();
    let mut reader = serde_json::Deserializer::from_str(object);
    let found = reader.deserialize_map(Collect)?;
    reader.end()?;
    Ok(Members {
        members: found,
        object,
    })
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Vec<Member<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
            found.push(Member {
                name,
                value: value.get(),
            });
        }
        Ok(found)
    }
}

impl Members<'_> {
    /// `whole`, which contains this object, with one more member at the end of the object.
    pub(super) fn with(&self, whole: &str, member: &str, place: Place<'_>) -> Option<String> {
        let (at, text) = match self.members.last() {
            Some(Member { value: last, .. }) => {
                let blanks = self.blanks_before_first()?;
                (
                    offset(whole, last)? + last.len(),
                    format!(",{blanks}{member}"),
                )
            }
            None => {
                let end = offset(whole, self.object)? + self.object.len() - 1;
                let start = offset(whole, self.object)? + 1;
                let (before, after) = (place.line(), place.closing_line());
                let text = format!(
                    "{}{before}{member}{after}{}",
                    whole.get(..start)?,
                    whole.get(end..)?
                );
                return Some(text);
            }
        };
        Some(format!("{}{text}{}", whole.get(..at)?, whole.get(at..)?))
    }

    pub(super) fn without(&self, whole: &str, index: usize) -> Option<String> {
        let Member { value, .. } = self.members.get(index)?;
        let end = offset(whole, value)? + value.len();
        let opening = offset(whole, self.object)? + 1;
        let before = index
            .checked_sub(1)
            .and_then(|index| self.members.get(index));
        let (start, end) = match (before, self.members.get(index + 1)) {
            // A later member: removed with the comma and whitespace before it.
            (Some(Member { value: before, .. }), _) => (offset(whole, before)? + before.len(), end),
            // The first of several: the next member keeps the whitespace before it.
            (None, Some(_)) => {
                let comma = whole.get(end..)?.find(',')?;
                (opening, end + comma + 1)
            }
            (None, None) => (opening, offset(whole, self.object)? + self.object.len() - 1),
        };
        Some(format!("{}{}", whole.get(..start)?, whole.get(end..)?))
    }

    /// The whitespace between the opening brace and the first name.
    fn blanks_before_first(&self) -> Option<&str> {
        let inside = self.object.get(1..)?;
        inside.get(..inside.len() - inside.trim_start().len())
    }
}

/// The offset in `whole` of its slice `part`.
fn offset(whole: &str, part: &str) -> Option<usize> {
    let offset = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    whole.get(offset..offset + part.len()).map(|_| offset)
}
