//! The chat template of a model behind llama.cpp's server, as a hint for reading its replies.

use haft_core::ModelError;
use haft_extract::Format;
use serde::Deserialize;
use tracing::debug;

use super::ChatOpenAi;
use crate::http::{Api, Request, endpoint, parse};
use crate::tool_mode::ToolMode;

/// What llama.cpp's server calls itself (`ggml-org/llama.cpp: tools/server/server-http.cpp`).
const LLAMA_CPP: &str = "llama.cpp";

/// The part of `GET /props` that matters (`ggml-org/llama.cpp: tools/server/README.md`).
#[derive(Deserialize)]
struct Properties {
    chat_template: String,
}

impl ChatOpenAi {
    /// Asks the server for the template, once, if it is llama.cpp's and the reply that begins may
    /// hold calls in its text. Other servers are not bothered.
    pub(super) async fn learn_template(&self, server: &str) {
        let may_hold_calls = self.route.mode != ToolMode::Native
            && self.route.format == Format::AUTO
            && !self.bound.tools.tools.is_empty()
            && !self.asked.initialized();
        if !may_hold_calls || server != LLAMA_CPP {
            return;
        }
        let ask = || async {
            match self.chat_template().await {
                Ok(template) => self.route.hint.learn(&self.id, &template),
                Err(error) => debug!(model = self.id, %error, "no chat template"),
            }
        };
        Box::pin(self.asked.get_or_init(ask)).await;
    }

    async fn chat_template(&self) -> Result<String, ModelError> {
        let base = self.base_url.trim().trim_end_matches('/');
        let url = endpoint(base.trim_end_matches("/v1"), "props")?;
        let request = self.authorized(Request::get(Api::OpenAi, url));
        let properties: Properties = parse(&self.transport.fetch(&request).await?)?;
        Ok(properties.chat_template)
    }
}
