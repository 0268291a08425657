//! How model families write calls and read results as text.
//!
//! The styles follow the families' own chat templates, so that a model sees what it was trained on.
//! Other models get a plain call in one line.

use haft_core::Arguments;
use haft_extract::Format;
use serde_json::Value;

use super::json_line;

/// How much of an invalid call the model is shown, in characters.
const SHOWN: usize = 600;

/// A style of calls in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `get_weather(city="Oslo")` on its own line.
    Plain,
    /// `<tool_call>{"name": ..., "arguments": ...}</tool_call>`: Qwen, Hermes and others.
    Tags,
    /// `{"name": ..., "parameters": ...}` and nothing else: Llama 3.
    Llama,
    /// `[TOOL_CALLS] [{"name": ..., "arguments": ...}]`: Mistral.
    Mistral,
    /// A fence with plain calls: Gemma.
    Fence,
}

/// Parts of model names in lower case, and the style of these models. The first match counts:
/// "hermes-3-llama-3.1" is a Hermes.
const FAMILIES: [(&str, Style); 19] = [
    ("hermes", Style::Tags),
    ("qwen", Style::Tags),
    ("qwq", Style::Tags),
    ("smollm", Style::Tags),
    ("granite", Style::Tags),
    ("ernie", Style::Tags),
    ("mistral", Style::Mistral),
    ("mixtral", Style::Mistral),
    ("ministral", Style::Mistral),
    ("magistral", Style::Mistral),
    ("devstral", Style::Mistral),
    ("codestral", Style::Mistral),
    ("gemma", Style::Fence),
    ("llama3", Style::Llama),
    ("llama-3", Style::Llama),
    ("llama_3", Style::Llama),
    ("llama4", Style::Llama),
    ("llama-4", Style::Llama),
    ("llama_4", Style::Llama),
];

impl Style {
    /// The style of the configured format, else of the model's family by its name.
    pub(crate) fn of(format: Format, model: &str) -> Self {
        match format.name() {
            "plain_call" => return Self::Plain,
            "hermes" => return Self::Tags,
            "llama3_json" => return Self::Llama,
            "mistral" => return Self::Mistral,
            "gemma_tool_code" | "gemma3" => return Self::Fence,
            _ => {}
        }
        let model = model.to_ascii_lowercase();
        let family = FAMILIES.iter().find(|(part, _)| model.contains(part));
        family.map_or(Self::Plain, |(_, style)| *style)
    }

    /// The format for which [`of`](Self::of) returns this style.
    pub(crate) fn format(self) -> Format {
        let name = match self {
            Self::Plain => "plain_call",
            Self::Tags => "hermes",
            Self::Llama => "llama3_json",
            Self::Mistral => "mistral",
            Self::Fence => "gemma_tool_code",
        };
        Format::named(name).unwrap_or(Format::Auto)
    }

    /// The style in which a system message teaches tools, if it does.
    pub(crate) fn taught_in(system: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|style| system.contains(style.rule()))
    }

    /// All styles.
    const ALL: [Self; 5] = [
        Self::Plain,
        Self::Tags,
        Self::Llama,
        Self::Mistral,
        Self::Fence,
    ];

    /// What the prompt says about writing a call.
    pub(super) fn rule(self) -> &'static str {
        match self {
            Self::Plain => {
                "To use a tool, write the call on a line of its own: the tool's name, then its \
                 arguments in parentheses as name=value. Write a line for each call."
            }
            Self::Tags => {
                "To use a tool, write a JSON object with its name and arguments between \
                 <tool_call> and </tool_call>. Write a pair of tags for each call."
            }
            Self::Llama => {
                "To use a tool, reply with nothing but a JSON object of its name and parameters. \
                 For several calls write one object after the other, with a semicolon between."
            }
            Self::Mistral => {
                "To use a tool, write [TOOL_CALLS] and then a JSON list with the name and the \
                 arguments of each call."
            }
            Self::Fence => {
                "To use a tool, write a ```tool_code``` block with the call: the tool's name, \
                 then its arguments in parentheses as name=value. Write a line for each call."
            }
        }
    }

    pub(super) fn call(self, name: &str, arguments: &Arguments) -> String {
        match self {
            Self::Plain | Self::Fence => {
                let arguments = arguments.iter();
                let arguments: Vec<_> = arguments
                    .map(|(key, value)| format!("{key}={}", json_line(value)))
                    .collect();
                format!("{name}({})", arguments.join(", "))
            }
            Self::Tags | Self::Mistral | Self::Llama => {
                self.spelled(name, &json_line(&Value::Object(arguments.clone())))
            }
        }
    }

    /// A call that was not understood, as far as it goes.
    pub(super) fn broken_call(self, name: &str, arguments: &str) -> String {
        let arguments: String = arguments.chars().take(SHOWN).collect();
        match self {
            Self::Plain | Self::Fence => format!("{name}({arguments})"),
            Self::Tags | Self::Mistral | Self::Llama => self.spelled(name, &arguments),
        }
    }

    fn spelled(self, name: &str, arguments: &str) -> String {
        let key = if self == Self::Llama {
            "parameters"
        } else {
            "arguments"
        };
        format!(
            "{{\"name\": {}, \"{key}\": {arguments}}}",
            Value::from(name)
        )
    }

    /// All calls of a reply.
    pub(super) fn calls(self, calls: &[String]) -> String {
        match self {
            Self::Plain => calls.join("\n"),
            Self::Tags => {
                let calls = calls.iter();
                let calls: Vec<_> = calls
                    .map(|call| format!("<tool_call>\n{call}\n</tool_call>"))
                    .collect();
                calls.join("\n")
            }
            Self::Llama => calls.join("; "),
            Self::Mistral => format!("[TOOL_CALLS] [{}]", calls.join(", ")),
            Self::Fence => format!("```tool_code\n{}\n```", calls.join("\n")),
        }
    }

    /// The result of a call, as the user tells it.
    pub(super) fn result(self, name: &str, result: &str) -> String {
        match self {
            Self::Tags => format!("<tool_response>\n{result}\n</tool_response>"),
            Self::Fence => format!("```tool_output\n{result}\n```"),
            Self::Plain | Self::Llama | Self::Mistral => format!("Result of {name}: {result}"),
        }
    }
}
