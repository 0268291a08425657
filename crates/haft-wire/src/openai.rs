//! OpenAI's chat completions (API reference, "Create chat completion"), and what other servers
//! add to them: `passing` skips over most of them, `reply` reads all that a model says.

mod passing;
mod reply;

use haft_core::Usage;
use serde::Deserialize;

pub use self::passing::{Call, Called, Choice, Event, Message, Piece, Request, StreamOptions};
pub use self::reply::{CallPiece, FunctionPiece, Reply, ReplyChoice, ReplyPiece};

/// Tokens of a reply, as servers tell of them.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Tokens {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
    #[serde(default)]
    prompt_tokens_details: Option<TokensDetails>,
    /// Cached tokens as DeepSeek counts them.
    #[serde(default)]
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct TokensDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

impl Tokens {
    fn usage(self) -> Usage {
        let details = self.prompt_tokens_details.unwrap_or_default();
        let cached = details.cached_tokens.or(self.prompt_cache_hit_tokens);
        Usage {
            input_tokens: self.prompt_tokens.unwrap_or(0),
            output_tokens: self.completion_tokens.unwrap_or(0),
            cached_input_tokens: cached.unwrap_or(0),
        }
    }
}
