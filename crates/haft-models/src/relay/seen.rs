//! What is noticed of a reply that passes.

use std::fmt;

use haft_core::Usage;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::ollama::Prompt;

/// What an event is to whoever hands it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// It says nothing by itself.
    Silent,
    /// The model says something, or has come to its end.
    Says,
    /// It is not for the client.
    LeftOut,
    /// It ends the reply.
    End,
}

/// All that is known of a reply so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) usage: Usage,
    /// Calls that have begun.
    pub(crate) calls: usize,
    /// There was an event of the wire.
    pub(crate) is_begun: bool,
    /// The model has said something.
    pub(crate) has_said: bool,
    /// It is complete as far as the model is concerned; a mark of its end may follow.
    pub(crate) is_finished: bool,
    /// The client does not want to know how many tokens there were.
    pub(crate) leaves_out_usage: bool,
    /// What the server was asked.
    pub(crate) prompt: Prompt,
}

/// How much a field says: whether a text is empty, how many items a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Says(pub(crate) bool);

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
