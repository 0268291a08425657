//! Names that differ only in case, `_`, `-` and spaces: where `device_name` meets `deviceName`.

use haft_core::Arguments;
use serde_json::Value;

use crate::view::View;

/// `name` without what models get wrong about names: case, `_`, `-` and spaces.
///
/// ```
/// assert_eq!(haft_schema::normalize_key("Device-Name"), haft_schema::normalize_key("device_name"));
/// ```
#[must_use]
pub fn normalize_key(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-') && !character.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The name among `names` that means the same as `name`, if there is exactly one.
///
/// ```
/// assert_eq!(haft_schema::match_key("node_id", ["nodeId", "level"]), Some("nodeId"));
/// assert_eq!(haft_schema::match_key("a", ["A", "a_"]), None);
/// ```
#[must_use]
pub fn match_key<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = normalize_key(name);
    let mut found = names
        .into_iter()
        .filter(|candidate| !wanted.is_empty() && normalize_key(candidate) == wanted);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Which keys of `map` get which name: unknown ones whose property is not given and is meant by
/// no other key.
///
/// A schema that takes any further name makes every key a known one. There only a required
/// property that is missing is worth looking for.
pub(super) fn renames<'s>(
    root: &'s Value,
    view: &View<'s>,
    map: &Arguments,
) -> Vec<(String, &'s str)> {
    let properties = view.properties();
    let open = view.is_open();
    let mut found: Vec<(String, &str)> = Vec::new();
    for key in map.keys().filter(|key| !view.has_property(key)) {
        let Some(target) = match_key(key, properties.iter().copied()) else {
            continue;
        };
        let wanted = !map.contains_key(target) && (!open || view.requires(target));
        if wanted && !view.mentions(root, key) {
            found.push((key.clone(), target));
        }
    }
    let targets: Vec<&str> = found.iter().map(|(_, target)| *target).collect();
    found.retain(|(_, target)| targets.iter().filter(|other| *other == target).count() == 1);
    found
}

/// Gives keys their new names and keeps the order.
pub(super) fn rename(map: &mut Arguments, renames: &[(String, &str)]) {
    if renames.is_empty() {
        return;
    }
    let renamed = |key: String| match renames.iter().find(|(from, _)| *from == key) {
        Some((_, to)) => (*to).to_owned(),
        None => key,
    };
    let entries = std::mem::take(map).into_iter();
    *map = entries.map(|(key, value)| (renamed(key), value)).collect();
}

#[cfg(test)]
mod tests;
