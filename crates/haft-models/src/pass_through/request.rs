//! A request that may pass through, as far as the request alone shows.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use haft_core::RequestContext;
use serde_json::value::RawValue;

use crate::borrowed_text::BorrowedText;
use crate::ollama::prompt::Prompt;
use crate::stable_prefix::stable_text;

/// The API that client and server must share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassThroughApi {
    /// OpenAI's chat completions.
    ChatCompletions,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Ollama's `/api/chat`.
    OllamaChat,
}

/// A request that can be answered without interpreting it further.
#[non_exhaustive]
pub struct PassThroughRequest {
    /// The model's name as the client sent it.
    pub model: String,
    /// Whether the reply is streamed.
    pub stream: bool,
    /// What is known about the request beside its content.
    pub context: Option<Arc<RequestContext>>,
    /// The id of the reply that the conversation continues, which its server has stored.
    pub previous_response: Option<String>,
    /// The API of the request.
    pub api: PassThroughApi,
    pub(crate) body: Bytes,
    /// The text of its tools.
    pub(crate) tools: Option<Bytes>,
    /// The messages before the first answer, up to the first one of the user.
    pub(crate) beginning: Vec<Said>,
    /// Whether the token counts at the end of a stream are withheld from the client, which did not
    /// ask for them.
    pub(crate) leaves_out_usage: bool,
    /// The request names the most tokens of the reply.
    pub(crate) is_bounded: bool,
    /// What about the prompt can be held against the server's count.
    pub(crate) prompt: Prompt,
    /// Tokens of prompt and reply together, at most.
    pub(crate) tokens: u64,
}

/// A message of the system or of the user.
pub(crate) struct Said {
    is_system: bool,
    /// The JSON of its content.
    content: Option<Bytes>,
}

impl fmt::Debug for PassThroughRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PassThroughRequest")
            .field("model", &self.model)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

impl PassThroughRequest {
    pub(crate) fn new(api: PassThroughApi, model: &str, body: &Bytes) -> Self {
        Self {
            model: model.to_owned(),
            stream: false,
            context: None,
            previous_response: None,
            api,
            body: body.clone(),
            tools: None,
            beginning: Vec::new(),
            leaves_out_usage: false,
            is_bounded: false,
            prompt: Prompt::default(),
            tokens: 0,
        }
    }

    /// Sets the tools of the request.
    pub(crate) fn with_tools(mut self, tools: Option<&RawValue>) -> Self {
        let text = tools.map(RawValue::get).filter(|text| *text != "[]");
        self.tools = text.map(|text| self.body.slice_ref(text.as_bytes()));
        self
    }

    /// Sets the messages of the request, of which only the beginning of the conversation is kept.
    pub(crate) fn with_messages<'a>(
        mut self,
        messages: impl Iterator<Item = (&'a str, Option<&'a RawValue>)>,
    ) -> Self {
        for (role, content) in messages {
            if !matches!(role, "system" | "user") {
                break;
            }
            let content = content.map(|content| self.body.slice_ref(content.get().as_bytes()));
            let is_system = role == "system";
            self.beginning.push(Said { is_system, content });
            if !is_system {
                break;
            }
        }
        self
    }

    /// Identifies the conversation by its model and its messages before the first answer, which are
    /// the same in each of its requests, without the lines of the system prompt that change with
    /// every request.
    #[must_use]
    pub fn session(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.model.hash(&mut hasher);
        for said in &self.beginning {
            let system = said.content.as_ref().filter(|_| said.is_system);
            let text =
                system.and_then(|text| serde_json::from_slice::<BorrowedText<'_>>(text).ok());
            match text {
                Some(text) => stable_text(&text).hash(&mut hasher),
                None => said.content.hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    /// The body with more fields at its beginning; each must end with a comma.
    pub(crate) fn with_fields(&self, fields: &str) -> Bytes {
        let blank = self.body.iter().take_while(|byte| **byte != b'{').count();
        let (before, after) = self.body.split_at(blank.min(self.body.len()));
        let after = after.get(1..).unwrap_or_default();
        [before, b"{", fields.as_bytes(), after].concat().into()
    }
}

/// Whether all ids are present and different.
pub(crate) fn are_own<'a>(ids: impl Iterator<Item = Option<&'a str>>) -> bool {
    let mut known = HashSet::new();
    for id in ids {
        match id {
            Some(id) if !id.is_empty() && known.insert(id) => {}
            _ => return false,
        }
    }
    true
}

/// Whether the model may decide by itself whether to call a tool.
pub(crate) fn is_free(choice: Option<&RawValue>) -> bool {
    choice.is_none_or(|choice| choice.get() == "\"auto\"")
}
