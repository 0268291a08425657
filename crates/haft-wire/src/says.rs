//! Whether a field says anything.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Whether a field says anything: a text that is not empty, a list or an object that holds
/// something, a number, `true`. What it says is skipped.
///
/// ```
/// use haft_wire::Says;
///
/// let says = |text| serde_json::from_str::<Says>(text).unwrap().0;
/// assert!(says("\"Hi\"") && says("[0]") && says("true"));
/// assert!(!says("\"\"") && !says("[]") && !says("null"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Says(pub bool);

impl<'de> Deserialize<'de> for Says {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SaysVisitor)
    }
}

struct SaysVisitor;

impl<'de> Visitor<'de> for SaysVisitor {
    type Value = Says;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Says, E> {
        Ok(Says(false))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Says, E> {
        Ok(Says(value))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Says, E> {
        Ok(Says(true))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Says, E> {
        Ok(Says(true))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Says, E> {
        Ok(Says(true))
    }

    fn visit_str<E>(self, text: &str) -> Result<Says, E> {
        Ok(Says(!text.is_empty()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Says, A::Error> {
        let mut says = false;
        while items.next_element::<IgnoredAny>()?.is_some() {
            says = true;
        }
        Ok(Says(says))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Says, A::Error> {
        let mut says = false;
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            says = true;
        }
        Ok(Says(says))
    }
}
