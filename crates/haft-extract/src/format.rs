//! The names of the formats in which models write calls.

use std::fmt;

use crate::template;

/// A format by name. [`Format::AUTO`] recognises all of them.
///
/// ```
/// use haft_extract::Format;
///
/// assert_eq!(Format::named("qwen3_coder").map(Format::name), Some("qwen3_coder"));
/// assert_eq!(Format::named("Qwen2.5").map(Format::name), Some("hermes"));
/// assert_eq!(Format::named("morse"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format(usize);

/// Every format: its name first, then other names by which servers and people know it. The first
/// is [`Format::AUTO`].
static FORMATS: &[&[&str]] = &[
    &["auto"],
    &["anthropic_xml"],
    &["apertus"],
    &["apriel", "reka"],
    &["bare_json", "json"],
    &["beam"],
    &[
        "cohere",
        "command_r7b",
        "cohere_command3",
        "cohere_command4",
    ],
    &["cohere_r", "command_r"],
    &["deepseek_v3", "deepseek_r1", "cogito"],
    &["deepseek_v31"],
    &["deepseek_v32"],
    &["deepseek_v4"],
    &["deepseek_v41"],
    &["dots"],
    &["ernie45"],
    &["firefunction"],
    &["functionary_v31"],
    &["functionary_v32"],
    &["functiongemma"],
    &["gemma3"],
    &["gemma4"],
    &["gemma_tool_code", "tool_code"],
    &["gigachat3"],
    &["gigachat35"],
    &["glm45", "glm46", "ling3", "spark25"],
    &["glm47", "glm5", "laguna", "poolside_v1"],
    &["granite"],
    &["granite4"],
    &["granite_20b_fc"],
    &["harmony", "gpt_oss", "openai"],
    &["hermes", "qwen", "qwen25", "qwen3", "qwen3_json", "trinity"],
    &["hunyuan_a13b"],
    &["hy_v3", "hy_v4"],
    &["inkling"],
    &["internlm", "internlm2", "internlm3", "intern_s1"],
    &["iquest_q1"],
    &["jamba"],
    &["json_fence"],
    &["k2_horizon"],
    &["kimi_k2", "kimi"],
    &["kimi_k3", "xtml"],
    &["lfm2"],
    &["llama3_json", "llama3", "llama4_json"],
    &["longcat"],
    &["minicpm5"],
    &["minimax_m1"],
    &["minimax_m2"],
    &["minimax_m3"],
    &["mistral"],
    &["mistral_args", "ministral", "devstral"],
    &["muse_atem", "muse", "muse_glimmer", "muse_spark"],
    &["nemotron_v2", "nemotron_deci"],
    &["olmo3"],
    &["phi4"],
    &["phi4mini", "functools"],
    &["plain_call"],
    &["plamo3"],
    &["pythonic", "llama4_pythonic", "llama3_pythonic"],
    &[
        "qwen3_coder",
        "qwen3_xml",
        "nemotron3",
        "mimo",
        "step3p5",
        "step5",
        "nanbeige",
    ],
    &["react"],
    &["sarashina"],
    &["seed_oss"],
    &["step3"],
    &["xlam"],
];

impl Format {
    /// Recognises every format by what is written.
    pub const AUTO: Self = Self(0);

    /// A call such as `f(a=1)`, which counts anywhere in a line when it is expected.
    pub const PLAIN_CALL: Self = Self(55);

    /// The format with this name or alias; case and separators do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let wanted = letters(name);
        let found = FORMATS
            .iter()
            .position(|names| names.iter().any(|name| letters(name) == wanted));
        found.map(Self)
    }

    /// The format that a chat template in Jinja (Hugging Face, llama.cpp) or Go (Ollama) asks the
    /// model for, if its markers show one. The template is not run.
    ///
    /// ```
    /// use haft_extract::Format;
    ///
    /// let template = "{%- for call in calls %}<tool_call>{{ call | tojson }}</tool_call>{% endfor %}";
    /// assert_eq!(Format::from_chat_template(template).map(Format::name), Some("hermes"));
    /// assert_eq!(Format::from_chat_template("<|im_start|>user\n{{ .Prompt }}<|im_end|>"), None);
    /// ```
    #[must_use]
    pub fn from_chat_template(template: &str) -> Option<Self> {
        template::format(template)
    }

    /// Its first name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let names = FORMATS.get(self.0);
        names
            .and_then(|names| names.first())
            .copied()
            .unwrap_or("auto")
    }

    /// All formats, `auto` first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FORMATS.len()).map(Self)
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Format({})", self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests;
