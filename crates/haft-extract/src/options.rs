//! How a reply is to be read.

use std::str::FromStr;

use crate::{Format, limits, template};

/// What becomes of calls that a model writes into a reply without a marker, or inside a fence or
/// a quotation, beside other text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BareCalls {
    /// They are calls, whatever the text around them says, and so are those with a marker.
    Always,
    /// They are calls where the text around them says that they are made, and text where it only
    /// mentions them: as an example, an option, a plan, a quotation, a prohibition.
    #[default]
    Judged,
    /// They are text, unless the reply holds nothing but calls.
    Never,
}

impl BareCalls {
    /// All settings.
    pub const ALL: [Self; 3] = [Self::Always, Self::Judged, Self::Never];

    /// The setting as a word, as configuration writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Judged => "judged",
            Self::Never => "never",
        }
    }
}

impl FromStr for BareCalls {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let setting = Self::ALL.into_iter().find(|setting| setting.name() == text);
        setting.ok_or("expected always, judged or never")
    }
}

/// How a reply is to be read. The default needs to know nothing about the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// The format in which calls are expected: a hint. Every format is recognised whatever it is;
    /// [`Format::PlainCall`] also counts anywhere in a line.
    pub format: Format,
    /// The model was taught to write calls as text: a plain call counts anywhere in a line.
    pub text_mode: bool,
    /// The prompt ended with an opening thinking tag: the reply starts inside.
    pub starts_thinking: bool,
    /// What becomes of calls without a marker beside other text.
    pub bare_calls: BareCalls,
    /// A reply that holds nothing but a closed thought makes the calls that end the thought, if all
    /// of their tools only read ([`ToolDefinition::read_only`](crate::ToolDefinition::read_only)).
    /// Without it a closed thought holds no calls.
    pub thought_calls: bool,
    /// Calls come as [`Piece::RawCall`](crate::Piece::RawCall), neither read nor checked.
    pub raw: bool,
    /// How many bytes may be held back while they may still be a call that has no closing
    /// marker; 1 MiB, more than any argument that a model writes without markers.
    pub hold_limit: usize,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            text_mode: false,
            starts_thinking: false,
            bare_calls: BareCalls::default(),
            thought_calls: false,
            raw: false,
            hold_limit: limits::HELD,
        }
    }
}

impl ExtractOptions {
    /// The default options for one format.
    #[must_use]
    pub fn for_format(format: Format) -> Self {
        Self {
            format,
            ..Self::default()
        }
    }

    /// The default options, with the format and the start that a chat template in Jinja or Go
    /// shows. What it does not show, such as settings that it hangs on, stays as it is by default.
    ///
    /// ```
    /// use haft_extract::ExtractOptions;
    ///
    /// let template = "{% if add_generation_prompt %}{{ '<|assistant|>\\n<think>\\n' }}{% endif %}";
    /// assert!(ExtractOptions::from_chat_template(template).starts_thinking);
    /// ```
    #[must_use]
    pub fn from_chat_template(template: &str) -> Self {
        Self {
            format: Format::from_chat_template(template).unwrap_or(Format::Auto),
            starts_thinking: template::starts_thinking(template),
            ..Self::default()
        }
    }
}
