//! The types of a schema's parts, for a parser of text: which parameters there are, and whether
//! each accepts strings, other types, or both.
//!
//! The [`View`] of every part is computed once, with references and alternatives resolved; after
//! that a lookup does not allocate.

use std::collections::HashMap;

use serde_json::Value;

use crate::coerce::is_same_name;
use crate::view::{Kinds, Place, View};

/// The maximum number of parts; further ones accept anything, as far as is known.
const MAX_PARTS: usize = 1_000;

/// The maximum number of alternatives of one part; a part with more accepts anything.
const MAX_ALTERNATIVES: usize = 64;

/// The maximum nesting depth of alternatives.
const MAX_NESTED: usize = 4;

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

/// All parts of a schema that are reachable from its root.
#[derive(Debug)]
pub(crate) struct Outline {
    root: Part,
    parts: Vec<Part>,
}

/// One part; it refers to others by their index.
#[derive(Clone, Debug)]
struct Part {
    kinds: Kinds,
    properties: Vec<(String, usize)>,
    /// The part for properties that are not named.
    others: Option<usize>,
    item: Option<usize>,
}

impl Outline {
    pub(crate) fn new(root: &Value) -> Self {
        let mut sketch = Sketch {
            root,
            known: HashMap::new(),
            open: Vec::new(),
        };
        let mut parts = Vec::new();
        sketch.index(vec![vec![Place::root(root)]]);
        // Parts that are found are processed later in the loop, so there is no recursion.
        while let Some(alternatives) = sketch.open.get(parts.len()).cloned() {
            parts.push(sketch.part(&alternatives));
        }
        let nothing = Part {
            kinds: Kinds::ANY,
            properties: Vec::new(),
            others: None,
            item: None,
        };
        Self {
            root: parts.first().cloned().unwrap_or(nothing),
            parts,
        }
    }

    pub(crate) fn view(&self) -> SchemaView<'_> {
        SchemaView {
            outline: self,
            part: &self.root,
        }
    }
}

/// The alternatives of a part, each with the places that apply together.
type Alternatives<'s> = Vec<Vec<Place<'s>>>;

struct Sketch<'s> {
    root: &'s Value,
    /// The index of each known part.
    known: HashMap<Vec<Vec<*const Value>>, usize>,
    open: Vec<Alternatives<'s>>,
}

impl<'s> Sketch<'s> {
    /// The index of a part; `None` if it is empty, or the limit is reached.
    fn index(&mut self, mut alternatives: Alternatives<'s>) -> Option<usize> {
        alternatives.retain(|places| !places.is_empty());
        if alternatives.is_empty() {
            return None;
        }
        let address = |place: &Place<'s>| std::ptr::from_ref(place.schema);
        let key: Vec<Vec<*const Value>> = alternatives
            .iter()
            .map(|places| places.iter().map(address).collect())
            .collect();
        if let Some(index) = self.known.get(&key) {
            return Some(*index);
        }
        let index = self.open.len();
        if index >= MAX_PARTS {
            return None;
        }
        self.known.insert(key, index);
        self.open.push(alternatives);
        Some(index)
    }

    fn part(&mut self, alternatives: &Alternatives<'s>) -> Part {
        let mut views = Vec::new();
        let mut kinds = Kinds::NONE;
        for places in alternatives {
            kinds = kinds.or(self.gather(places, MAX_NESTED, &mut views));
        }
        let mut names: Vec<&str> = Vec::new();
        for view in &views {
            for name in view.properties() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let mut properties = Vec::new();
        for name in names {
            let described = views.iter().filter(|view| view.has_property(name));
            let alternatives = described.map(|view| view.property(name)).collect();
            if let Some(index) = self.index(alternatives) {
                properties.push((name.to_owned(), index));
            }
        }
        let others = views.iter().map(View::other_properties).collect();
        let item = views.iter().map(|view| view.item(0)).collect();
        Part {
            kinds,
            properties,
            others: self.index(others),
            item: self.index(item),
        }
    }

    /// Adds the view of `places` and those of its alternatives; returns the accepted types.
    fn gather(&self, places: &[Place<'s>], levels: usize, views: &mut Vec<View<'s>>) -> Kinds {
        if views.len() >= MAX_ALTERNATIVES {
            return Kinds::ANY;
        }
        let view = View::of(self.root, places);
        let mut kinds = view.kinds;
        let choices: Alternatives<'s> = view
            .choices
            .iter()
            .map(|choice| choice.branches.clone())
            .collect();
        views.push(view);
        let Some(levels) = levels.checked_sub(1) else {
            return kinds;
        };
        for branches in choices {
            let any = branches.iter().fold(Kinds::NONE, |any, branch| {
                any.or(self.gather(std::slice::from_ref(branch), levels, views))
            });
            kinds = kinds.and(any);
        }
        kinds
    }
}

#[cfg(test)]
mod tests;
