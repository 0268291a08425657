//! The names of the formats in which models write calls.

use std::fmt;

use crate::template;

/// Makes the formats of a table: its variant, its name, and other names by which servers and
/// people know it.
macro_rules! formats {
    ($($variant:ident: $name:literal $(| $other:literal)*;)+) => {
        /// A format by name. [`Format::Auto`] recognises all of them.
        ///
        /// ```
        /// use haft_extract::Format;
        ///
        /// assert_eq!(Format::named("qwen3_coder"), Some(Format::Qwen3Coder));
        /// assert_eq!(Format::named("Qwen2.5"), Some(Format::Hermes));
        /// assert_eq!(Format::named("morse"), None);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Format {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        const ALL: &[Format] = &[$(Format::$variant),+];

        impl Format {
            /// Its name, then other names by which servers and people know it.
            #[must_use]
            pub const fn names(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$name $(, $other)*],)+
                }
            }
        }
    };
}

formats! {
    Auto: "auto";
    AnthropicXml: "anthropic_xml";
    Apertus: "apertus";
    Apriel: "apriel" | "reka";
    BareJson: "bare_json" | "json";
    Beam: "beam";
    Cohere: "cohere" | "command_r7b" | "cohere_command3" | "cohere_command4";
    CohereR: "cohere_r" | "command_r";
    DeepseekV3: "deepseek_v3" | "deepseek_r1" | "cogito";
    DeepseekV31: "deepseek_v31";
    DeepseekV32: "deepseek_v32";
    DeepseekV4: "deepseek_v4";
    DeepseekV41: "deepseek_v41";
    Dots: "dots";
    Ernie45: "ernie45";
    Firefunction: "firefunction";
    FunctionaryV31: "functionary_v31";
    FunctionaryV32: "functionary_v32";
    Functiongemma: "functiongemma";
    Gemma3: "gemma3";
    Gemma4: "gemma4";
    GemmaToolCode: "gemma_tool_code" | "tool_code";
    Gigachat3: "gigachat3";
    Gigachat35: "gigachat35";
    Glm45: "glm45" | "glm46" | "ling3" | "spark25";
    Glm47: "glm47" | "glm5" | "laguna" | "poolside_v1";
    Granite: "granite";
    Granite4: "granite4";
    Granite20bFc: "granite_20b_fc";
    Harmony: "harmony" | "gpt_oss" | "openai";
    Hermes: "hermes" | "qwen" | "qwen25" | "qwen3" | "qwen3_json" | "trinity";
    HunyuanA13b: "hunyuan_a13b";
    HyV3: "hy_v3" | "hy_v4";
    Inkling: "inkling";
    Internlm: "internlm" | "internlm2" | "internlm3" | "intern_s1";
    IquestQ1: "iquest_q1";
    Jamba: "jamba";
    JsonFence: "json_fence";
    K2Horizon: "k2_horizon";
    KimiK2: "kimi_k2" | "kimi";
    KimiK3: "kimi_k3" | "xtml";
    Lfm2: "lfm2";
    Llama3Json: "llama3_json" | "llama3" | "llama4_json";
    Longcat: "longcat";
    Minicpm5: "minicpm5";
    MinimaxM1: "minimax_m1";
    MinimaxM2: "minimax_m2";
    MinimaxM3: "minimax_m3";
    Mistral: "mistral";
    MistralArgs: "mistral_args" | "ministral" | "devstral";
    MuseAtem: "muse_atem" | "muse" | "muse_glimmer" | "muse_spark";
    NemotronV2: "nemotron_v2" | "nemotron_deci";
    Olmo3: "olmo3";
    Phi4: "phi4";
    Phi4mini: "phi4mini" | "functools";
    PlainCall: "plain_call";
    Plamo3: "plamo3";
    Pythonic: "pythonic" | "llama4_pythonic" | "llama3_pythonic";
    Qwen3Coder: "qwen3_coder" | "qwen3_xml" | "nemotron3" | "mimo" | "step3p5" | "step5" | "nanbeige";
    React: "react";
    Sarashina: "sarashina";
    SeedOss: "seed_oss";
    Step3: "step3";
    Xlam: "xlam";
}

impl Format {
    /// The format of that name: ours, or another by which a server or its users know it. Case and
    /// punctuation do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let wanted = letters(name);
        let is_meant = |format: &Self| format.names().iter().any(|name| letters(name) == wanted);
        Self::all().find(is_meant)
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
        self.names().first().copied().unwrap_or("auto")
    }

    /// All formats, `auto` first.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().copied()
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
