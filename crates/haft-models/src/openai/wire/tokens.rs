//! The token counts of a chat completion, as the different servers report them.

use haft_core::Usage;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Token counts of one reply, with all fields that the server sends.
#[derive(Debug)]
pub(crate) struct ReportedTokens {
    tokens: Tokens,
    pub(crate) fields: Map<String, Value>,
}

impl ReportedTokens {
    /// Converts the counts; a missing count is 0.
    pub(super) fn usage(&self) -> Usage {
        self.tokens.usage()
    }
}

impl<'de> Deserialize<'de> for ReportedTokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        let tokens = Tokens::deserialize(&fields).map_err(D::Error::custom)?;
        Ok(Self { tokens, fields })
    }
}

/// Token counts of one reply.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Tokens {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<TokensDetails>,
    /// Cached tokens under the name that DeepSeek uses.
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct TokensDetails {
    cached_tokens: Option<u64>,
}

impl Tokens {
    /// Converts the counts; a missing count is 0.
    pub(super) fn usage(self) -> Usage {
        let details = self.prompt_tokens_details.unwrap_or_default();
        let cached = details.cached_tokens.or(self.prompt_cache_hit_tokens);
        Usage {
            input_tokens: self.prompt_tokens.unwrap_or(0),
            output_tokens: self.completion_tokens.unwrap_or(0),
            cached_input_tokens: cached.unwrap_or(0),
        }
    }
}
