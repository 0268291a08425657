//! The JSON objects of a chat completion, whole and in chunks (OpenAI's API reference, "The chat
//! completion object" and "The chat completion chunk object").

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A chunk of a streamed reply.
#[derive(Serialize)]
pub(super) struct Chunk<'a, D> {
    pub(super) id: &'a str,
    pub(super) object: &'static str,
    pub(super) created: i64,
    pub(super) model: &'a str,
    pub(super) choices: [Choice<'a, D>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) haft: Option<&'a Value>,
    #[serde(flatten)]
    pub(super) more: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
pub(super) struct Choice<'a, D> {
    pub(super) index: u8,
    pub(super) delta: D,
    pub(super) logprobs: Option<&'a Value>,
    pub(super) finish_reason: Option<&'a str>,
    #[serde(flatten)]
    pub(super) more: OtherFields<'a>,
}

/// The delta of a chunk with a call.
#[derive(Serialize)]
pub(super) struct Calls<'a> {
    pub(super) tool_calls: [CallPart<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<&'static str>,
}

/// The delta of a chunk with the only call of a reply, in the older form.
#[derive(Serialize)]
pub(super) struct OneCall<'a> {
    pub(super) function_call: Function<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<&'static str>,
}

/// A part of a call, or the whole call.
#[derive(Serialize)]
pub(super) struct CallPart<'a> {
    pub(super) index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
    pub(super) function: FunctionPart<'a>,
}

#[derive(Serialize)]
pub(super) struct FunctionPart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    pub(super) arguments: &'a str,
}

/// The chunk with the token counts.
#[derive(Serialize)]
pub(super) struct UsageChunk<'a> {
    pub(super) id: &'a str,
    pub(super) object: &'static str,
    pub(super) created: i64,
    pub(super) model: &'a str,
    pub(super) choices: [u8; 0],
    pub(super) usage: TokenCount<'a>,
}

/// A reply in one piece.
#[derive(Serialize)]
pub(super) struct Whole<'a> {
    pub(super) id: &'a str,
    pub(super) object: &'static str,
    pub(super) created: i64,
    pub(super) model: &'a str,
    pub(super) choices: [WholeChoice<'a>; 1],
    pub(super) usage: TokenCount<'a>,
    #[serde(flatten)]
    pub(super) more: &'a Map<String, Value>,
}

#[derive(Serialize)]
pub(super) struct WholeChoice<'a> {
    pub(super) index: u8,
    pub(super) message: WholeMessage<'a>,
    pub(super) logprobs: Option<&'a Value>,
    pub(super) finish_reason: &'static str,
    #[serde(flatten)]
    pub(super) more: OtherFields<'a>,
}

#[derive(Serialize)]
pub(super) struct WholeMessage<'a> {
    pub(super) role: &'static str,
    pub(super) content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_calls: Vec<WholeCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_call: Option<Function<'a>>,
    #[serde(flatten)]
    pub(super) more: &'a Map<String, Value>,
}

#[derive(Serialize)]
pub(super) struct WholeCall<'a> {
    pub(super) id: &'a str,
    pub(super) r#type: &'static str,
    pub(super) function: Function<'a>,
}

#[derive(Serialize)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
}

#[derive(Serialize)]
pub(super) struct TokenCount<'a> {
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    pub(super) total_tokens: u64,
    pub(super) prompt_tokens_details: PromptTokens<'a>,
    #[serde(flatten)]
    pub(super) more: OtherFields<'a>,
}

impl TokenCount<'_> {
    /// The names of its own fields.
    pub(super) const OWN: [&'static str; 4] = [
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_tokens_details",
    ];
}

#[derive(Serialize)]
pub(super) struct PromptTokens<'a> {
    pub(super) cached_tokens: u64,
    #[serde(flatten)]
    pub(super) more: OtherFields<'a>,
}

/// The fields of the model server's object that are not written already.
pub(super) struct OtherFields<'a> {
    fields: Option<&'a Map<String, Value>>,
    written: &'static [&'static str],
}

impl<'a> OtherFields<'a> {
    pub(super) const fn of(
        fields: Option<&'a Map<String, Value>>,
        written: &'static [&'static str],
    ) -> Self {
        Self { fields, written }
    }
}

impl Serialize for OtherFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields.into_iter().flatten();
        serializer.collect_map(fields.filter(|(name, _)| !self.written.contains(&name.as_str())))
    }
}
