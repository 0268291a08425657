//! How much of the model's context messages, results and tools take.
//!
//! Sizes are estimates. Results that are too long for their share are cut here; earlier results
//! are omitted from a request by [`Conversation::fit`](crate::conversation::Conversation::fit).
//! What is cut or omitted is reported by an [`Event::LeftOut`].

use std::collections::HashMap;

use haft_core::{
    AiMessage, ChatModel, Content, Emitter, Event, Message, Tool, ToolMessage, estimated_tokens,
};
use haft_tools::capped;

use crate::options::AgentOptions;

/// One result may use a quarter of the context, all results of a round together a half.
pub(crate) const SHARE: u64 = 4;

/// The tokens that a result keeps at least.
const LEAST: u64 = 64;

/// In bytes; see [`estimated_tokens`].
const BYTES_PER_TOKEN: u64 = 3;

/// Tokens that a chat template adds to each message.
pub(crate) const AROUND_MESSAGE: u64 = 8;

/// Tokens of a picture, as models with high resolution count it.
const PICTURE: u64 = 1024;

/// The context size in tokens, prompt and reply together, if known.
pub(crate) fn context_size(options: &AgentOptions, model: &dyn ChatModel) -> Option<u64> {
    let set = options.context.map(u64::from);
    set.or_else(|| model.context())
}

/// Estimates the tokens of these tools' definitions.
pub(crate) fn tokens_of_tools<'a>(tools: impl IntoIterator<Item = &'a dyn Tool>) -> u64 {
    let tokens = |tool: &dyn Tool| {
        let schema = tool.schema().to_string();
        let texts = [tool.name(), tool.description(), &schema];
        texts.map(estimated_tokens).iter().sum::<u64>() + AROUND_MESSAGE
    };
    tools.into_iter().map(tokens).sum()
}

pub(crate) fn tokens_of(message: &Message) -> u64 {
    let calls = match message {
        Message::Ai(AiMessage { tool_calls, .. }) => {
            let arguments = tool_calls.iter().map(|call| &call.args);
            let texts = arguments.filter_map(|args| serde_json::to_string(args).ok());
            texts.map(|text| estimated_tokens(&text)).sum()
        }
        _ => 0,
    };
    let pictures = u64::try_from(message.content().images().count()).unwrap_or(u64::MAX);
    let pictures = pictures.saturating_mul(PICTURE);
    estimated_tokens(&message.content().text_with_attachments()) + calls + pictures + AROUND_MESSAGE
}

/// Cuts the results of a round to their share of a context of this size, and reports those cut.
/// The beginning and the end of a result stay, as its middle is least likely to matter.
pub(crate) async fn cut_results(
    mut results: Vec<ToolMessage>,
    context: Option<u64>,
    events: &Emitter<Event>,
) -> Vec<ToolMessage> {
    let Some(context) = context else {
        return results;
    };
    let count = u64::try_from(results.len()).unwrap_or(u64::MAX).max(1);
    let tokens = (context / SHARE)
        .min(2 * context / SHARE / count)
        .max(LEAST);
    let bytes = usize::try_from(tokens.saturating_mul(BYTES_PER_TOKEN)).unwrap_or(usize::MAX);
    let mut cut = Vec::new();
    for result in &mut results {
        let text = result.content.text();
        if text.len() > bytes {
            let characters = text.chars().count().saturating_mul(bytes) / text.len();
            result.content = Content::from(capped(text, characters));
            let name = result.name.as_deref().unwrap_or("a tool");
            cut.push(format!("the middle of a long result of {name}"));
        }
    }
    report_omitted(cut, events).await;
    results
}

/// Reports what a request lacks, as phrases; nothing if it lacks nothing.
pub(crate) async fn report_omitted(phrases: Vec<String>, events: &Emitter<Event>) {
    if phrases.is_empty() {
        return;
    }
    let counted = counted(&phrases);
    tracing::warn!(left_out = counted.join(", "), "the context is too small");
    events.emit(Event::LeftOut(counted)).await;
}

/// Each phrase once, with the number of its repetitions.
fn counted(phrases: &[String]) -> Vec<String> {
    let mut times: HashMap<&String, usize> = HashMap::new();
    for phrase in phrases {
        *times.entry(phrase).or_default() += 1;
    }
    let mut counted = Vec::new();
    for phrase in phrases {
        match times.remove(phrase) {
            Some(1) => counted.push(phrase.clone()),
            Some(times) => counted.push(format!("{phrase} ({times} times)")),
            None => {}
        }
    }
    counted
}

#[cfg(test)]
mod tests;
