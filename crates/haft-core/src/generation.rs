//! Sampling parameters and limits of a reply.

use serde_json::{Map, Value};

/// Sampling parameters and limits of one reply. A field that is `None` or empty falls back to the
/// model's settings, then to the server's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generation {
    /// The sampling temperature, usually from 0 to 2.
    pub temperature: Option<f64>,
    /// Nucleus sampling: the cumulative probability to sample from, from 0 to 1.
    pub top_p: Option<f64>,
    /// The maximum number of tokens of the reply.
    pub max_tokens: Option<u32>,
    /// Texts that end the reply and are not part of it.
    pub stop: Vec<String>,
    /// The random seed, for reproducible replies if the server supports that.
    pub seed: Option<i64>,
    /// The effort of a reasoning model.
    pub thinking: Option<ThinkingEffort>,
    /// The number of most probable tokens to sample from.
    pub top_k: Option<i64>,
    /// The minimum probability of a token, relative to the most probable one, from 0 to 1.
    pub min_p: Option<f64>,
    /// The penalty of repeated tokens as a factor; 1 is no penalty.
    pub repeat_penalty: Option<f64>,
    /// The penalty of tokens that were used at all, from -2 to 2.
    pub presence_penalty: Option<f64>,
    /// The penalty of tokens by how often they were used, from -2 to 2.
    pub frequency_penalty: Option<f64>,
    /// The minimum context size in tokens, prompt and reply together, if the server lets clients
    /// choose it.
    pub context_tokens: Option<u32>,
    /// The time a local server keeps the model loaded: text such as `10m`, or seconds.
    pub keep_alive: Option<Value>,
    /// Further `options` of Ollama's engine (`mirostat`, `num_gpu`), sent to Ollama only.
    pub ollama_options: Map<String, Value>,
    /// Further fields of a chat completion (`logit_bias`, `chat_template_kwargs`), sent to
    /// OpenAI-compatible servers only.
    pub openai_fields: Map<String, Value>,
}

/// The effort of a reasoning model before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkingEffort {
    /// No reasoning.
    Off,
    /// The server's default effort.
    On,
    /// Low effort.
    Low,
    /// Medium effort.
    Medium,
    /// High effort.
    High,
}

impl ThinkingEffort {
    /// The value of OpenAI's `reasoning_effort` and Ollama's `think`; `None` for
    /// [`Off`](Self::Off) and [`On`](Self::On).
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Off | Self::On => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }

    /// Parses a value of `reasoning_effort`; values below `low` become `Low`, those above `high`
    /// become `High`.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "none" => Some(Self::Off),
            "minimal" | "low" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" | "xhigh" | "max" => Some(Self::High),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_degrees_are_the_same_thing() {
        for effort in [
            ThinkingEffort::Low,
            ThinkingEffort::Medium,
            ThinkingEffort::High,
        ] {
            assert_eq!(effort.word().and_then(ThinkingEffort::named), Some(effort));
        }
        assert_eq!(ThinkingEffort::named("none"), Some(ThinkingEffort::Off));
        assert_eq!(ThinkingEffort::named("minimal"), Some(ThinkingEffort::Low));
        assert_eq!(ThinkingEffort::named("very"), None);
    }
}
