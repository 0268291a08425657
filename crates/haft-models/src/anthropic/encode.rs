//! Encodes a conversation as a request body. This is a pure function: equal conversations give
//! equal bytes, and a longer conversation begins with the bytes of a shorter one, so prompt caches
//! work.
//!
//! `encode/turns.rs` encodes the messages.

use bytes::Bytes;
use haft_core::{CallOptions, ClientApi, Message, ModelError, ThinkingEffort, ToolChoice};
use serde_json::json;

use super::document::Edit;
use super::wire::{self, AnthropicTool};
use super::{Settings, schema};
use crate::bound::BoundTools;
use crate::document::{allows_one_call, document_for, user_of};
use crate::http::body_of;
use crate::max_tokens::{client_limit, max_tokens_factor};
use crate::offered::offered;
use crate::server_kind::ServerKind;
use crate::template_tokens::harmless_messages;

mod merged;
pub(super) mod turns;

/// The bound tools in wire format.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    pub(super) tools: BoundTools,
    pub(super) wire: Vec<AnthropicTool>,
}

/// Encodes the request for the next reply.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] if the request cannot be serialized.
pub(super) fn body(
    settings: &Settings,
    bound: &Bound,
    messages: &[Message],
    options: &CallOptions,
) -> Result<Bytes, ModelError> {
    let messages = &*harmless_messages(messages);
    let (tools, tool_choice) = match tools(bound, &options.tool_choice) {
        (tools, _) if tools.is_empty() && settings.define_tools => forbidden(bound, messages),
        offered => offered,
    };
    let has_tools = !tools.is_empty();
    // The API refuses a demanded call together with thinking. It also refuses thinking if the
    // current turn began without it.
    let demanded = matches!(
        options.tool_choice,
        ToolChoice::Required | ToolChoice::Tool(_)
    );
    let wished = &options.generation;
    let budget = match wished.thinking {
        Some(effort) => budget(effort),
        None => settings.thinking,
    };
    let budget =
        budget.filter(|_| !demanded && !options.without_thinking && turns::may_think(messages));
    let limit = client_limit(options);
    let budget = match limit {
        Some(limit) => budget.and_then(|budget| within(budget, limit)),
        None => budget,
    };
    let most = wished.max_tokens.unwrap_or(settings.max_tokens);
    let answer = u64::from(most).saturating_mul(max_tokens_factor(options).into());
    let document = document_for(options, ServerKind::Anthropic);
    let one_call = allows_one_call(options).then_some(true);
    let request = wire::Request {
        thread: None,
        metadata: user_of(options, ClientApi::OpenAi).map(|user| json!({"user_id": user})),
        model: settings.model.clone(),
        // The limit of a client includes its reasoning.
        max_tokens: match budget {
            Some(budget) if limit.is_none() => answer.saturating_add(budget.into()),
            _ => answer,
        },
        system: turns::system(messages).map(wire::Text::Plain),
        tools,
        tool_choice: tool_choice
            .or_else(|| alone(one_call, has_tools))
            .map(|choice| choice.with_one_call(one_call)),
        temperature: (wished.temperature)
            .or(settings.temperature)
            .filter(|_| budget.is_none()),
        top_p: wished.top_p.filter(|_| budget.is_none()),
        top_k: wished.top_k.filter(|_| budget.is_none()),
        thinking: budget.map(|budget| wire::Thinking::Enabled {
            budget_tokens: budget.into(),
        }),
        output_config: options
            .response_schema
            .as_ref()
            .map(|schema| wire::OutputConfig {
                format: Some(wire::OutputFormat::JsonSchema {
                    schema: schema::strict(schema),
                }),
                effort: None,
            }),
        stop_sequences: (!wished.stop.is_empty()).then(|| wished.stop.clone()),
        stream: (settings.streaming && !options.in_one_piece).then_some(true),
        messages: match document {
            Some(_) => Vec::new(),
            None => turns::turns(messages, &bound.tools.names, !demanded),
        },
    };
    match document {
        Some(document) => Edit {
            document,
            options,
            names: &bound.tools.names,
            conversation: messages,
            thoughts: !demanded,
        }
        .of(&request),
        None => body_of(&request),
    }
}

/// The budget within the client's limit on all tokens, of which half is left for the answer.
fn within(budget: u32, limit: u32) -> Option<u32> {
    let budget = budget.min((limit / 2).max(MIN_BUDGET));
    (budget < limit).then_some(budget)
}

/// The tool choice that only says that one call is allowed.
fn alone(one_call: Option<bool>, has_tools: bool) -> Option<wire::ToolChoice> {
    let auto = wire::ToolChoice::Auto {
        disable_parallel_tool_use: None,
    };
    one_call.filter(|_| has_tools).map(|_| auto)
}

/// The smallest thinking budget that the API accepts.
const MIN_BUDGET: u32 = 1024;

/// The thinking budget in tokens.
fn budget(effort: ThinkingEffort) -> Option<u32> {
    match effort {
        ThinkingEffort::Off => None,
        ThinkingEffort::Low => Some(MIN_BUDGET),
        ThinkingEffort::On | ThinkingEffort::Medium => Some(4096),
        ThinkingEffort::High => Some(16_384),
    }
}

/// The tools to offer and the tool choice.
fn tools(bound: &Bound, choice: &ToolChoice) -> (Vec<AnthropicTool>, Option<wire::ToolChoice>) {
    let positions = offered(&bound.tools.tools, choice);
    let chosen: Vec<_> = positions
        .iter()
        .filter_map(|&position| bound.wire.get(position).cloned())
        .collect();
    let choice = match choice {
        ToolChoice::Required => Some(wire::ToolChoice::Any {
            disable_parallel_tool_use: None,
        }),
        ToolChoice::Tool(_) => chosen.first().map(|tool| wire::ToolChoice::Tool {
            name: tool.name.clone(),
            disable_parallel_tool_use: None,
        }),
        ToolChoice::Auto | ToolChoice::OneOrNone | ToolChoice::None => None,
    };
    (chosen, choice)
}

/// The tools of a request that allows no call: none, unless the conversation contains calls.
/// Anthropic accepts such a conversation only together with tools, so they are sent with a tool
/// choice of "none".
fn forbidden(
    bound: &Bound,
    messages: &[Message],
) -> (Vec<AnthropicTool>, Option<wire::ToolChoice>) {
    let calls = turns::called(messages, &bound.tools.names);
    if calls.is_empty() {
        return (Vec::new(), None);
    }
    let tools = if bound.wire.is_empty() {
        let stub = |name| AnthropicTool {
            kind: None,
            name,
            description: None,
            input_schema: Some(json!({"type": "object"})),
        };
        calls.into_iter().map(stub).collect()
    } else {
        bound.wire.clone()
    };
    (tools, Some(wire::ToolChoice::None {}))
}

#[cfg(test)]
mod tests;
