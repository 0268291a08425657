//! What the model is shown of a conversation that does not fit into its context.
//!
//! The conversation itself is kept whole. Where prompt and reply would not fit, results of
//! earlier calls are left out of the request, oldest first, and a result that alone takes too
//! much is cut. Nothing goes in silence: the model reads a mark, and whoever watches gets an
//! [`Event::LeftOut`].

use std::collections::HashMap;

use haft_core::{AiMessage, Content, Event, Message, Tool, ToolMessage, estimated_tokens};
use haft_tools::capped;

use crate::run::Run;

/// A result may take this part of the context, and all of a round twice as much.
pub(crate) const SHARE: u64 = 4;

/// In tokens: a result is never cut further.
const LEAST: u64 = 64;

/// In bytes; see [`estimated_tokens`].
const BYTES_PER_TOKEN: u64 = 3;

/// Tokens for what a chat template puts around a message.
const AROUND_MESSAGE: u64 = 8;

/// Tokens for a picture; models that look closely take about as many.
const PICTURE: u64 = 1024;

/// What the model reads in place of a result.
const MARK: &str =
    "[This earlier result was left out to make room. Call the tool again if needed.]";

/// About how many tokens the definitions of these tools take.
pub(crate) fn tokens_of_tools<'a>(tools: impl IntoIterator<Item = &'a dyn Tool>) -> u64 {
    let tokens = |tool: &dyn Tool| {
        let schema = tool.schema().to_string();
        let texts = [tool.name(), tool.description(), &schema];
        texts.map(estimated_tokens).iter().sum::<u64>() + AROUND_MESSAGE
    };
    tools.into_iter().map(tokens).sum()
}

impl Run {
    /// Tokens that prompt and reply may have together, where that is known.
    pub(crate) fn context(&self) -> Option<u64> {
        let set = self.shared.options.context.map(u64::from);
        set.or_else(|| self.toolset.model.context())
    }

    /// The conversation as the model is shown it.
    pub(crate) async fn shown(&mut self) -> Vec<Message> {
        if let Some(context) = self.context() {
            self.leave_out(context).await;
        }
        let shown = |(index, message): (usize, &Message)| match message {
            Message::Tool(result) if self.left_out.contains(&index) => Message::Tool(ToolMessage {
                content: MARK.into(),
                ..result.clone()
            }),
            other => other.clone(),
        };
        self.messages.iter().enumerate().map(shown).collect()
    }

    /// Marks results to leave out until the rest fits, and some more: every change of what was
    /// shown before costs the server its cache.
    async fn leave_out(&mut self, context: u64) {
        let room = context - context / SHARE;
        let mut size = self.toolset.tokens;
        for (index, message) in self.messages.iter().enumerate() {
            size += if self.left_out.contains(&index) {
                estimated_tokens(MARK) + AROUND_MESSAGE
            } else {
                tokens_of(message)
            };
        }
        if size <= room {
            return;
        }
        let latest = |message: &Message| matches!(message, Message::Ai(reply) if reply.has_calls());
        let latest = self.messages.iter().rposition(latest).unwrap_or(0);
        let mut names = Vec::new();
        let earlier = self.messages.iter().enumerate().take(latest);
        for (index, message) in earlier {
            let Message::Tool(result) = message else {
                continue;
            };
            let saved = tokens_of(message).saturating_sub(estimated_tokens(MARK));
            if size <= context / 2 || saved == 0 || !self.left_out.insert(index) {
                continue;
            }
            size = size.saturating_sub(saved);
            let name = result.name.as_deref().unwrap_or("a tool");
            names.push(format!("an earlier result of {name}"));
        }
        self.tell(names).await;
    }

    /// The results of a round, none of them larger than its share of the context.
    pub(crate) async fn capped(&mut self, results: Vec<ToolMessage>) -> Vec<ToolMessage> {
        let Some(context) = self.context() else {
            return results;
        };
        let count = u64::try_from(results.len()).unwrap_or(u64::MAX).max(1);
        let tokens = (context / SHARE)
            .min(2 * context / SHARE / count)
            .max(LEAST);
        let bytes = usize::try_from(tokens.saturating_mul(BYTES_PER_TOKEN)).unwrap_or(usize::MAX);
        let mut names = Vec::new();
        let mut fitting = Vec::with_capacity(results.len());
        for mut result in results {
            let text = result.content.text();
            if text.len() > bytes {
                let characters = text.chars().count().saturating_mul(bytes) / text.len();
                result.content = Content::from(capped(text, characters));
                let name = result.name.as_deref().unwrap_or("a tool");
                names.push(format!("the middle of a long result of {name}"));
            }
            fitting.push(result);
        }
        self.tell(names).await;
        fitting
    }

    async fn tell(&self, left_out: Vec<String>) {
        if left_out.is_empty() {
            return;
        }
        let counted = counted(&left_out);
        tracing::warn!(left_out = counted.join(", "), "the context is too small");
        self.events.emit(Event::LeftOut(counted)).await;
    }
}

/// Equal phrases once, with their number.
fn counted(phrases: &[String]) -> Vec<String> {
    let mut times: HashMap<&String, usize> = HashMap::new();
    for phrase in phrases {
        *times.entry(phrase).or_default() += 1;
    }
    let mut told = Vec::new();
    for phrase in phrases {
        match times.remove(phrase) {
            Some(1) => told.push(phrase.clone()),
            Some(times) => told.push(format!("{phrase} ({times} times)")),
            None => {}
        }
    }
    told
}

fn tokens_of(message: &Message) -> u64 {
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
    estimated_tokens(&message.content().text()) + calls + pictures + AROUND_MESSAGE
}

#[cfg(test)]
mod tests;
