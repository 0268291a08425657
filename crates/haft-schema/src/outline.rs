//! The types of a schema's parts, for a parser of text: which parameters there are, and whether
//! each accepts strings, other types, or both.
//!
//! The [`View`] of every part is computed once, with references and alternatives resolved; after
//! that a lookup does not allocate.

mod sketch;

pub(crate) use self::sketch::Outline;
use self::sketch::Part;
use crate::coerce::is_same_name;
use crate::view::Kinds;

/// The types that a part of a schema accepts, with references and alternatives resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyKinds {
    kinds: Kinds,
    is_known: bool,
}

impl PropertyKinds {
    /// The types for a name that the schema does not describe: it accepts anything.
    const UNKNOWN: Self = Self {
        kinds: Kinds::ANY,
        is_known: false,
    };

    /// True if the schema describes it.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.is_known
    }

    /// True if strings are accepted.
    #[must_use]
    pub fn takes_text(self) -> bool {
        self.kinds.overlap(Kinds::TEXT)
    }

    /// True if anything other than strings is accepted.
    #[must_use]
    pub fn takes_other_than_text(self) -> bool {
        self.kinds.and(Kinds::TEXT) != self.kinds
    }

    /// True if values of every type are accepted.
    #[must_use]
    pub fn takes_anything(self) -> bool {
        self.kinds == Kinds::ANY
    }

    /// True if numbers with a fraction are accepted.
    #[must_use]
    pub fn takes_fraction(self) -> bool {
        self.kinds.overlap(Kinds::FRACTION)
    }

    /// True if objects are accepted.
    #[must_use]
    pub fn takes_object(self) -> bool {
        self.kinds.overlap(Kinds::OBJECT)
    }

    /// True if lists are accepted.
    #[must_use]
    pub fn takes_list(self) -> bool {
        self.kinds.overlap(Kinds::LIST)
    }

    /// True if numbers are accepted, even if only integers.
    #[must_use]
    pub fn takes_number(self) -> bool {
        self.kinds.overlap(Kinds::INTEGER.or(Kinds::FRACTION))
    }

    /// True if `true` and `false` are accepted.
    #[must_use]
    pub fn takes_boolean(self) -> bool {
        self.kinds.overlap(Kinds::BOOLEAN)
    }

    /// True if `null` is accepted.
    #[must_use]
    pub fn takes_null(self) -> bool {
        self.kinds.overlap(Kinds::NULL)
    }
}

/// A part of a schema, for queries and for descending into it. Cheap to copy.
///
/// ```
/// use haft_schema::CompiledSchema;
/// use serde_json::json;
///
/// let schema = CompiledSchema::new(&json!({"type": "object", "properties": {
///     "title": {"type": "string"},
///     "rooms": {"type": "array", "items": {"$ref": "#/$defs/Room"}},
/// }, "$defs": {"Room": {"type": "object", "properties": {"level": {"type": "integer"}}}}}))?;
/// let whole = schema.view();
/// assert_eq!(whole.properties().collect::<Vec<_>>(), ["title", "rooms"]);
/// let room = whole.property("rooms").and_then(|rooms| rooms.item());
/// let level = room.and_then(|room| room.property("Level")).expect("described above");
/// assert!(level.kinds().takes_number() && !level.kinds().takes_text());
/// # Ok::<(), haft_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SchemaView<'s> {
    outline: &'s Outline,
    part: &'s Part,
}

impl<'s> SchemaView<'s> {
    /// The types that it accepts.
    #[must_use]
    pub fn kinds(self) -> PropertyKinds {
        PropertyKinds {
            kinds: self.part.kinds,
            is_known: true,
        }
    }

    /// The names of its properties, in the order of the schema.
    pub fn properties(self) -> impl Iterator<Item = &'s str> {
        self.part.properties.iter().map(|(name, _)| name.as_str())
    }

    /// The part for its property `name`, or for the only property that differs from it in case and
    /// separators; otherwise the part for additional properties.
    #[must_use]
    pub fn property(self, name: &str) -> Option<Self> {
        self.named(name).or_else(|| self.at(self.part.others?))
    }

    /// The part for the items of a list.
    #[must_use]
    pub fn item(self) -> Option<Self> {
        self.at(self.part.item?)
    }

    fn named(self, name: &str) -> Option<Self> {
        let properties = &self.part.properties;
        let exact = properties.iter().find(|(known, _)| known == name);
        if let Some((_, part)) = exact {
            return self.at(*part);
        }
        let mut alike = properties
            .iter()
            .filter(|(known, _)| is_same_name(known, name));
        let (_, part) = alike.next()?;
        alike.next().is_none().then(|| self.at(*part)).flatten()
    }

    fn at(self, part: usize) -> Option<Self> {
        let outline = self.outline;
        let part = outline.parts.get(part)?;
        Some(Self { outline, part })
    }

    /// The types that the property `name` accepts.
    pub(crate) fn property_kinds(self, name: &str) -> PropertyKinds {
        self.property(name)
            .map_or(PropertyKinds::UNKNOWN, Self::kinds)
    }
}

impl std::fmt::Debug for SchemaView<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SchemaView")
            .field("kinds", &self.part.kinds)
            .field("properties", &self.part.properties.len())
            .finish_non_exhaustive()
    }
}

impl Outline {
    pub(crate) fn view(&self) -> SchemaView<'_> {
        SchemaView {
            outline: self,
            part: &self.root,
        }
    }
}

#[cfg(test)]
mod tests;
