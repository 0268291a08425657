//! What coercion changed, in one plain sentence per change.
//!
//! The changes are made in `coerce`; whoever shows a trace prints them through `Display`.

use std::fmt;

use haft_core::Arguments;

/// Arguments after coercion, and what was changed to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct Coerced {
    /// The arguments to validate and to run with.
    pub arguments: Arguments,
    /// Every change, in the order in which it was made; empty when nothing was touched.
    pub changes: Vec<Coercion>,
}

/// One change. Its `Display` is a plain sentence: `level: text "40" became the number 40`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coercion {
    /// JSON pointer (RFC 6901) to the value after the change; empty for the whole.
    pub path: String,
    /// What kind of change it was.
    pub kind: CoercionKind,
    /// What stood there before, shortened for reading.
    pub before: String,
    /// What stands there now, shortened for reading; empty where nothing does.
    pub after: String,
}

/// What kind of change it was. Each keeps what the model meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoercionKind {
    /// Text that holds a number became that number.
    TextToNumber,
    /// `true` or `false` written as text became a boolean.
    TextToBoolean,
    /// A number without a fraction, written with one, became a whole number.
    FloatToInteger,
    /// A number or boolean became its own text.
    ToText,
    /// Text that holds JSON became the object or list in it.
    ParsedJson,
    /// A single value became a list of one.
    WrappedInList,
    /// `null` for an optional parameter was left out.
    NullDropped,
    /// Empty text for an optional parameter that is not text was left out.
    EmptyDropped,
    /// A choice was given its exact spelling.
    ChoiceSpelling,
    /// A parameter was given its exact name.
    KeyRenamed,
    /// The arguments were taken out of an envelope such as `{"input": ...}`.
    Unwrapped,
}

impl fmt::Display for Coercion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        use CoercionKind as Kind;
        let Self { before, after, .. } = self;
        if self.kind == Kind::KeyRenamed {
            return write!(formatter, "{before} was renamed to {after}");
        }
        let place = match self.path.strip_prefix('/') {
            Some(path) => unescape(path),
            None => "the arguments".to_owned(),
        };
        write!(formatter, "{place}: ")?;
        match self.kind {
            Kind::TextToNumber => write!(formatter, "text {before} became the number {after}"),
            Kind::TextToBoolean => write!(formatter, "text {before} became {after}"),
            Kind::FloatToInteger => write!(formatter, "{before} became the whole number {after}"),
            Kind::ToText => write!(formatter, "{before} became text {after}"),
            Kind::ParsedJson => write!(formatter, "text {before} was read as JSON"),
            Kind::WrappedInList => write!(formatter, "{before} became a list of one"),
            Kind::NullDropped => formatter.write_str("null was left out"),
            Kind::EmptyDropped => formatter.write_str("empty text was left out"),
            Kind::ChoiceSpelling => write!(formatter, "{before} became {after}"),
            Kind::Unwrapped => write!(formatter, "taken out of {before}"),
            Kind::KeyRenamed => Ok(()),
        }
    }
}

/// A JSON pointer without its first slash as people write a path: `rooms[0].level`.
fn unescape(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/') {
        let is_index = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        if is_index && !path.is_empty() {
            path.push_str(&format!("[{step}]"));
            continue;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&step.replace("~1", "/").replace("~0", "~"));
    }
    path
}

#[cfg(test)]
mod tests;
