//! Enforces a required tool call, even if the server does not.
//!
//! Servers differ: some ignore `tool_choice`, some treat a named choice as "auto", and none
//! guarantees a call before the token limit. So a provider offers only the allowed tools (see
//! [`offered`](crate::offered::offered)), and [`enforced`] checks the reply before it is shown. A reply without a matching
//! call is replaced by another one that must match a JSON Schema of the call. `decide.rs` requests
//! one call or none with the same schema.

pub(crate) mod decide;

use std::fmt::Write as _;
use std::sync::Arc;

use futures_util::TryStreamExt;
use haft_core::{
    AiMessage, CallOptions, ChatChunk, ChatStream, Content, Message, ModelError, ModelErrorKind,
    QuotedCall, StopReason, Tool, ToolCall, ToolChoice, collect, generate,
};
use haft_extract::ToolSet;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::warn;

use crate::bound::BoundTools;
use crate::emit::{emit_all, emit_notices};
use crate::offered::{name_of, offered};
use crate::ollama::schema::for_ollama;
use crate::quoted::Quotations;
use crate::reply::mint_id;
use crate::template_tokens::{without_template_tokens, without_tokens_in};

/// The request for a call as JSON.
const REQUEST: &str = "Reply with one JSON object {\"name\": ..., \"arguments\": {...}} that calls \
    the fitting tool.";

/// The reply that `ask` streams, with the tool choice in `options` enforced.
///
/// If no call is required, the stream is returned unchanged. Otherwise it is held back until it is
/// complete and checked; without a matching call, `ask` is called once more, without tools and with
/// a response schema.
pub(crate) fn enforced<F>(
    tools: &[Arc<dyn Tool>],
    messages: &[Message],
    options: &CallOptions,
    ask: F,
) -> ChatStream
where
    F: Fn(&[Message], &CallOptions) -> ChatStream + Send + Sync + 'static,
{
    match options.tool_choice {
        ToolChoice::Auto | ToolChoice::None => return ask(messages, options),
        ToolChoice::OneOrNone => return decide::decided(tools, messages, options, ask),
        ToolChoice::Required | ToolChoice::Tool(_) => {}
    }
    let demand = Demand {
        tools: offered(tools, &options.tool_choice)
            .into_iter()
            .filter_map(|position| tools.get(position).cloned())
            .collect(),
        messages: messages.to_vec(),
        options: options.clone(),
    };
    generate(|emitter| async move {
        demand.check_tools()?;
        let chunks: Vec<ChatChunk> =
            match ask(&demand.messages, &demand.options).try_collect().await {
                Ok(chunks) => chunks,
                Err(error) if refuses_choice(&error) => Vec::new(),
                Err(error) => return Err(error),
            };
        let reply = match chunks.last() {
            Some(ChatChunk::Done(reply)) => Some(reply.clone()),
            _ => None,
        };
        let chunks = match reply {
            Some(reply) if demand.is_met_by(&reply) => chunks,
            reply => {
                warn!("the model called no fitting tool; it is asked for the call as JSON");
                emit_notices(&emitter, chunks).await;
                demand.constrained(reply, ask).await?
            }
        };
        emit_all(&emitter, chunks).await;
        Ok(())
    })
}

/// Whether the server refused the tool choice itself, as some do in certain modes.
fn refuses_choice(error: &ModelError) -> bool {
    error.kind() == ModelErrorKind::BadRequest && error.detail().contains("tool_choice")
}

/// A required call.
struct Demand {
    /// The tools of which one must be called.
    tools: Vec<Arc<dyn Tool>>,
    /// The conversation.
    messages: Vec<Message>,
    /// The options of the first request, with the choice.
    options: CallOptions,
}

/// A call in a reply that matches the schema.
#[derive(Deserialize)]
struct SpelledCall {
    name: String,
    arguments: Value,
}

impl Demand {
    fn check_tools(&self) -> Result<(), ModelError> {
        if !self.tools.is_empty() {
            return Ok(());
        }
        let message = match &self.options.tool_choice {
            ToolChoice::Tool(name) => {
                format!("A call of \"{name}\" is demanded, but no such tool is bound")
            }
            _ => "A tool call is demanded, but no tool is bound".to_owned(),
        };
        Err(ModelError::new(ModelErrorKind::Configuration, message)
            .with_hint("bind the tool, or do not demand a call"))
    }

    fn fits(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| name == name_of(tool))
    }

    /// Whether the reply has the required call: for a named tool only calls of it, otherwise at
    /// least one call of an offered tool.
    fn is_met_by(&self, reply: &AiMessage) -> bool {
        let mut fit = reply.tool_calls.iter().map(|call| self.fits(&call.name));
        match self.options.tool_choice {
            ToolChoice::Tool(_) => !reply.tool_calls.is_empty() && fit.all(|fits| fits),
            _ => fit.any(|fits| fits),
        }
    }

    /// Requests the call as JSON. `first` is the reply without it, whose tokens are added. Limits
    /// and the client's document hold for this request too.
    async fn constrained<F>(
        &self,
        first: Option<AiMessage>,
        ask: F,
    ) -> Result<Vec<ChatChunk>, ModelError>
    where
        F: Fn(&[Message], &CallOptions) -> ChatStream,
    {
        let options = CallOptions {
            tool_choice: ToolChoice::None,
            response_schema: Some(Arc::new(any_of(spelled(&self.tools)))),
            ..self.options.clone()
        };
        let request = taught(&self.messages, REQUEST, &self.tools);
        let mut reply = collect(ask(&request, &options)).await?;
        let text = reply.content.text();
        let Some(call) = self.read(&text) else {
            return Err(self.ignored(&text));
        };
        if let Some(quoted) = quoted(&call, &self.tools, &self.messages, &options) {
            return Err(self.ignored(&format!("{quoted}, which stands in {}", quoted.source)));
        }
        if let (Some(sum), Some(first)) = (&mut reply.usage, first.and_then(|first| first.usage)) {
            *sum += first;
        }
        Ok(calling(reply, call))
    }

    fn read(&self, text: &str) -> Option<ToolCall> {
        read_spelled(text).filter(|call| self.fits(&call.name))
    }

    fn ignored(&self, text: &str) -> ModelError {
        let message = match &self.options.tool_choice {
            ToolChoice::Tool(name) => format!("The model did not call \"{name}\" as demanded"),
            _ => "The model called no tool although it had to".to_owned(),
        };
        let shown: String = text.chars().take(200).collect();
        ModelError::new(ModelErrorKind::ToolChoiceIgnored, message)
            .with_hint("use a model that is better at calling tools, or do not demand a call")
            .with_detail(format!("the reply was: {shown}"))
    }
}

/// The schemas of a call of each tool: a fixed name, and arguments that match the tool's schema.
fn spelled(tools: &[Arc<dyn Tool>]) -> Vec<Value> {
    let call = |tool: &Arc<dyn Tool>| {
        let arguments = match tool.schema() {
            Value::Null => json!({"type": "object"}),
            // References are relative to the root, which is a different one here.
            schema if schema.to_string().contains("\"$ref\"") => for_ollama(schema),
            schema => schema.clone(),
        };
        let arguments = without_tokens_in(arguments);
        json!({
            "type": "object",
            "properties": {"name": {"type": "string", "enum": [name_of(tool)]}, "arguments": arguments},
            "required": ["name", "arguments"],
        })
    };
    tools.iter().map(call).collect()
}

fn any_of(mut schemas: Vec<Value>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0),
        _ => json!({"type": "object", "anyOf": schemas}),
    }
}

/// The conversation with the request and the descriptions of the tools, which are not sent
/// natively.
fn taught(messages: &[Message], request: &str, tools: &[Arc<dyn Tool>]) -> Vec<Message> {
    let mut text = format!("{request} Tools:");
    for tool in tools {
        let (name, schema) = (name_of(tool), tool.schema());
        let line = format!("{name}: {} Arguments: {schema}", tool.description());
        // Writing to a string cannot fail.
        let _ = write!(text, "\n- {}", without_template_tokens(&line));
    }
    let mut messages = messages.to_vec();
    // Many chat templates support only one system message, at the beginning.
    match messages.first_mut() {
        Some(Message::System(system)) => system.content.push_paragraph(&text),
        _ => messages.insert(0, Message::system(text)),
    }
    messages
}

/// The call in a reply that matches the schema, of any tool.
fn read_spelled(text: &str) -> Option<ToolCall> {
    let call: SpelledCall = serde_json::from_str(text.trim()).ok()?;
    call.arguments
        .is_object()
        .then(|| ToolCall::new(call.name, call.arguments, mint_id()))
}

/// The call as a quoted one, if it only repeats a text of the conversation.
fn quoted(
    call: &ToolCall,
    tools: &[Arc<dyn Tool>],
    messages: &[Message],
    options: &CallOptions,
) -> Option<QuotedCall> {
    let bound = BoundTools {
        set: ToolSet::new(tools),
        tools: tools.to_vec(),
        ..BoundTools::default()
    };
    Quotations::of(&bound, messages, options).quoted(call)
}

/// The chunks of a reply with this call and no text.
fn calling(mut reply: AiMessage, call: ToolCall) -> Vec<ChatChunk> {
    reply.content = Content::default();
    reply.stop_reason = Some(StopReason::ToolUse);
    reply.tool_calls = vec![call.clone()];
    let name = call.name.clone();
    let fragment = Value::Object(call.args.clone()).to_string();
    vec![
        ChatChunk::CallStart {
            index: 0,
            name,
            id: None,
        },
        ChatChunk::CallArgs { index: 0, fragment },
        ChatChunk::CallEnd { index: 0, call },
        ChatChunk::Done(reply),
    ]
}

#[cfg(test)]
mod tests;
