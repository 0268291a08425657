//! How a reply is written, as far as that may differ from request to request.

use serde_json::{Map, Value};

/// Wishes for one reply. What is not set here is as the model was set up, and what is not set
/// there either is left to the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generation {
    /// How freely the model chooses its words, usually from 0 to 2.
    pub temperature: Option<f64>,
    /// The words to choose from: those that together are so probable, from 0 to 1.
    pub top_p: Option<f64>,
    /// The most tokens to write.
    pub max_tokens: Option<u32>,
    /// Texts that end the reply; they are not part of it.
    pub stop: Vec<String>,
    /// The same number gives the same reply, where the server can do that.
    pub seed: Option<i64>,
    /// Whether, and how hard, a reasoning model thinks.
    pub thinking: Option<ThinkingEffort>,
    /// The words to choose from: so many of the most probable.
    pub top_k: Option<i64>,
    /// The words to choose from: those at least so probable beside the most probable, from 0 to 1.
    pub min_p: Option<f64>,
    /// How far words that were used are held back; 1 is not at all.
    pub repeat_penalty: Option<f64>,
    /// How far words that were used at all are held back, from -2 to 2.
    pub presence_penalty: Option<f64>,
    /// How far words are held back the more they were used, from -2 to 2.
    pub frequency_penalty: Option<f64>,
    /// The least room for prompt and reply, in tokens, where the server lets its clients choose.
    pub context_tokens: Option<u32>,
    /// How long a local server keeps the model loaded: text such as `10m`, or a number of seconds.
    pub keep_alive: Option<Value>,
    /// Further `options` of Ollama's engine (`mirostat`, `num_gpu`), sent to Ollama only.
    pub ollama_options: Map<String, Value>,
    /// Further fields of a chat completion (`logit_bias`, `chat_template_kwargs`), sent only to
    /// servers of that API.
    pub openai_fields: Map<String, Value>,
}

/// How hard a model thinks before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkingEffort {
    /// Not at all.
    Off,
    /// As hard as the server finds right.
    On,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
}

impl ThinkingEffort {
    /// The word for a degree, as OpenAI's `reasoning_effort` and Ollama's `think` have it; none
    /// for [`Off`](Self::Off) and [`On`](Self::On).
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Off | Self::On => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }

    /// The degree of this word. Words for less than `low` are that, those for more than `high`
    /// that.
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
