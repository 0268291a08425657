//! `haft config init`, `set` and `path`: the settings file of the user, or of a folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use toml_edit::{DocumentMut, Item, Table, Value};

use crate::args::{ConfigInitArgs, ConfigSetArgs};
use crate::bounded;
use crate::failure::{Exit, Failure};
use crate::output::{print_text, say};
use crate::settings::{check, own_path};
use crate::trust;

/// A file in which every setting that people change is explained and none is set.
const TEMPLATE: &str = include_str!("template.toml");

/// Prints the path of the user's file.
pub(super) fn path() -> Result<Exit, Failure> {
    print_text(&place(Place::Own)?.display().to_string())?;
    Ok(Exit::Success)
}

/// Writes the explained file.
pub(super) fn init(arguments: &ConfigInitArgs) -> Result<Exit, Failure> {
    let path = place(Place::of_flag(arguments.here))?;
    if path.exists() && !arguments.force {
        let message = format!("{} is there already", path.display());
        return Err(Failure::new(message).with_hint("--force replaces it"));
    }
    write(&path, TEMPLATE)?;
    say(format_args!("written: {}", path.display()));
    Ok(Exit::Success)
}

/// Changes one setting. The file is only written if all of it is right then.
pub(super) fn set(arguments: &ConfigSetArgs) -> Result<Exit, Failure> {
    let path = place(Place::of_flag(arguments.here))?;
    let name = path.display().to_string();
    let text = match path.is_file() {
        true => bounded::read_text(&path)?,
        false => String::new(),
    };
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let sentence = error.message().trim_end_matches('.').to_owned();
        Failure::new(format!("{name}: {sentence}"))
    })?;
    let Some((section, key)) = arguments.key.split_once('.') else {
        let message = format!("\"{}\" is not the name of a setting", arguments.key);
        return Err(Failure::usage(message)
            .with_hint("a setting is named like model.name; `haft config show` lists them"));
    };
    put(&mut document, section, key, value(&arguments.value))?;
    let text = document.to_string();
    // Unknown names and values out of range are refused as they are when the file is read.
    check(&text, &name).map_err(|failure| Failure {
        exit: Exit::Usage,
        ..failure
    })?;
    write(&path, &text)?;
    if arguments.here {
        // What the user has just written is trusted.
        trust::remember(&path, &text);
    }
    say(format_args!("{} is set in {name}", arguments.key));
    Ok(Exit::Success)
}

/// Which settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Own,
    Here,
}

impl Place {
    fn of_flag(here: bool) -> Self {
        if here { Self::Here } else { Self::Own }
    }
}

fn place(place: Place) -> Result<PathBuf, Failure> {
    match place {
        Place::Here => Ok(PathBuf::from("haft.toml")),
        Place::Own => {
            own_path().ok_or_else(|| Failure::new("There is no home folder").with_hint("set HOME"))
        }
    }
}

/// Puts a value into a section, which is added if it is missing. Comments beside the old value stay.
fn put(document: &mut DocumentMut, section: &str, key: &str, value: Value) -> Result<(), Failure> {
    let table = document
        .entry(section)
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = table.as_table_like_mut() else {
        let message = format!("[[{section}]] has several sections");
        return Err(Failure::usage(message).with_hint("change it in the file: haft config path"));
    };
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(())
}

/// A value as in TOML, else a text.
fn value(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| Value::from(text))
}

/// Replaces the file at once, so that nobody reads a half of it. A new one is only for the user.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("{} cannot be written: {error}", path.display()))
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    // A link stays one, and so do the rights of a file that is there.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Ok(known) = fs::metadata(&target) {
        fs::set_permissions(file.path(), known.permissions()).map_err(failed)?;
    }
    file.persist(&target).map_err(|error| failed(error.error))?;
    Ok(())
}
