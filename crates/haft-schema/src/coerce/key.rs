//! Matches names that differ only in case, `_`, `-` and spaces, such as `device_name` and
//! `deviceName`.

use std::collections::HashMap;

use haft_core::Arguments;
use serde_json::Value;

use crate::view::View;

/// `name` normalised for comparison: without case, `_`, `-` and spaces.
///
/// ```
/// assert_eq!(haft_schema::normalize_key("Device-Name"), haft_schema::normalize_key("device_name"));
/// ```
#[must_use]
pub fn normalize_key(name: &str) -> String {
    meaning(name).collect()
}

/// True if two names are equal after [`normalize_key`]; does not allocate.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    one == other || meaning(one).eq(meaning(other))
}

fn meaning(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-') && !character.is_whitespace())
        .flat_map(char::to_lowercase)
}

/// The only name in `names` that equals `name` after normalisation; `None` if there is none or more
/// than one.
///
/// ```
/// assert_eq!(haft_schema::match_key("node_id", ["nodeId", "level"]), Some("nodeId"));
/// assert_eq!(haft_schema::match_key("a", ["A", "a_"]), None);
/// ```
#[must_use]
pub fn match_key<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let has_meaning = meaning(name).next().is_some();
    let mut found = names
        .into_iter()
        .filter(|candidate| has_meaning && is_same_name(candidate, name));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// A key and its new name.
#[derive(Clone)]
pub(crate) struct Rename<'s> {
    pub(crate) from: String,
    pub(crate) to: &'s str,
}

/// The keys of `map` to rename: unknown keys whose property is not given and matches no other key.
pub(super) fn renames<'s>(root: &'s Value, view: &View<'s>, map: &Arguments) -> Vec<Rename<'s>> {
    // A key without letters and digits matches nothing.
    let mut meanings: HashMap<String, Vec<&str>> = HashMap::new();
    if map.keys().any(|key| !view.has_property(key)) {
        for name in view.properties() {
            meanings.entry(normalize_key(name)).or_default().push(name);
        }
        meanings.remove("");
    }
    let meant = |key: &str| match meanings.get(&normalize_key(key)).map(Vec::as_slice) {
        Some([target]) => Some(*target),
        _ => None,
    };
    renames_by(root, view, map, |key| {
        meant(key)
            .or_else(|| meant(key.strip_prefix(PREFIX)?))
            .or_else(|| meant(key.trim_matches(SIGNS)))
    })
}

/// What models copy from prompts that show calls as `name(params_name1=value1)`, as that of the
/// Berkeley Function Calling Leaderboard does: `params_city="Oslo"`.
const PREFIX: &str = "params_";

/// What stands around names and slips into them: `{""city": "Oslo"}`, `<parameter==city>`.
const SIGNS: [char; 4] = ['"', '\'', '`', '='];

/// The renames that `meant` finds for unknown keys, if they are unambiguous.
///
/// In a schema that allows additional names, every key is known. Then only missing required
/// properties are considered.
pub(super) fn renames_by<'s>(
    root: &'s Value,
    view: &View<'s>,
    map: &Arguments,
    meant: impl Fn(&str) -> Option<&'s str>,
) -> Vec<Rename<'s>> {
    let is_open = view.is_open();
    let mut found: Vec<Rename<'s>> = Vec::new();
    let mut claims: HashMap<&str, usize> = HashMap::new();
    for key in map.keys().filter(|key| !view.has_property(key)) {
        let Some(target) = meant(key) else {
            continue;
        };
        let is_wanted = !map.contains_key(target) && (!is_open || view.requires(target));
        if is_wanted && !view.mentions(root, key) {
            *claims.entry(target).or_default() += 1;
            found.push(Rename {
                from: key.clone(),
                to: target,
            });
        }
    }
    found.retain(|rename| claims.get(rename.to) == Some(&1));
    found
}

/// Renames keys without changing their order.
pub(crate) fn rename(map: &mut Arguments, renames: &[Rename<'_>]) {
    if renames.is_empty() {
        return;
    }
    let renamed = |key: String| match renames.iter().find(|rename| rename.from == key) {
        Some(rename) => rename.to.to_owned(),
        None => key,
    };
    let entries = std::mem::take(map).into_iter();
    *map = entries.map(|(key, value)| (renamed(key), value)).collect();
}

#[cfg(test)]
mod tests;
