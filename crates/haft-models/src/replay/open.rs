//! Builds the model that a recording was made with.

use std::path::Path;
use std::sync::Arc;

use haft_core::{ChatModel, ModelError, ModelErrorKind};
use serde_json::Value;

use super::{Cassette, Exchange};
use crate::http::{Api, Transport};
use crate::text_mode::Style;
use crate::{ChatAnthropic, ChatOllama, ChatOpenAi, ToolMode};

/// The model of a recording, answering from it alone. Its settings are those of the first
/// recorded request, so that the same conversation gives the same requests.
///
/// # Errors
///
/// [`ModelErrorKind::Configuration`] when the file is no recording, or one of several kinds of
/// servers at once.
pub fn open_replay(path: impl AsRef<Path>) -> Result<Arc<dyn ChatModel>, ModelError> {
    let path = path.as_ref();
    let cassette = Cassette::load(path)?;
    let wrong = |what: &str| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!("The recording {} {what}", path.display()),
        )
        .with_hint("record one kind of server per file")
    };
    let Some(first) = cassette.exchanges().next().cloned() else {
        return Err(wrong("is empty"));
    };
    if cassette.exchanges().any(|other| other.api != first.api) {
        return Err(wrong("mixes different kinds of servers"));
    }
    let Ok(api) = first.api.parse::<Api>() else {
        return Err(wrong(&format!("is of an unknown kind: \"{}\"", first.api)));
    };
    let transport = Transport::replay(Arc::new(cassette));
    let id = format!("replay:{}", path.display());
    let settings = Settings(&first);
    Ok(match api {
        Api::OpenAi => Arc::new(settings.openai().transport(transport).with_id(id)),
        Api::Ollama => Arc::new(settings.ollama().transport(transport).with_id(id)),
        Api::Anthropic => Arc::new(settings.anthropic().transport(transport).with_id(id)),
    })
}

/// The settings in a recorded request.
struct Settings<'a>(&'a Exchange);

impl Settings<'_> {
    fn value(&self, pointer: &str) -> Option<&Value> {
        self.0.request.pointer(pointer)
    }

    fn number(&self, pointer: &str) -> Option<u32> {
        let number = self.value(pointer)?.as_u64()?;
        u32::try_from(number).ok()
    }

    fn model(&self) -> &str {
        self.value("/model")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The style in which the prompt taught tools as text, if it did from the beginning. A
    /// server that refused native ones first does so again.
    fn taught(&self) -> Option<Style> {
        let system = self.value("/messages/0/content")?.as_str()?;
        Style::taught_in(system)
    }

    fn openai(&self) -> ChatOpenAi {
        let mut model = ChatOpenAi::new(self.model()).streaming(self.0.stream);
        if let Some(style) = self.taught() {
            model = model.tool_mode(ToolMode::Text).format(style.format());
        }
        // The address decides about names of settings.
        let url = self.0.url.as_deref();
        if let Some(base) = url.and_then(|url| url.strip_suffix("/chat/completions")) {
            model = model.base_url(base);
        }
        if let Some(temperature) = self.value("/temperature").and_then(Value::as_f64) {
            model = model.temperature(temperature);
        }
        let tokens = self.number("/max_tokens");
        if let Some(tokens) = tokens.or_else(|| self.number("/max_completion_tokens")) {
            model = model.max_tokens(tokens);
        }
        model
    }

    fn ollama(&self) -> ChatOllama {
        let mut model = ChatOllama::new(self.model()).streaming(self.0.stream);
        if let Some(style) = self.taught() {
            model = model.tool_mode(ToolMode::Text).format(style.format());
        }
        if let Some(temperature) = self.value("/options/temperature").and_then(Value::as_f64) {
            model = model.temperature(temperature);
        }
        if let Some(tokens) = self.value("/options/num_predict").and_then(Value::as_i64) {
            model = model.num_predict(tokens);
        }
        if let Some(tokens) = self.number("/options/num_ctx") {
            model = model.num_ctx(tokens);
        }
        if let Some(duration) = self.value("/keep_alive").and_then(Value::as_str) {
            model = model.keep_alive(duration);
        }
        match self.value("/think") {
            Some(think) => model.think(think.clone()),
            None => model,
        }
    }

    fn anthropic(&self) -> ChatAnthropic {
        let mut model = ChatAnthropic::new(self.model()).streaming(self.0.stream);
        if let Some(temperature) = self.value("/temperature").and_then(Value::as_f64) {
            model = model.temperature(temperature);
        }
        if let Some(tokens) = self.number("/max_tokens") {
            model = model.max_tokens(tokens);
        }
        if let Some(budget) = self.number("/thinking/budget_tokens") {
            model = model.thinking(budget);
        }
        model
    }
}

#[cfg(test)]
mod tests;
