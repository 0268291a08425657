//! The repairs of a call, each with a plain sentence for traces.
//!
//! Values are repaired in `coerce`, the written form of a call is repaired where text is parsed
//! (`haft-extract`). A trace prints both with `Display`.

use std::fmt;

use haft_core::{Arguments, CallRepair};

/// Arguments after coercion, with the changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Coerced {
    /// The arguments to validate and to run with.
    pub arguments: Arguments,
    /// Every change, in the order in which it was made; empty without changes.
    pub repairs: Vec<Repair>,
}

/// One change. Its `Display` is a plain sentence: `level: text "40" became the number 40`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// JSON pointer (RFC 6901) to the value after the change; empty for the whole.
    pub path: String,
    /// The kind of the change.
    pub kind: RepairKind,
    /// The value before the change, shortened for display.
    pub before: String,
    /// The value after the change, shortened for display; empty if there is none.
    pub after: String,
}

impl Coerced {
    /// The total cost of all repairs; zero without changes. If a reply can be read in two ways, the
    /// cheaper one is used, see [`RepairKind::cost`].
    #[must_use]
    pub fn cost(&self) -> u32 {
        cost(&self.repairs)
    }
}

/// The total cost of `repairs`.
pub(crate) fn cost(repairs: &[Repair]) -> u32 {
    repairs
        .iter()
        .fold(0, |sum, repair| sum.saturating_add(repair.kind.cost()))
}

/// The kind of a change. Each keeps the meaning that the model intended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// A string with a number, or with an arithmetic expression, became that number.
    TextToNumber,
    /// A word for yes or no, such as `true` or `off`, became a boolean.
    TextToBoolean,
    /// 1 or 0 became a boolean.
    NumberToBoolean,
    /// A number without a fraction, written with one, became a whole number.
    FloatToInteger,
    /// A number or boolean became its own text.
    ToText,
    /// Text that holds JSON became the object or list in it.
    ParsedJson,
    /// A single value became a list of one.
    WrappedInList,
    /// Text with commas became the list of its parts.
    SplitIntoList,
    /// A list of one became the value in it.
    Unlisted,
    /// `null` for an optional parameter was left out.
    NullDropped,
    /// Empty text for an optional parameter that is not text was left out.
    EmptyDropped,
    /// A choice was given its exact spelling.
    ChoiceSpelling,
    /// An item that an optional list of choices does not have was left out.
    ChoiceDropped,
    /// A parameter was given its exact name.
    KeyRenamed,
    /// Arguments were unwrapped from an envelope such as `{"input": ...}`, from an object that is
    /// not a parameter, or from a copy of the schema with filled-in values.
    Unwrapped,
    /// Arguments given by position got the names of the parameters, in their order.
    PositionNamed,
    /// A misspelt word became the only similar one.
    Misspelling,
    /// An argument that no parameter takes was renamed to the only free parameter with that
    /// meaning.
    Synonym,
    /// A blank argument that no parameter takes was left out.
    BlankUnknownDropped,
    /// The tool's name was written with different case or separators.
    ToolSpelling,
    /// Missing brackets, quotes or tags at the end were added.
    ClosersSupplied,
    /// A missing, doubled or wrong bracket inside was corrected.
    BracketRepaired,
    /// Single, typographic or missing quotes were read as double ones.
    QuotesRepaired,
    /// A quote inside a string was not escaped.
    InnerQuote,
    /// A string contained a raw line break or another control character.
    RawControl,
    /// An escape sequence that JSON does not have was interpreted.
    EscapeRepaired,
    /// `True`, `False`, `None` and similar literals were converted to JSON's.
    PythonLiteral,
    /// A name without quotes.
    BareKey,
    /// A text without quotes.
    BareText,
    /// A comma was missing, doubled or left over.
    CommaRepaired,
    /// A comment was left out.
    CommentDropped,
    /// A number in a form that JSON does not have, such as `+5`, `.5` or `1_000`.
    NumberRepaired,
    /// Members without braces around them, or `=` in place of `:`.
    BracesSupplied,
    /// A missing, doubled or damaged tag or marker.
    TagRepaired,
    /// A name occurred twice; its last value counts.
    DoubledKey,
}

impl RepairKind {
    /// The name for programs, such as `text_to_number`.
    ///
    /// ```
    /// assert_eq!(haft_schema::RepairKind::TextToNumber.name(), "text_to_number");
    /// ```
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    /// The distance of the change from the original, for choosing between readings: the smallest
    /// sum wins.
    ///
    /// * 1: the same thing in another spelling; there is no other way to read it.
    /// * 2: another sort of value that means the same, or a blank or closer that adds nothing.
    /// * 4: something around a value, or its place, was read differently.
    /// * 8: a damaged structure was put together again.
    /// * 16: a word was guessed.
    ///
    /// ```
    /// use haft_schema::RepairKind;
    ///
    /// assert!(RepairKind::KeyRenamed.cost() < RepairKind::TextToNumber.cost());
    /// assert!(RepairKind::TextToNumber.cost() < RepairKind::Misspelling.cost());
    /// ```
    #[must_use]
    pub fn cost(self) -> u32 {
        match self {
            Self::FloatToInteger
            | Self::ChoiceSpelling
            | Self::KeyRenamed
            | Self::ToolSpelling
            | Self::QuotesRepaired
            | Self::RawControl
            | Self::EscapeRepaired
            | Self::PythonLiteral
            | Self::BareKey
            | Self::CommaRepaired
            | Self::CommentDropped
            | Self::NumberRepaired => 1,
            Self::TextToNumber
            | Self::TextToBoolean
            | Self::ToText
            | Self::ParsedJson
            | Self::NullDropped
            | Self::EmptyDropped
            | Self::BlankUnknownDropped
            | Self::BareText
            | Self::ClosersSupplied => 2,
            Self::NumberToBoolean
            | Self::WrappedInList
            | Self::SplitIntoList
            | Self::Unlisted
            | Self::Unwrapped
            | Self::PositionNamed
            | Self::Synonym
            | Self::ChoiceDropped
            | Self::BracesSupplied => 4,
            Self::BracketRepaired | Self::InnerQuote | Self::TagRepaired | Self::DoubledKey => 8,
            Self::Misspelling => 16,
        }
    }
}

impl Repair {
    /// The record of the repair in a call of this tool, for statistics.
    #[must_use]
    pub fn report(&self, tool: &str) -> CallRepair {
        CallRepair {
            tool: tool.to_owned(),
            kind: self.kind.name(),
            what: self.to_string(),
        }
    }

    /// A repair at `path`, a JSON pointer; `before` and `after` are for display.
    #[must_use]
    pub fn new(
        path: impl Into<String>,
        kind: RepairKind,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into(),
            kind,
            before: before.into(),
            after: after.into(),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RepairKind as Kind;
        let Self { before, after, .. } = self;
        if self.kind == Kind::KeyRenamed {
            return write!(formatter, "{before} was renamed to {after}");
        }
        if self.kind == Kind::Synonym {
            return write!(formatter, "{before} was taken as {after}");
        }
        if self.kind == Kind::ToolSpelling {
            return write!(formatter, "the tool {before} was taken as {after}");
        }
        let place = match self.path.strip_prefix('/') {
            Some(path) => unescape(path),
            None => "the arguments".to_owned(),
        };
        write!(formatter, "{place}: ")?;
        match self.kind {
            Kind::TextToNumber => write!(formatter, "text {before} became the number {after}"),
            Kind::TextToBoolean => write!(formatter, "text {before} became {after}"),
            Kind::NumberToBoolean => write!(formatter, "{before} became {after}"),
            Kind::FloatToInteger => write!(formatter, "{before} became the whole number {after}"),
            Kind::ToText => write!(formatter, "{before} became text {after}"),
            Kind::ParsedJson => write!(formatter, "text {before} was read as JSON"),
            Kind::WrappedInList => write!(formatter, "{before} became a list of one"),
            Kind::SplitIntoList => write!(formatter, "text {before} became a list of its parts"),
            Kind::Unlisted => write!(formatter, "the list {before} became the value in it"),
            Kind::NullDropped => formatter.write_str("null was left out"),
            Kind::EmptyDropped => formatter.write_str("empty text was left out"),
            Kind::BlankUnknownDropped => {
                write!(
                    formatter,
                    "no parameter has this name, and {before} was left out"
                )
            }
            Kind::ChoiceSpelling => write!(formatter, "{before} became {after}"),
            Kind::ChoiceDropped => write!(formatter, "{before} is no choice, and was left out"),
            Kind::Unwrapped => write!(formatter, "taken out of {before}"),
            Kind::PositionNamed => write!(formatter, "{before} was given by position"),
            Kind::Misspelling => write!(formatter, "{before} was taken as {after}"),
            Kind::ClosersSupplied => write!(formatter, "{after} was missing at the end"),
            Kind::BracketRepaired => write!(formatter, "the bracket {before} was read as {after}"),
            Kind::QuotesRepaired => write!(formatter, "{before} was read with double quotes"),
            Kind::InnerQuote => write!(formatter, "a quote inside {before} was kept as text"),
            Kind::RawControl => formatter.write_str("a raw control character was kept as text"),
            Kind::EscapeRepaired => write!(formatter, "the escape {before} was read as {after}"),
            Kind::PythonLiteral => write!(formatter, "{before} was read as {after}"),
            Kind::BareKey => write!(formatter, "the name {before} stood without quotes"),
            Kind::BareText => write!(formatter, "the text {before} stood without quotes"),
            Kind::CommaRepaired => formatter.write_str("a comma was missing or too many"),
            Kind::CommentDropped => formatter.write_str("a comment was left out"),
            Kind::NumberRepaired => write!(formatter, "{before} was read as the number {after}"),
            Kind::BracesSupplied => formatter.write_str("braces were missing"),
            Kind::DoubledKey => write!(formatter, "its earlier value {before} was dropped"),
            Kind::TagRepaired => formatter.write_str("a tag was missing, doubled or damaged"),
            Kind::KeyRenamed | Kind::Synonym | Kind::ToolSpelling => Ok(()),
        }
    }
}

/// Converts a JSON pointer without its first slash to a readable path: `rooms[0].level`.
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
