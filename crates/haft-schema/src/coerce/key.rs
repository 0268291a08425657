//! Names that differ only in case, `_`, `-` and spaces: where `device_name` meets `deviceName`.

use std::collections::HashMap;

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
    let unknown: Vec<&String> = map.keys().filter(|key| !view.has_property(key)).collect();
    if unknown.is_empty() {
        return Vec::new();
    }
    let mut meanings: HashMap<String, Vec<&str>> = HashMap::new();
    for name in view.properties() {
        meanings.entry(normalize_key(name)).or_default().push(name);
    }
    let is_open = view.is_open();
    let mut found: Vec<(String, &str)> = Vec::new();
    let mut claims: HashMap<&str, usize> = HashMap::new();
    for key in unknown {
        let meaning = normalize_key(key);
        let Some([target]) = meanings.get(&meaning).map(Vec::as_slice) else {
            continue;
        };
        let is_wanted = !map.contains_key(*target) && (!is_open || view.requires(target));
        if is_wanted && !meaning.is_empty() && !view.mentions(root, key) {
            *claims.entry(target).or_default() += 1;
            found.push((key.clone(), target));
        }
    }
    found.retain(|(_, target)| claims.get(target) == Some(&1));
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
