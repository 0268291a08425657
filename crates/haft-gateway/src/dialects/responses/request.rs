//! Reads a request (OpenAI's API reference, "Create a model response").

use std::collections::HashSet;
use std::sync::Arc;

use haft_core::{CallOptions, Generation, ModelError, ThinkingEffort};
use haft_models::ClientRequest;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::items::Input;
use super::left_out::LeftOut;
use super::reply::{Keep, ReasoningForm, ReplyBasis};
use super::{refused, tools};
use crate::kept_replies::{KeptReplies, secret_id};

/// The fields that haft answers, repeats in the reply, or whose effect it has anyway.
const KNOWN: &[&str] = &[
    "background",
    "conversation",
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "truncation",
    "user",
];

/// The fields that the model server gets as they are, where its API has them.
const PASSED_ON: [&str; 4] = [
    "parallel_tool_calls",
    "prompt_cache_key",
    "service_tier",
    "user",
];

/// A request that was read.
pub(super) struct ReadRequest {
    pub(super) request: ClientRequest,
    pub(super) basis: ReplyBasis,
    /// The parts that haft cannot answer.
    pub(super) left_out: Vec<String>,
}

/// The field `text`.
#[derive(Default, Deserialize)]
struct TextOptions {
    format: Option<TextFormat>,
    verbosity: Option<String>,
}

/// The form of the text.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum TextFormat {
    Text,
    JsonObject,
    JsonSchema { schema: Value },
}

/// The field `reasoning`.
#[derive(Default, Deserialize)]
struct Reasoning {
    effort: Option<String>,
    summary: Option<String>,
}

/// Reads the body of `POST /v1/responses`.
pub(super) fn read(body: &[u8], kept: &Arc<KeptReplies>) -> Result<ReadRequest, ModelError> {
    let mut fields: Map<String, Value> = serde_json::from_slice(body)
        .map_err(|error| refused(format!("The request cannot be read: {error}")))?;
    refuse_what_runs_elsewhere(&fields)?;
    let mut left_out = LeftOut::default();
    note_unanswered(&fields, &mut left_out)?;
    let model: String = field(&fields, "model")?.unwrap_or_default();
    if model.trim().is_empty() {
        return Err(refused("The request names no model"));
    }
    let items = items(fields.remove("input"), &fields, kept)?;
    // A reply in the background is stored unless the client says otherwise.
    let is_stored = match field(&fields, "background")? {
        Some(true) => field(&fields, "store")?.or(Some(true)),
        _ => field(&fields, "store")?,
    };
    let listed: Vec<Value> = field(&fields, "tools")?.unwrap_or_default();
    let mut tools = tools::read(&listed, &mut left_out)?;
    let tool_choice = tools.chosen(fields.get("tool_choice"))?;
    let mut input = Input::new(&mut left_out);
    if let Some(instructions) = field::<String>(&fields, "instructions")? {
        input.system(instructions);
    }
    for item in &items {
        input.read(item)?;
    }
    let messages = input.into_messages();
    let reasoning: Reasoning = field(&fields, "reasoning")?.unwrap_or_default();
    let options = CallOptions {
        tool_choice,
        response_schema: schema(&fields)?,
        generation: generation(&fields, &reasoning)?,
        ..CallOptions::default()
    };
    let mut request = ClientRequest::new(model, messages).with_tools(tools.offered);
    request.options = options;
    request.stream = field(&fields, "stream")? == Some(true);
    request.parallel_calls = field(&fields, "parallel_tool_calls")?.unwrap_or(true);
    let basis = ReplyBasis {
        tools: tools.names,
        reasoning: match reasoning.summary {
            Some(_) => ReasoningForm::Summary,
            None => ReasoningForm::Text,
        },
        keep: keep(is_stored, items, kept),
        repeated: fields,
    };
    Ok(ReadRequest {
        request,
        basis,
        left_out: left_out.into_names(),
    })
}

/// Reads a field; `None` if it is missing or null.
fn field<T: DeserializeOwned>(
    fields: &Map<String, Value>,
    name: &str,
) -> Result<Option<T>, ModelError> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => T::deserialize(value)
            .map(Some)
            .map_err(|error| refused(format!("`{name}` cannot be read: {error}"))),
    }
}

/// Refuses what only OpenAI's own service can do.
fn refuse_what_runs_elsewhere(fields: &Map<String, Value>) -> Result<(), ModelError> {
    #[cfg(not(feature = "durable"))]
    if field(fields, "background")? == Some(true) {
        return Err(refused(
            "`background` is not supported: leave it out and read the reply as a stream, or use a \
             haft with the feature `durable`",
        ));
    }
    let elsewhere = [
        ("prompt", "send its text as `instructions` and `input`"),
        (
            "conversation",
            "send the whole `input`, or `previous_response_id`",
        ),
    ];
    for (name, remedy) in elsewhere {
        if fields.get(name).is_some_and(|value| !value.is_null()) {
            return Err(refused(format!("`{name}` is stored at OpenAI: {remedy}")));
        }
    }
    Ok(())
}

/// Notes the fields that haft does not know, and what it cannot include in a reply.
fn note_unanswered(fields: &Map<String, Value>, left_out: &mut LeftOut) -> Result<(), ModelError> {
    let is_set = |value: &&Value| !value.is_null();
    let unknown = fields
        .iter()
        .filter(|(name, value)| !KNOWN.contains(&name.as_str()) && is_set(value));
    for (name, _) in unknown {
        left_out.note("", name);
    }
    let included: Vec<String> = field(fields, "include")?.unwrap_or_default();
    for name in included {
        if name != "reasoning.encrypted_content" {
            left_out.note("include", &name);
        }
    }
    Ok(())
}

/// The items of the conversation: those of the reply that this request continues, and its own.
fn items(
    input: Option<Value>,
    fields: &Map<String, Value>,
    kept: &KeptReplies,
) -> Result<Vec<Value>, ModelError> {
    let previous: Option<String> = field(fields, "previous_response_id")?;
    let mut items = match &previous {
        Some(id) => kept.conversation(id).ok_or_else(|| {
            refused(format!(
                "The reply \"{id}\" of `previous_response_id` is not stored: send `store: true` \
                 with the request before, or the whole conversation as `input`"
            ))
        })?,
        None => Vec::new(),
    };
    match input {
        Some(Value::String(text)) => items.push(json!({"role": "user", "content": text})),
        Some(Value::Array(own)) => items.extend(own),
        None | Some(Value::Null) if previous.is_some() => {}
        None | Some(Value::Null) => return Err(refused("The request has no `input`")),
        Some(_) => return Err(refused("`input` must be a string or a list of items")),
    }
    for item in &mut items {
        if item
            .get("type")
            .is_some_and(|kind| kind == "item_reference")
        {
            *item = referred(item, kept)?;
        }
    }
    Ok(items)
}

/// The item that a reference means.
fn referred(reference: &Value, kept: &KeptReplies) -> Result<Value, ModelError> {
    let id = reference.get("id").and_then(Value::as_str);
    let id = id.unwrap_or_default();
    kept.item(id).ok_or_else(|| {
        refused(format!(
            "The item \"{id}\" is not known: items are kept for an hour, and not after \
             `store: false`; send the item itself"
        ))
    })
}

fn schema(fields: &Map<String, Value>) -> Result<Option<Arc<Value>>, ModelError> {
    let text: TextOptions = field(fields, "text")?.unwrap_or_default();
    Ok(match text.format {
        None | Some(TextFormat::Text) => None,
        Some(TextFormat::JsonObject) => Some(Arc::new(json!({"type": "object"}))),
        Some(TextFormat::JsonSchema { schema }) => Some(Arc::new(schema)),
    })
}

fn generation(
    fields: &Map<String, Value>,
    reasoning: &Reasoning,
) -> Result<Generation, ModelError> {
    let thinking = reasoning.effort.as_deref().map(|word| {
        ThinkingEffort::named(word).ok_or_else(|| {
            refused(format!(
                "`reasoning.effort` is \"{word}\"; expected none, minimal, low, medium, high or \
                 xhigh"
            ))
        })
    });
    let text: TextOptions = field(fields, "text")?.unwrap_or_default();
    let passed_on = PASSED_ON.iter().filter_map(|name| {
        let value = fields.get(*name).filter(|value| !value.is_null())?;
        Some(((*name).to_owned(), value.clone()))
    });
    let verbosity = text
        .verbosity
        .map(|word| ("verbosity".to_owned(), word.into()));
    Ok(Generation {
        temperature: field(fields, "temperature")?,
        top_p: field(fields, "top_p")?,
        max_tokens: field(fields, "max_output_tokens")?,
        thinking: thinking.transpose()?,
        openai_fields: passed_on.chain(verbosity).collect(),
        ..Generation::default()
    })
}

/// What is kept of the reply. Without the field `store` that is only its items, because some SDKs
/// refer to them by id unless they are told otherwise (Vercel's `@ai-sdk/openai`).
fn keep(store: Option<bool>, items: Vec<Value>, kept: &Arc<KeptReplies>) -> Option<Keep> {
    let input = match store {
        Some(false) => return None,
        None => None,
        Some(true) => Some(with_ids(items)),
    };
    Some(Keep {
        kept: kept.clone(),
        input,
    })
}

/// The items, each with an id of its own: lists of them are read page by page.
fn with_ids(mut items: Vec<Value>) -> Vec<Value> {
    let mut taken = HashSet::new();
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        let id = item.get("id").and_then(Value::as_str);
        if !id.is_some_and(|id| taken.insert(id.to_owned())) {
            item.insert("id".to_owned(), secret_id("msg_").into());
        }
        item.entry("type").or_insert_with(|| "message".into());
    }
    items
}
