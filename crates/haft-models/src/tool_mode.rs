//! Chooses whether tools are offered to a model natively or as text, and how calls are read from
//! its replies.
//!
//! [`ToolMode`] is the setting. A model client holds a [`ToolRoute`]: the setting, and what was
//! learned about the server. `text_mode.rs` writes conversations with tools as text, `reply.rs`
//! assembles replies.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use haft_core::{CallOptions, ChatChunk, ModelError, ModelErrorKind, ToolChoice};
use haft_extract::{BareCalls, ExtractOptions, Format};
use serde::{Serialize, Serializer};
use tracing::warn;

use crate::bound::BoundTools;
use crate::hint::TemplateHint;
use crate::reply::Reading;

/// How tools are offered to a model, and where its calls are expected.
///
/// ```
/// use haft_models::ToolMode;
///
/// assert_eq!("text".parse(), Ok(ToolMode::Text));
/// assert_eq!(ToolMode::default().to_string(), "auto");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolMode {
    /// Natively, or as text if the model or its server does not support tools. Calls in the model's
    /// text count if it makes no native ones.
    #[default]
    Auto,
    /// Only natively; text is never searched for calls.
    Native,
    /// Only as text: the prompt describes the tools, and calls are read from the reply's text.
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
    /// A sentence that lists the modes.
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

/// How the tools of one model are offered. Clones share what was learned about the server.
#[derive(Clone, Debug)]
pub(crate) struct ToolRoute {
    pub(crate) mode: ToolMode,
    /// The format in which calls are expected, and taught if there is a style for it.
    pub(crate) format: Format,
    /// How calls without a marker are handled. If calls are taught as text, they always count,
    /// because not every taught style has a marker.
    pub(crate) bare_calls: BareCalls,
    /// Whether calls at the end of a closed thought count, for tools that only read.
    pub(crate) thought_calls: bool,
    /// What is known from the model's chat template.
    pub(crate) hint: Arc<TemplateHint>,
    /// Why the model gets no native tools, as soon as that is known.
    reason: Arc<OnceLock<String>>,
    /// Whether the reason was reported with a reply.
    told: Arc<AtomicBool>,
}

/// How one request offers tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolProtocol {
    /// As native tools.
    Native,
    /// As text in the prompt.
    Text,
}

impl ToolRoute {
    /// Creates a route about whose server nothing is known yet.
    pub(crate) fn new(mode: ToolMode, format: Format, bare_calls: BareCalls) -> Self {
        Self {
            mode,
            format,
            bare_calls,
            thought_calls: false,
            hint: Arc::default(),
            reason: Arc::default(),
            told: Arc::default(),
        }
    }

    /// Sets whether calls at the end of a closed thought count.
    pub(crate) fn with_thought_calls(mut self, thought_calls: bool) -> Self {
        self.thought_calls = thought_calls;
        self
    }

    /// The protocol for the next request.
    pub(crate) fn protocol(&self) -> ToolProtocol {
        let is_text = match self.mode {
            ToolMode::Auto => self.reason.get().is_some(),
            ToolMode::Native => false,
            ToolMode::Text => true,
        };
        if is_text {
            ToolProtocol::Text
        } else {
            ToolProtocol::Native
        }
    }

    /// Whether a request with native tools failed only because of them and may be repeated with the
    /// tools as text. Then all further requests of this model use text.
    pub(crate) fn falls_back(
        &self,
        protocol: ToolProtocol,
        model: &str,
        error: &ModelError,
    ) -> bool {
        let falls_back = protocol == ToolProtocol::Native
            && self.mode == ToolMode::Auto
            && error.kind() == ModelErrorKind::ToolsUnsupported;
        if falls_back {
            self.learn_text(model, error.detail());
        }
        falls_back
    }

    /// Records that this model does not get native tools, for the reason in `reason`.
    pub(crate) fn learn_text(&self, model: &str, reason: &str) {
        if self.reason.set(reason.to_owned()).is_ok() {
            warn!(
                model,
                reason, "the model has no native tools; they are taught in its prompt"
            );
        }
    }

    /// The chunk that tells the user why tools are taught in the prompt; once for all clones.
    pub(crate) fn notice(&self) -> Option<ChatChunk> {
        let reason = self.reason.get().filter(|_| self.mode == ToolMode::Auto)?;
        let is_new = !self.told.swap(true, Ordering::Relaxed);
        is_new.then(|| ChatChunk::ToolsTaught(reason.clone()))
    }

    /// Forgets what was learned, for another server.
    pub(crate) fn forget(&mut self) {
        self.reason = Arc::default();
        self.told = Arc::default();
        self.hint = Arc::default();
    }

    /// How the reply to a request with this protocol is read.
    pub(crate) fn reading(
        &self,
        protocol: ToolProtocol,
        bound: &BoundTools,
        options: &CallOptions,
    ) -> Reading {
        // A text that must match a schema is data, even if it looks like a call.
        let is_data = options.tool_choice == ToolChoice::None && options.response_schema.is_some();
        let searched = self.mode != ToolMode::Native && !bound.tools.is_empty() && !is_data;
        let mut extract = ExtractOptions::for_format(self.format);
        let hint = self.hint.options().filter(|_| self.format == Format::Auto);
        if let Some(hint) = hint {
            extract.format = hint.format;
            extract.starts_thinking = hint.starts_thinking && !options.without_thinking;
        }
        extract.thought_calls = self.thought_calls;
        extract.text_mode = protocol == ToolProtocol::Text;
        extract.bare_calls = match protocol {
            ToolProtocol::Native => self.bare_calls,
            ToolProtocol::Text => BareCalls::Always,
        };
        Reading {
            text: searched.then_some(extract),
            hint: Arc::clone(&self.hint),
            allows_calls: options.tool_choice != ToolChoice::None,
            raw: options.raw_reply(),
            ..Reading::native(bound)
        }
    }
}

impl Default for ToolRoute {
    fn default() -> Self {
        Self::new(ToolMode::Auto, Format::Auto, BareCalls::default())
    }
}

#[cfg(test)]
mod tests;
