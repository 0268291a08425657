//! The spans of an agent's run in traces: the run and each request to the model, with
//! OpenTelemetry's names for generative AI. None has content of the conversation.

use std::fmt;

use haft_core::{AiMessage, Answer, ModelError, TRACES};
use tracing::{Span, field};

use crate::error::AgentError;

/// Providers with a name in model ids such as `ollama:qwen3`.
const PROVIDERS: [&str; 3] = ["anthropic", "ollama", "openai"];

/// The provider in a model's id. A model that haft itself runs or pools has none.
fn provider(model: &str) -> &str {
    let prefix = model.split_once(':').map(|(provider, _)| provider);
    prefix
        .filter(|provider| PROVIDERS.contains(provider))
        .unwrap_or("haft")
}

/// The span of a run with this model.
pub(crate) fn invoke_agent(model: &str) -> Span {
    tracing::info_span!(
        target: TRACES,
        "invoke_agent",
        otel.name = "invoke_agent haft",
        otel.status_code = field::Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = "haft",
        gen_ai.provider.name = provider(model),
        gen_ai.request.model = model,
        error.type = field::Empty,
    )
}

/// Records how a run ended.
pub(crate) fn end_run(span: &Span, answer: &Result<Answer, AgentError>) {
    if let Err(error) = answer {
        record_error(span, &error.kind());
    }
}

/// The span of a request to this model.
pub(crate) fn chat(model: &str) -> Span {
    tracing::info_span!(
        target: TRACES,
        "chat",
        otel.name = format_args!("chat {model}"),
        otel.kind = "client",
        otel.status_code = field::Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider(model),
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = field::Empty,
        gen_ai.usage.output_tokens = field::Empty,
        error.type = field::Empty,
    )
}

/// Records the reply of the model.
pub(crate) fn end_chat(span: &Span, reply: &Result<AiMessage, ModelError>) {
    match reply {
        Ok(reply) => {
            if let Some(usage) = reply.usage {
                // Attributes of OpenTelemetry have no unsigned numbers.
                span.record(
                    "gen_ai.usage.input_tokens",
                    usage.input_tokens.cast_signed(),
                );
                span.record(
                    "gen_ai.usage.output_tokens",
                    usage.output_tokens.cast_signed(),
                );
            }
        }
        Err(error) => record_error(span, &error.kind()),
    }
}

fn record_error(span: &Span, kind: &dyn fmt::Debug) {
    span.record("error.type", field::debug(kind));
    span.record("otel.status_code", "ERROR");
}
