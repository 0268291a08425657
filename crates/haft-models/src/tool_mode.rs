//! How tools are put to a model, natively or as text, and how its replies are read for calls.
//!
//! The setting is [`ToolMode`]. [`ToolRoute`] is what an adapter holds: the setting, and what the
//! server turned out to understand. How a conversation is written as text stands in
//! `text_mode.rs`, how a reply is put together in `reply.rs`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use haft_core::{CallOptions, ModelError, ModelErrorKind, ToolChoice};
use haft_extract::{ExtractOptions, Format};
use serde::{Serialize, Serializer};
use tracing::warn;

use crate::bound::BoundTools;
use crate::hint::TemplateHint;
use crate::reply::Reading;

/// How a model is told of its tools, and where its calls are looked for.
///
/// ```
/// use haft_models::ToolMode;
///
/// assert_eq!("text".parse(), Ok(ToolMode::Text));
/// assert_eq!(ToolMode::default().to_string(), "auto");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolMode {
    /// Natively, and as text where the model or its server has no tools. Calls that a model
    /// writes into its text count where it makes no native ones.
    #[default]
    Auto,
    /// Natively or not at all; text is never taken for a call.
    Native,
    /// As text alone: the prompt teaches the tools, and calls are read from the reply.
    Text,
}

impl ToolMode {
    /// All modes by name.
    const NAMES: [(&'static str, Self); 3] = [
        ("auto", Self::Auto),
        ("native", Self::Native),
        ("text", Self::Text),
    ];
}

impl fmt::Display for ToolMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, mode)| mode == self);
        formatter.write_str(name.map_or("auto", |(name, _)| name))
    }
}

impl FromStr for ToolMode {
    type Err = String;

    /// Reads `auto`, `native` or `text`.
    ///
    /// # Errors
    ///
    /// A sentence with the modes that there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found
            .map(|(_, mode)| *mode)
            .ok_or_else(|| "there are `auto`, `native` and `text`".to_owned())
    }
}

impl Serialize for ToolMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The way that one model's tools go. Clones share what was learned about the server.
#[derive(Clone, Debug)]
pub(crate) struct ToolRoute {
    pub(crate) mode: ToolMode,
    /// The format in which calls are expected, and taught where it can be.
    pub(crate) format: Format,
    /// What the model's chat template tells.
    pub(crate) hint: Arc<TemplateHint>,
    /// The server takes no tools for this model.
    text_only: Arc<AtomicBool>,
}

/// How one request goes out and its reply is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// With native tools.
    Native,
    /// With tools and calls as text.
    Text,
}

impl ToolRoute {
    /// The way to begin with.
    pub(crate) fn way(&self) -> Way {
        let is_text = match self.mode {
            ToolMode::Auto => self.text_only.load(Ordering::Relaxed),
            ToolMode::Native => false,
            ToolMode::Text => true,
        };
        if is_text { Way::Text } else { Way::Native }
    }

    /// True when a request that went out natively failed for its tools alone, and may go out
    /// again as text. From then on all of this model's requests do.
    pub(crate) fn falls_back(&self, way: Way, model: &str, error: &ModelError) -> bool {
        let falls_back = way == Way::Native
            && self.mode == ToolMode::Auto
            && error.kind() == ModelErrorKind::ToolsUnsupported;
        if falls_back {
            self.learn_text(model, error.detail());
        }
        falls_back
    }

    /// Remembers that this model takes no native tools.
    pub(crate) fn learn_text(&self, model: &str, reason: &str) {
        if !self.text_only.swap(true, Ordering::Relaxed) {
            warn!(
                model,
                reason, "the model has no native tools; they are taught in its prompt"
            );
        }
    }

    /// Forgets what was learned: the server is another one.
    pub(crate) fn forget(&mut self) {
        self.text_only = Arc::default();
        self.hint = Arc::default();
    }

    /// How the reply to a request that goes this `way` is read.
    pub(crate) fn reading(&self, way: Way, bound: &BoundTools, options: &CallOptions) -> Reading {
        // A text that has to follow a schema is no call, whatever it looks like.
        let is_data = options.tool_choice == ToolChoice::None && options.response_schema.is_some();
        let searched = self.mode != ToolMode::Native && !bound.tools.is_empty() && !is_data;
        let mut extract = ExtractOptions::for_format(self.format);
        let hint = self.hint.options().filter(|_| self.format == Format::AUTO);
        if let Some(hint) = hint {
            extract.format = hint.format;
            extract.starts_thinking = hint.starts_thinking && !options.without_thinking;
        }
        extract.text_mode = way == Way::Text;
        Reading {
            text: searched.then_some(extract),
            hint: Arc::clone(&self.hint),
            allows_calls: options.tool_choice != ToolChoice::None,
            ..Reading::native(bound)
        }
    }
}

impl Default for ToolRoute {
    fn default() -> Self {
        Self {
            mode: ToolMode::Auto,
            format: Format::AUTO,
            hint: Arc::default(),
            text_only: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests;
