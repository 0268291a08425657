//! One setting as users and programs see it.

use serde::Serialize;
use serde_json::Value;

use super::Setting;

/// An effective setting.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// The key in `haft.toml`, or the environment variable if there is no key.
    pub(crate) name: String,
    /// Null when unset.
    pub(crate) value: Value,
    /// A flag, a variable, a path, or `default`.
    pub(crate) source: String,
}

/// The row of a setting, whose value `shown` writes.
pub(super) fn row<T>(name: &str, setting: &Setting<T>, shown: impl Fn(&T) -> Value) -> Row {
    Row {
        name: name.to_owned(),
        value: setting.value.as_ref().map_or(Value::Null, shown),
        source: setting.source.to_string(),
    }
}
