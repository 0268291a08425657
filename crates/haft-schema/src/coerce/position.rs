//! Maps arguments without names, `arg0`, `arg1`, to the parameters in their order.

use haft_core::Arguments;
use serde_json::Value;

use super::key::Rename;
use crate::view::View;

/// The prefix of the generated names of positional arguments.
const PREFIX: &str = "arg";

/// The maximum number of digits of a position.
const MAX_DIGITS: usize = 3;

/// The properties for the unnamed arguments in `map`: those that are not given, in order. Either
/// all arguments get a name or none does.
pub(super) fn renames<'s>(root: &'s Value, view: &View<'s>, map: &Arguments) -> Vec<Rename<'s>> {
    let mut unnamed: Vec<(usize, &String)> = map
        .keys()
        .filter_map(|key| Some((position(key)?, key)))
        .filter(|(_, key)| !view.mentions(root, key))
        .collect();
    unnamed.sort_unstable();
    // Some models count from one.
    let first = unnamed
        .first()
        .map_or(0, |(position, _)| (*position).min(1));
    let positions = unnamed.iter().map(|(position, _)| *position);
    if unnamed.is_empty() || !positions.eq(first..first + unnamed.len()) {
        return Vec::new();
    }
    let mut free = view.properties();
    free.retain(|name| !map.contains_key(*name));
    let targets = free.get(..unnamed.len()).unwrap_or_default();
    // If additional names are allowed, only missing required properties are considered.
    let is_clear = !view.is_open() || targets.iter().all(|name| view.requires(name));
    if targets.is_empty() || !is_clear {
        return Vec::new();
    }
    let keys = unnamed.into_iter().map(|(_, key)| key.clone());
    let renames = keys.zip(targets);
    renames.map(|(from, to)| Rename { from, to }).collect()
}

fn position(key: &str) -> Option<usize> {
    let digits = key.strip_prefix(PREFIX)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && digits.len() <= MAX_DIGITS)
        .then(|| digits.parse().ok())
        .flatten()
}
