//! All parts of a schema that apply to one value, for coercion and explanation.
//!
//! Several parts may describe a value: the schema itself, the target of its `$ref`, all of its
//! `allOf`, and the only branch of an `anyOf` that is not `null`. A [`View`] collects these. It
//! only answers questions of types and names; `jsonschema` decides whether a value is valid.
//! `kinds` are sets of types, `names` decides which names an object accepts.

mod kinds;
mod names;

use std::collections::HashSet;

use serde_json::{Map, Value};

pub(crate) use kinds::Kinds;

use crate::number::is_same;
use crate::path::escape;

/// The maximum number of parts in one view.
const MAX_MEMBERS: usize = 256;

/// A part of the schema and its position.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    pub(crate) schema: &'s Value,
    /// The JSON pointer from the root of the schema.
    pub(crate) pointer: String,
}

/// Alternatives of which a value must match one.
#[derive(Debug)]
pub(crate) struct Choice<'s> {
    pub(crate) branches: Vec<Place<'s>>,
    /// True for `oneOf`: matching two is invalid, like matching none.
    pub(crate) exactly_one: bool,
}

/// All parts that apply to one value.
#[derive(Debug)]
pub(crate) struct View<'s> {
    /// The initial places: the value is valid if each accepts it.
    pub(crate) places: Vec<Place<'s>>,
    /// These places and all that they include.
    pub(crate) members: Vec<Place<'s>>,
    /// The allowed types, as far as the members limit them.
    pub(crate) kinds: Kinds,
    /// Alternatives that cannot be decided by type.
    pub(crate) choices: Vec<Choice<'s>>,
}

impl<'s> Place<'s> {
    pub(crate) fn root(schema: &'s Value) -> Self {
        Self {
            schema,
            pointer: String::new(),
        }
    }

    /// The member of this schema called `keyword`, if it has one.
    pub(crate) fn get(&self, keyword: &str) -> Option<Self> {
        let schema = self.schema.get(keyword)?;
        Some(Self {
            schema,
            pointer: format!("{}/{}", self.pointer, escape(keyword)),
        })
    }

    fn item(&self, index: usize) -> Option<Self> {
        let schema = self.schema.get(index)?;
        Some(Self {
            schema,
            pointer: format!("{}/{index}", self.pointer),
        })
    }

    fn items(&self) -> impl Iterator<Item = Self> {
        let count = self.schema.as_array().map_or(0, Vec::len);
        (0..count).filter_map(|index| self.item(index))
    }

    /// The target of a `$ref` inside the document.
    fn referred(&self, root: &'s Value) -> Option<Self> {
        let reference = self.schema.get("$ref")?.as_str()?;
        let pointer = reference.strip_prefix('#')?;
        let schema = root.pointer(pointer)?;
        Some(Self {
            schema,
            pointer: pointer.to_owned(),
        })
    }

    fn properties(&self) -> Option<&'s Map<String, Value>> {
        self.schema.get("properties")?.as_object()
    }
}

impl<'s> View<'s> {
    /// The view of a value to which all `places` apply.
    pub(crate) fn of(root: &'s Value, places: &[Place<'s>]) -> Self {
        let mut view = Self {
            places: places.to_vec(),
            members: Vec::new(),
            kinds: Kinds::ANY,
            choices: Vec::new(),
        };
        for place in places {
            view.gather(root, place, false);
        }
        view
    }

    fn gather(&mut self, root: &'s Value, place: &Place<'s>, or_null: bool) {
        let seen = |member: &Place<'_>| std::ptr::eq(member.schema, place.schema);
        if self.members.iter().any(seen) || self.members.len() >= MAX_MEMBERS {
            return;
        }
        let kinds = Kinds::of_schema(place.schema);
        self.kinds = self
            .kinds
            .and(if or_null { kinds.or_null() } else { kinds });
        self.members.push(place.clone());
        if let Some(target) = place.referred(root) {
            self.gather(root, &target, or_null);
        }
        for part in place.get("allOf").iter().flat_map(Place::items) {
            self.gather(root, &part, or_null);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(list) = place.get(keyword) else {
                continue;
            };
            let (null, mut branches): (Vec<_>, Vec<_>) = list
                .items()
                .partition(|branch| Kinds::of_schema(branch.schema) == Kinds::NULL);
            if branches.len() == 1 {
                let branch = branches.swap_remove(0);
                self.gather(root, &branch, or_null || !null.is_empty());
            } else if branches.is_empty() {
                for branch in &null {
                    self.gather(root, branch, or_null);
                }
            } else {
                branches.extend(null);
                self.choices.push(Choice {
                    branches,
                    exactly_one: keyword == "oneOf",
                });
            }
        }
    }

    /// The names of the properties that the members describe, without duplicates.
    pub(crate) fn properties(&self) -> Vec<&'s str> {
        let maps = self.members.iter().filter_map(Place::properties);
        let mut seen = HashSet::new();
        maps.flat_map(Map::keys)
            .map(String::as_str)
            .filter(|name| seen.insert(*name))
            .collect()
    }

    /// True if a member describes the property `key`.
    pub(crate) fn has_property(&self, key: &str) -> bool {
        let mut maps = self.members.iter().filter_map(Place::properties);
        maps.any(|map| map.contains_key(key))
    }

    /// True if a member requires the property `key`.
    pub(crate) fn requires(&self, key: &str) -> bool {
        self.required().any(|name| name == key)
    }

    /// The names of the required properties; a name may occur twice.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'s str> {
        let lists = self
            .members
            .iter()
            .filter_map(|member| member.schema.get("required"));
        lists
            .filter_map(Value::as_array)
            .flatten()
            .filter_map(Value::as_str)
    }

    /// True if the schema explicitly allows additional properties.
    pub(crate) fn is_open(&self) -> bool {
        self.members.iter().any(|member| {
            let additional = member.schema.get("additionalProperties");
            member.schema.get("patternProperties").is_some()
                || additional.is_some_and(|schema| *schema != Value::Bool(false))
        })
    }

    /// True if a member refuses the property `key` because it is additional.
    pub(crate) fn refuses(&self, key: &str) -> bool {
        self.members.iter().any(|member| {
            member.schema.get("additionalProperties") == Some(&Value::Bool(false))
                && member.schema.get("patternProperties").is_none()
                && !member.properties().is_some_and(|map| map.contains_key(key))
        })
    }

    /// The parts that apply to additional properties.
    pub(crate) fn other_properties(&self) -> Vec<Place<'s>> {
        let mut members = self.members.iter();
        // Names that match a pattern are not decided here.
        let has_pattern = members.any(|member| member.schema.get("patternProperties").is_some());
        let additional = |member: &Place<'s>| member.get("additionalProperties");
        let is_schema = |place: &Place<'s>| place.schema.is_object();
        match has_pattern {
            true => Vec::new(),
            false => self
                .members
                .iter()
                .filter_map(additional)
                .filter(is_schema)
                .collect(),
        }
    }

    /// The parts that apply to the property `key`.
    pub(crate) fn property(&self, key: &str) -> Vec<Place<'s>> {
        let of_member = |member: &Place<'s>| {
            let named = member.get("properties").and_then(|map| map.get(key));
            named.or_else(|| match member.schema.get("patternProperties") {
                // Names that match a pattern are not decided here.
                Some(_) => None,
                None => member.get("additionalProperties"),
            })
        };
        self.members.iter().filter_map(of_member).collect()
    }

    /// The parts that apply to item `index` of a list.
    pub(crate) fn item(&self, index: usize) -> Vec<Place<'s>> {
        let of_member = |member: &Place<'s>| {
            let items = member.get("items");
            // Until 2019-09, `items` could be a list with a schema for each position.
            let (first, rest) = match items {
                Some(list) if list.schema.is_array() => (Some(list), member.get("additionalItems")),
                rest => (member.get("prefixItems"), rest),
            };
            first.and_then(|list| list.item(index)).or(rest)
        };
        self.members.iter().filter_map(of_member).collect()
    }

    /// The value of `keyword` in the first member that has it.
    pub(crate) fn keyword(&self, keyword: &str) -> Option<&'s Value> {
        self.members
            .iter()
            .find_map(|member| member.schema.get(keyword))
    }

    /// The lists of allowed values; a value must be in each of them.
    pub(crate) fn allowed_values(&self) -> impl Iterator<Item = &'s [Value]> {
        self.members.iter().flat_map(|member| {
            let list = member
                .schema
                .get("enum")
                .and_then(Value::as_array)
                .map(Vec::as_slice);
            let one = member.schema.get("const").map(std::slice::from_ref);
            list.into_iter().chain(one)
        })
    }

    /// True if `value` has an allowed type and is in every list of allowed values.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        self.kinds.include(value)
            && self
                .allowed_values()
                .all(|list| list.iter().any(|allowed| is_same(allowed, value)))
    }

    /// True if a value of one of `kinds` could be meant, including alternatives.
    pub(crate) fn may_be(&self, root: &'s Value, kinds: Kinds) -> bool {
        self.kinds.overlap(kinds)
            && self.choices.iter().all(|choice| {
                choice.branches.iter().any(|branch| {
                    let view = View::of(root, std::slice::from_ref(branch));
                    // Only one level of nested alternatives is considered.
                    view.kinds.overlap(kinds)
                })
            })
    }
}

#[cfg(test)]
mod tests;
