//! What was repaired in a call, in one plain sentence per repair.
//!
//! The repairs of values are made next door in `coerce`, those of the written form
//! where text is read (`haft-extract`). A trace prints both through `Display`.

use std::fmt;

use haft_core::{Arguments, CallRepair};

/// Arguments after coercion, and what was changed to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct Coerced {
    /// The arguments to validate and to run with.
    pub arguments: Arguments,
    /// Every change, in the order in which it was made; empty when nothing was touched.
    pub repairs: Vec<Repair>,
}

/// One change. Its `Display` is a plain sentence: `level: text "40" became the number 40`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// JSON pointer (RFC 6901) to the value after the change; empty for the whole.
    pub path: String,
    /// What kind of change it was.
    pub kind: RepairKind,
    /// What stood there before, shortened for reading.
    pub before: String,
    /// What stands there now, shortened for reading; empty where nothing does.
    pub after: String,
}

impl Coerced {
    /// What all repairs cost together; zero when nothing was touched. Of two readings of one
    /// reply the one that costs less is meant, see [`RepairKind::cost`].
    #[must_use]
    pub fn cost(&self) -> u32 {
        cost(&self.repairs)
    }
}

/// What `repairs` cost together.
pub(crate) fn cost(repairs: &[Repair]) -> u32 {
    repairs
        .iter()
        .fold(0, |sum, repair| sum.saturating_add(repair.kind.cost()))
}

/// What kind of change it was. Each keeps what the model meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// Text that holds a number, or a sum of numbers, became that number.
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
    /// A parameter was given its exact name.
    KeyRenamed,
    /// Arguments were taken out of an envelope such as `{"input": ...}`, out of an object that no
    /// parameter is named after, or out of a copy of the schema that had values filled in.
    Unwrapped,
    /// Arguments given by position got the names of the parameters, in their order.
    PositionNamed,
    /// A misspelt word became the only one near it.
    Misspelling,
    /// An argument that no parameter takes got the name of the only free one that it can mean.
    Synonym,
    /// An argument that no parameter takes, and in which nothing stands, was left out.
    BlankUnknownDropped,
    /// The tool was written with other capitals or separators.
    ToolSpelling,
    /// Brackets, quotes or tags missing at the very end were supplied.
    ClosersSupplied,
    /// A missing, doubled or wrong bracket inside was put right.
    BracketRepaired,
    /// Single, typographic or missing quotes were read as double ones.
    QuotesRepaired,
    /// A quote inside a text was not marked as belonging to it.
    InnerQuote,
    /// A raw line break or other control character stood in a text.
    RawControl,
    /// An escape that JSON does not have was read as what it must mean.
    EscapeRepaired,
    /// `True`, `False`, `None` and the like were read as JSON's words.
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
    /// Members that stood without braces around them, or `=` where `:` belongs.
    BracesSupplied,
    /// A missing, doubled or damaged tag or marker.
    TagRepaired,
    /// A name stood twice; its last value counts.
    DoubledKey,
}

impl RepairKind {
    /// Its name for programs, such as `text_to_number`.
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

    /// How far the change is from what was written, to choose between readings: the smallest sum
    /// wins.
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
            | Self::BracesSupplied => 4,
            Self::BracketRepaired | Self::InnerQuote | Self::TagRepaired | Self::DoubledKey => 8,
            Self::Misspelling => 16,
        }
    }
}

impl Repair {
    /// What it did to a call of this tool, for statistics.
    #[must_use]
    pub fn report(&self, tool: &str) -> CallRepair {
        CallRepair {
            tool: tool.to_owned(),
            kind: self.kind.name(),
            what: self.to_string(),
        }
    }

    /// A repair at `path`, a JSON pointer; `before` and `after` are shown to people.
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
