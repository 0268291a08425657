//! A recording from which a provider makes the model that it was made with.

use haft_extract::{BareCalls, Format};
use serde_json::Value;

use super::Exchange;
use crate::http::Transport;
use crate::text_mode::Style;
use crate::tool_mode::{ToolMode, ToolRoute};

/// What a provider needs for a model that answers from a recording. The settings of that model are
/// those of the first recorded request, so that the same conversation leads to the same requests.
#[derive(Debug)]
pub(crate) struct Recorded<'a> {
    /// The first recorded exchange.
    pub(crate) first: &'a Exchange,
    /// The transport that replays the recording.
    pub(crate) transport: Transport,
    /// The full name of the model.
    pub(crate) id: String,
    /// How calls without a marker are handled, which no recorded request shows.
    pub(crate) bare_calls: BareCalls,
}

impl Recorded<'_> {
    /// A value of the first request's body, by its JSON pointer.
    pub(crate) fn value(&self, pointer: &str) -> Option<&Value> {
        self.first.request.pointer(pointer)
    }

    /// A number of the first request's body, by its JSON pointer.
    pub(crate) fn number(&self, pointer: &str) -> Option<u32> {
        let number = self.value(pointer)?.as_u64()?;
        u32::try_from(number).ok()
    }

    /// The model's name in the first request.
    pub(crate) fn model(&self) -> &str {
        let name = self.value("/model").and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// The sampling temperature of most APIs.
    pub(crate) fn temperature(&self) -> Option<f64> {
        self.value("/temperature").and_then(Value::as_f64)
    }

    /// How tools are offered: as text if the prompt taught them from the beginning. A server that
    /// refused native tools first does so again.
    pub(crate) fn route(&self) -> ToolRoute {
        let system = self.value("/messages/0/content").and_then(Value::as_str);
        match system.and_then(Style::taught_in) {
            Some(style) => ToolRoute::new(ToolMode::Text, style.format(), self.bare_calls),
            None => ToolRoute::new(ToolMode::Auto, Format::Auto, self.bare_calls),
        }
    }
}
