//! Decides which names an object accepts, even if that depends on other values.

use serde_json::Value;

use super::{MAX_MEMBERS, Place, View};

/// Keywords that describe properties which are not listed.
const OPENING: [&str; 2] = ["patternProperties", "propertyNames"];

/// Keywords with a schema for additional properties: anything but `false` allows them.
const ADDITIONAL: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

/// References whose target is only known during validation.
const DYNAMIC: [&str; 2] = ["$dynamicRef", "$recursiveRef"];

impl<'s> View<'s> {
    /// True if `key` is described anywhere, even if that depends on other values.
    pub(crate) fn mentions(&self, root: &'s Value, key: &str) -> bool {
        let describes =
            |place: &Place<'s>| place.properties().is_some_and(|map| map.contains_key(key));
        self.reachable(root)
            .is_none_or(|places| places.iter().any(describes))
    }

    /// The keys that no parameter takes: the schema lists its properties, they are not among them,
    /// and it does not allow others.
    ///
    /// JSON Schema itself accepts any name that is not forbidden. Authors of tools who list
    /// parameters without mentioning others do not mean that: their tools silently ignore unknown
    /// names.
    pub(crate) fn unknown<'k>(
        &self,
        root: &'s Value,
        keys: impl Iterator<Item = &'k String>,
    ) -> Vec<&'k String> {
        let mut unknown: Vec<&String> = keys
            .filter(|key| !self.has_property(key) && !self.requires(key))
            .collect();
        if unknown.is_empty() || !self.takes_only_named(root) {
            return Vec::new();
        }
        unknown.retain(|key| !self.mentions(root, key));
        unknown
    }

    /// True if only the listed names are accepted.
    fn takes_only_named(&self, root: &'s Value) -> bool {
        let lists = |place: &Place<'s>| place.properties().is_some();
        let Some(places) = self.reachable(root) else {
            return false;
        };
        // An alternative without properties of its own accepts any object, unless names are listed
        // beside the alternatives.
        let is_member = |place: &Place<'s>| {
            let mut members = self.members.iter();
            members.any(|member| std::ptr::eq(member.schema, place.schema))
        };
        let takes_any = |place: &Place<'s>| {
            let is_object = place.schema.get("type").and_then(Value::as_str) == Some("object");
            is_object && !lists(place) && !is_member(place)
        };
        let is_listed = self.members.iter().any(lists);
        places.iter().any(lists)
            && !places.iter().any(|place| is_open(place, root))
            && (is_listed || !places.iter().any(takes_any))
    }

    /// The members, and all parts that may apply together with them; `None` if there are too many.
    fn reachable(&self, root: &'s Value) -> Option<Vec<Place<'s>>> {
        let mut open: Vec<Place<'s>> = self.members.clone();
        let mut seen: Vec<Place<'s>> = Vec::new();
        while let Some(place) = open.pop() {
            if seen
                .iter()
                .any(|known| std::ptr::eq(known.schema, place.schema))
            {
                continue;
            }
            if seen.len() >= MAX_MEMBERS {
                return None;
            }
            open.extend(place.referred(root));
            for keyword in ["if", "then", "else"] {
                open.extend(place.get(keyword));
            }
            for keyword in ["allOf", "anyOf", "oneOf"] {
                open.extend(place.get(keyword).iter().flat_map(Place::items));
            }
            for keyword in ["dependentSchemas", "dependencies"] {
                open.extend(place.get(keyword).iter().flat_map(Place::values));
            }
            seen.push(place);
        }
        Some(seen)
    }
}

impl<'s> Place<'s> {
    /// The schemas in an object of schemas.
    fn values(&self) -> impl Iterator<Item = Self> {
        let names = self
            .schema
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys());
        names.filter_map(|name| self.get(name))
    }
}

/// True if the schema allows additional names, or if that is unknown.
fn is_open(place: &Place<'_>, root: &Value) -> bool {
    let says = |keyword: &str| place.schema.get(keyword).is_some();
    let takes = |keyword: &str| {
        let others = place.schema.get(keyword);
        others.is_some_and(|schema| *schema != Value::Bool(false))
    };
    let is_unresolved = says("$ref") && place.referred(root).is_none();
    is_unresolved
        || OPENING.into_iter().any(says)
        || DYNAMIC.into_iter().any(says)
        || ADDITIONAL.into_iter().any(takes)
}

#[cfg(test)]
mod tests;
