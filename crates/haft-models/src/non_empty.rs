//! Detects whether a JSON field has content.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Whether a JSON value has content: a non-empty string, array or object, a number, or `true`. The
/// value itself is not stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NonEmpty(pub(crate) bool);

impl<'de> Deserialize<'de> for NonEmpty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NonEmptyVisitor)
    }
}

struct NonEmptyVisitor;

impl<'de> Visitor<'de> for NonEmptyVisitor {
    type Value = NonEmpty;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<NonEmpty, E> {
        Ok(NonEmpty(false))
    }

    fn visit_bool<E>(self, value: bool) -> Result<NonEmpty, E> {
        Ok(NonEmpty(value))
    }

    fn visit_u64<E>(self, _: u64) -> Result<NonEmpty, E> {
        Ok(NonEmpty(true))
    }

    fn visit_i64<E>(self, _: i64) -> Result<NonEmpty, E> {
        Ok(NonEmpty(true))
    }

    fn visit_f64<E>(self, _: f64) -> Result<NonEmpty, E> {
        Ok(NonEmpty(true))
    }

    fn visit_str<E>(self, text: &str) -> Result<NonEmpty, E> {
        Ok(NonEmpty(!text.is_empty()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<NonEmpty, A::Error> {
        let mut says = false;
        while items.next_element::<IgnoredAny>()?.is_some() {
            says = true;
        }
        Ok(NonEmpty(says))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<NonEmpty, A::Error> {
        let mut says = false;
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            says = true;
        }
        Ok(NonEmpty(says))
    }
}
