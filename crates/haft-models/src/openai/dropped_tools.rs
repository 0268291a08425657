//! Notices servers that drop the tools of a request without a word.
//!
//! llama.cpp's server does so if the model's chat template has no tools: status 200, and the model
//! never sees them (`ggml-org/llama.cpp` issue 27129). So a server on this machine or in a private
//! network is asked before the first request with tools (`facts.rs`). A service on the internet is
//! not asked: it would only cost time.
//!
//! If the server tells nothing, its count of the prompt's tokens may: it cannot be smaller than
//! the tools. Some servers do not count tokens that they took from their cache (Ollama before pull
//! request 16428 did not), so that a small count alone proves nothing. Then a request with one
//! random tool, which no cache holds, decides.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use haft_core::{AiMessage, CallOptions, ChatChunk, Message, ModelError, ModelErrorKind, Usage};
use serde_json::json;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use tracing::debug;

use super::ChatOpenAi;
use super::facts::{Facts, NO_TOOLS_IN_TEMPLATE};
use super::wire;
use crate::description::ToolSupport;
use crate::http::{Framing, Request, body_of, endpoint, is_near};
use crate::ollama::prompt::{LIKELY_CHARACTERS_PER_TOKEN, MAX_CHARACTERS_PER_TOKEN, characters};
use crate::tool_mode::{ToolMode, ToolProtocol};

/// The `Server` header of llama.cpp (`ggml-org/llama.cpp: tools/server/server-http.cpp`).
const LLAMA_CPP: &str = "llama.cpp";

/// How long a server may take to tell about a model before the first question. A local one takes
/// milliseconds.
const ASKING: Duration = Duration::from_secs(1);

/// How much text of a first reply is held back until its end tells whether the model saw the tools,
/// in bytes: a longer one streams on. A gateway holds nothing of a stream back; there the next
/// question is the first one with the tools as text.
const HELD_BACK: usize = 1000;

/// Smaller counts are none of a whole prompt: what chat templates write around one message takes
/// about as many.
const FEWEST: u64 = 10;

/// How many tokens must be missing: few of them may be a matter of counting.
const MARGIN: u64 = 16;

/// The characters of the random tool's description, some 400 tokens.
const RANDOM_CHARACTERS: usize = 800;

/// What a server was asked about a model.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Before the first request with tools.
    before: OnceCell<()>,
    /// For the chat template, which may have to wait until the server has loaded the model.
    template: OnceCell<()>,
    /// Whether nothing more is to be found out from replies.
    is_settled: AtomicBool,
}

impl ChatOpenAi {
    /// The protocol of a request with these options. The server is asked once what it does with
    /// tools.
    pub(super) async fn protocol(&self, options: &CallOptions) -> ToolProtocol {
        if !self.offered_tools(options).is_empty() {
            self.learn_before().await;
        }
        self.route.protocol()
    }

    /// Asks a near server about the model, once, before the first request with tools.
    pub(super) async fn learn_before(&self) {
        if self.route.mode != ToolMode::Auto || !self.is_near() || self.asked.before.initialized() {
            return;
        }
        // On the heap, as it is asked once and every request would carry its state.
        let ask = || async {
            let asking = timeout(ASKING, Box::pin(self.facts(&self.transport)));
            match asking.await {
                Ok(facts) => self.learn(&facts),
                Err(_) => debug!(
                    model = self.id,
                    "the server did not describe the model in time"
                ),
            }
        };
        self.asked.before.get_or_init(ask).await;
    }

    /// Asks llama.cpp, once, after the first reply to a request with tools: it may have loaded the
    /// model only for that.
    pub(super) async fn learn_after(&self, server: &str) {
        let is_wanted = self.route.mode != ToolMode::Native
            && !self.bound.tools.tools.is_empty()
            && !self.asked.template.initialized();
        if !is_wanted || server != LLAMA_CPP {
            return;
        }
        let ask = || async {
            match Box::pin(self.properties(&self.transport)).await {
                Ok(facts) => self.learn(&facts),
                Err(error) => debug!(model = self.id, %error, "no chat template"),
            }
        };
        self.asked.template.get_or_init(ask).await;
    }

    fn learn(&self, facts: &Facts) {
        if let Some(template) = &facts.template {
            self.route.hint.learn(&self.id, template);
            // Fails while `learn_after` sets it, which is as good.
            let _ = self.asked.template.set(());
        }
        match facts.tools {
            ToolSupport::Supported => self.asked.is_settled.store(true, Ordering::Relaxed),
            ToolSupport::Missing => self.route.learn_text(&self.id, NO_TOOLS_IN_TEMPLATE),
            ToolSupport::Unknown => {}
        }
    }

    /// Whether the reply to a native request may show that the server drops tools.
    pub(super) fn is_doubtful(&self, options: &CallOptions) -> bool {
        self.route.mode == ToolMode::Auto
            && !self.asked.is_settled.load(Ordering::Relaxed)
            && self.is_near()
            && !self.offered_tools(options).is_empty()
    }

    /// Whether the server dropped the tools of a request, judged by its reply. That is remembered,
    /// and settles the question.
    pub(super) async fn dropped_tools(
        &self,
        messages: &[Message],
        options: &CallOptions,
        reply: &AiMessage,
    ) -> bool {
        self.asked.is_settled.store(true, Ordering::Relaxed);
        let Some(usage) = reply.usage.filter(|_| !reply.has_calls()) else {
            return false;
        };
        let counted = usage.input_tokens.saturating_add(usage.cached_input_tokens);
        if !self.is_too_few(counted, messages, options)
            || !Box::pin(self.drops_a_random_tool()).await
        {
            return false;
        }
        let reason =
            format!("the server drops tools: it counted {counted} tokens, fewer than they have");
        self.route.learn_text(&self.id, &reason);
        true
    }

    /// Whether a prompt of so many tokens hardly has room for the tools beside the messages. A count
    /// that cannot hold the messages either is no count of the prompt.
    fn is_too_few(&self, counted: u64, messages: &[Message], options: &CallOptions) -> bool {
        let tools = self.bound.tools.offered(&options.tool_choice);
        let tools = tools
            .iter()
            .map(|tool| characters(tool.name()) + characters(tool.description()));
        let messages = messages
            .iter()
            .map(|message| characters(&message.content().text()));
        let (tools, messages): (u64, u64) = (tools.sum(), messages.sum());
        let likely = (tools + messages) / LIKELY_CHARACTERS_PER_TOKEN;
        let is_count = counted >= FEWEST && counted >= messages / MAX_CHARACTERS_PER_TOKEN;
        is_count && counted.saturating_add(MARGIN) < likely
    }

    /// Asks for one token with a tool that no cache holds, and whether the server counted it.
    async fn drops_a_random_tool(&self) -> bool {
        match self.counted_with_random_tool().await {
            Ok(counted) => {
                let fewest = RANDOM_CHARACTERS as u64 / LIKELY_CHARACTERS_PER_TOKEN;
                (1..fewest).contains(&counted)
            }
            Err(error) => {
                debug!(model = self.id, %error, "cannot check whether the server drops tools");
                false
            }
        }
    }

    async fn counted_with_random_tool(&self) -> Result<u64, ModelError> {
        let random = |length| -> String {
            std::iter::repeat_with(fastrand::alphanumeric)
                .take(length)
                .collect()
        };
        let body = json!({
            "model": self.model,
            "max_tokens": 1,
            // Some chat templates write a long system message of their own if there is none.
            "messages": [
                {"role": "system", "content": "Answer."}, {"role": "user", "content": "Hi"},
            ],
            "tools": [{"type": "function", "function": {
                "name": format!("t{}", random(8)),
                "description": random(RANDOM_CHARACTERS),
                "parameters": {"type": "object", "properties": {}},
            }}],
        });
        let url = endpoint(&self.base_url, "chat/completions")?;
        let request = Request::post(self.api(), url, body_of(&body)?, Framing::Whole);
        let request = self.authorized(request);
        let reply: wire::Reply = self.transport.fetch_as(&request).await?;
        let usage: Usage = reply.usage().unwrap_or_default();
        Ok(usage.input_tokens.saturating_add(usage.cached_input_tokens))
    }

    pub(super) fn is_near(&self) -> bool {
        endpoint(&self.base_url, "").is_ok_and(|url| is_near(&url))
    }
}

/// The error for a request whose tools were dropped; it makes the same question go out again, with
/// the tools in the prompt.
pub(super) fn dropped() -> ModelError {
    ModelError::new(
        ModelErrorKind::ToolsUnsupported,
        "The model server drops the tools of a request",
    )
    .with_detail(NO_TOOLS_IN_TEMPLATE)
}

/// The beginning of a reply that the model may have written without seeing the tools.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    chunks: Vec<ChatChunk>,
    bytes: usize,
}

impl HeldBack {
    /// Keeps a chunk; gives it back if it must not be held back any longer: a call is none of a
    /// model that sees no tools, and a long text shall stream.
    pub(super) fn keep(&mut self, chunk: ChatChunk) -> Option<ChatChunk> {
        match &chunk {
            ChatChunk::Text(text) | ChatChunk::Reasoning(text) => self.bytes += text.len(),
            ChatChunk::ServerFields(_) => {}
            _ => return Some(chunk),
        }
        if self.bytes > HELD_BACK {
            return Some(chunk);
        }
        self.chunks.push(chunk);
        None
    }

    /// The chunks that were kept.
    pub(super) fn into_chunks(self) -> Vec<ChatChunk> {
        self.chunks
    }
}

#[cfg(test)]
mod tests;
