//! Settings with another name in earlier versions: the old names still work, with a warning.

use std::ffi::OsString;
use std::fmt;

use anstyle::{AnsiColor, Style};
use toml::Table;

/// Sections: the old name and the new one.
const SECTIONS: [(&str, &str); 1] = [("tiers", "tool_groups")];

/// A setting that was renamed.
struct RenamedKey {
    section: &'static str,
    old: &'static str,
    new: &'static str,
}

const KEYS: [RenamedKey; 1] = [RenamedKey {
    section: "recovery",
    old: "more_room",
    new: "raise_max_tokens",
}];

/// Flags: the old name and the new one. The command line reads the old one as an alias.
const FLAGS: [(&str, &str); 1] = [("--patience", "--idle-timeout")];

/// The current name of a section.
pub(super) fn section(name: &str) -> &str {
    let renamed = SECTIONS.iter().find(|(old, _)| *old == name);
    renamed.map_or(name, |(_, new)| new)
}

/// The current name of a setting in a section.
pub(super) fn key<'a>(section: &str, name: &'a str) -> &'a str {
    let mut keys = KEYS.iter();
    let renamed = keys.find(|key| key.section == section && key.old == name);
    renamed.map_or(name, |key| key.new)
}

/// A sentence for each old name in a file.
pub(super) fn found(text: &str) -> Vec<String> {
    let Ok(table) = text.parse::<Table>() else {
        return Vec::new();
    };
    let sections = SECTIONS
        .iter()
        .filter(|(old, _)| table.contains_key(*old))
        .map(|(old, new)| format!("`[{old}]` was renamed to `[{new}]`"));
    let keys = KEYS
        .iter()
        .filter(|key| {
            let section = table.get(key.section).and_then(toml::Value::as_table);
            section.is_some_and(|keys| keys.contains_key(key.old))
        })
        .map(|key| format!("`{}` was renamed to `{}`", key.old, key.new));
    sections.chain(keys).collect()
}

/// Warns the user about an old name of a setting or a flag.
pub(crate) fn warn(renamed: impl fmt::Display) {
    const CAUTION: Style = AnsiColor::Yellow.on_default();
    anstream::eprintln!("{CAUTION}warning:{CAUTION:#} {renamed}");
}

/// A sentence for each old name of a flag in the command line.
pub(crate) fn flags(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let named = arguments.filter_map(|argument| {
        let argument = argument.into_string().ok()?;
        let name = argument.split('=').next()?;
        let (old, new) = FLAGS.iter().find(|(old, _)| *old == name)?;
        Some(format!("`{old}` was renamed to `{new}`"))
    });
    named.collect()
}
