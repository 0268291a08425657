//! Sets of the seven JSON Schema types.

use serde_json::Value;

use crate::number::is_plain;

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// Numbers with a fraction; a schema's `number` allows both.
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const TEXT: Self = Self(16);
    pub(crate) const LIST: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ANY: Self = Self(127);

    /// The types that the schema's own `type`, `enum` and `const` allow.
    pub(crate) fn of_schema(schema: &Value) -> Self {
        let named = match schema.get("type") {
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Self::NONE, |all, name| all.or(Self::named(name))),
            _ => Self::ANY,
        };
        let listed = match (schema.get("enum"), schema.get("const")) {
            (Some(Value::Array(values)), _) => values
                .iter()
                .fold(Self::NONE, |all, value| all.or(Self::of(value))),
            (_, Some(value)) => Self::of(value),
            _ => Self::ANY,
        };
        named.and(listed)
    }

    /// The type of `value`. A number without a fraction is an integer in any spelling.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_plain(number) => Self::INTEGER,
            Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() == 0.0) => {
                Self::INTEGER
            }
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::TEXT,
            Value::Array(_) => Self::LIST,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) fn include(self, value: &Value) -> bool {
        self.overlap(Self::of(value))
    }

    pub(crate) fn overlap(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or_null(self) -> Self {
        self.or(Self::NULL)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::INTEGER.or(Self::FRACTION),
            "string" => Self::TEXT,
            "array" => Self::LIST,
            "object" => Self::OBJECT,
            _ => Self::ANY,
        }
    }
}
