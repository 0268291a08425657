//! Builds the request without its messages: the settings of the model and the wishes of the caller.

use std::sync::Arc;

use haft_core::{CallOptions, ClientApi, ThinkingEffort, ToolChoice};
use serde_json::Value;

use super::wire::{self, ChatRequest, NamedSchema, ResponseFormat, Stop, StreamOptions};
use super::{ChatOpenAi, OPENAI};
use crate::document::{allows_one_call, user_of};
use crate::max_tokens::{DEFAULT_MAX_TOKENS, max_tokens_factor};
use crate::wire_tools::WireTools;

impl ChatOpenAi {
    /// The request without its messages.
    pub(super) fn own_request(
        &self,
        tools: WireTools<wire::Tool>,
        options: &CallOptions,
    ) -> ChatRequest {
        let demanded = matches!(
            options.tool_choice,
            ToolChoice::Required | ToolChoice::Tool(_)
        );
        let wished = &options.generation;
        let field = |name| wished.openai_fields.get(name).cloned();
        let has_tools = !tools.is_empty();
        let max_tokens = match wished.max_tokens.or(self.max_tokens) {
            None if options.raise_max_tokens => Some(DEFAULT_MAX_TOKENS),
            tokens => tokens.map(|tokens| tokens.saturating_mul(max_tokens_factor(options))),
        };
        let streaming = self.streaming && !options.in_one_piece;
        // OpenAI's newer models accept only the new name, other servers often only the old one.
        let is_openai = self.base_url.starts_with(OPENAI);
        let one_call = has_tools && allows_one_call(options);
        ChatRequest {
            model: self.model.clone(),
            messages: Vec::new(),
            tool_choice: (demanded && !tools.is_empty())
                .then(|| wire::ToolChoice::Mode("required".to_owned())),
            tools,
            temperature: wished.temperature.or(self.temperature),
            top_p: wished.top_p,
            seed: wished.seed,
            stop: (!wished.stop.is_empty()).then(|| Stop::Several(wished.stop.clone())),
            reasoning_effort: wished.thinking.and_then(effort),
            max_tokens: max_tokens.filter(|_| !is_openai),
            max_completion_tokens: max_tokens.filter(|_| is_openai),
            response_format: options.response_schema.as_ref().map(|schema| {
                ResponseFormat::JsonSchema {
                    json_schema: NamedSchema {
                        name: "reply".to_owned(),
                        schema: Arc::clone(schema),
                        strict: Some(false),
                    },
                }
            }),
            stream: streaming,
            stream_options: streaming.then_some(StreamOptions {
                include_usage: true,
            }),
            presence_penalty: wished.presence_penalty,
            frequency_penalty: wished.frequency_penalty,
            top_k: wished.top_k.filter(|_| !is_openai),
            min_p: wished.min_p.filter(|_| !is_openai),
            repeat_penalty: wished.repeat_penalty.filter(|_| !is_openai),
            repetition_penalty: wished.repeat_penalty.filter(|_| !is_openai),
            n: None,
            parallel_tool_calls: one_call
                .then(|| Value::Bool(false))
                .or_else(|| field("parallel_tool_calls").filter(|_| has_tools)),
            logit_bias: field("logit_bias"),
            chat_template_kwargs: field("chat_template_kwargs"),
            user: field("user").or_else(|| user_of(options, ClientApi::Anthropic).map(Value::from)),
            service_tier: field("service_tier"),
            prompt_cache_key: field("prompt_cache_key"),
            verbosity: field("verbosity"),
        }
    }
}

/// The effort as OpenAI names it; `None` to let the server decide.
fn effort(thinking: ThinkingEffort) -> Option<String> {
    let word = match thinking {
        ThinkingEffort::Off => Some("none"),
        effort => effort.word(),
    };
    word.map(str::to_owned)
}
