//! Reads the list of devices that Home Assistant puts into a system prompt, and what its tool
//! `GetLiveContext` answers.
//!
//! Both are written by PyYAML, see `_get_exposed_entities` and `_async_get_exposed_entities_prompt`
//! in `homeassistant/helpers/llm.py` of home-assistant/core: a list whose items have `names` (the
//! name and its aliases, separated by ", "), `domain`, `areas` and, where states are listed, `state`
//! and `attributes`. Versions of 2024 wrote a map from entity ids to such items instead. Values
//! longer than 80 characters go on in the next line.
//!
//! The text comes from outside and only those parts of YAML are read that are written there; what
//! else stands in it is passed over, and its size is bounded.

/// What stands in the line above the list, in all versions.
const HEADING: &str = "verview of the areas and the devices in this smart home:";
/// More text than the list of any home has.
const MOST_BYTES: usize = 256 * 1024;
/// More devices than any home exposes to a voice assistant.
const MOST_ENTRIES: usize = 1_000;
/// More attributes than Home Assistant lists for any device.
const MOST_ATTRIBUTES: usize = 24;
/// A longer value is no name of anything.
const MOST_VALUE: usize = 400;

/// One device of the list, its values as they were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) names: String,
    pub(super) domain: String,
    pub(super) areas: String,
    pub(super) state: Option<String>,
    /// Its other attributes, such as `unit_of_measurement`.
    pub(super) attributes: Vec<(String, String)>,
}

/// The devices listed in `text`; nothing where it has no list.
pub(super) fn entries(text: &str) -> Option<Vec<Entry>> {
    let start = text.find(HEADING)? + HEADING.len();
    let end = text.floor_char_boundary(text.len().min(start + MOST_BYTES));
    let mut reader = Reader::default();
    for line in text.get(start..end)?.lines() {
        if !reader.read(line) || reader.entries.len() > MOST_ENTRIES {
            break;
        }
    }
    let mut entries = reader.entries;
    entries.truncate(MOST_ENTRIES);
    entries.retain(|entry| !entry.names.is_empty() && !entry.domain.is_empty());
    for entry in &mut entries {
        for value in [&mut entry.names, &mut entry.domain, &mut entry.areas] {
            *value = unquoted(value);
        }
        entry.state = entry.state.take().map(|state| unquoted(&state));
        for (_, value) in &mut entry.attributes {
            *value = unquoted(value);
        }
    }
    Some(entries)
}

/// Which value of an entry a line that has no key goes on with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Field {
    Names,
    Domain,
    Areas,
    State,
    /// The last one.
    Attribute,
    #[default]
    Other,
}

#[derive(Debug, Default)]
struct Reader {
    entries: Vec<Entry>,
    field: Field,
}

impl Reader {
    /// Reads one line; false behind the end of the list.
    fn read(&mut self, line: &str) -> bool {
        let bare = line.trim();
        if bare.is_empty() {
            return true;
        }
        let is_indented = line.starts_with(' ');
        if let Some(first) = line.strip_prefix("- ") {
            self.entries.push(Entry::default());
            self.pair(first);
            return true;
        }
        if !is_indented {
            let is_entity = bare
                .strip_suffix(':')
                .is_some_and(|id| id.contains('.') && !id.contains(' '));
            if is_entity {
                self.entries.push(Entry::default());
                self.field = Field::Other;
            }
            return is_entity;
        }
        if !self.is_open() && is_pair(bare) {
            self.pair(bare);
        } else {
            self.go_on(bare);
        }
        true
    }

    fn pair(&mut self, text: &str) {
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        self.field = match key.trim() {
            "names" => Field::Names,
            "domain" => Field::Domain,
            "areas" => Field::Areas,
            "state" => Field::State,
            "attributes" => Field::Other,
            key => self.attribute(key),
        };
        self.go_on(value.trim());
    }

    fn attribute(&mut self, key: &str) -> Field {
        let Some(entry) = self.entries.last_mut() else {
            return Field::Other;
        };
        if entry.attributes.len() >= MOST_ATTRIBUTES {
            return Field::Other;
        }
        entry
            .attributes
            .push((key.trim().to_owned(), String::new()));
        Field::Attribute
    }

    /// The value that the last key began.
    fn value(&mut self) -> Option<&mut String> {
        let entry = self.entries.last_mut()?;
        match self.field {
            Field::Names => Some(&mut entry.names),
            Field::Domain => Some(&mut entry.domain),
            Field::Areas => Some(&mut entry.areas),
            Field::State => Some(entry.state.get_or_insert_default()),
            Field::Attribute => entry.attributes.last_mut().map(|(_, value)| value),
            Field::Other => None,
        }
    }

    fn go_on(&mut self, text: &str) {
        let Some(value) = self.value() else { return };
        if value.len() + text.len() <= MOST_VALUE {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(text);
        }
    }

    /// True within a text in quotation marks that is not closed yet.
    fn is_open(&mut self) -> bool {
        let Some(value) = self.value() else {
            return false;
        };
        ['\'', '"'].into_iter().any(|quote| {
            let ends = value.len() > 1 && value.ends_with(quote);
            value.starts_with(quote) && !ends
        })
    }
}

/// "domain: light", "attributes:".
fn is_pair(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, value)| {
        !key.is_empty()
            && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            && (value.is_empty() || value.starts_with(' '))
    })
}

/// A value without YAML's quotation marks.
fn unquoted(value: &str) -> String {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = inside('\'') {
        text.replace("''", "'")
    } else if let Some(text) = inside('"') {
        text.replace("\\\"", "\"").replace("\\\\", "\\")
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests;
