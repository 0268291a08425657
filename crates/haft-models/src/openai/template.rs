//! Queries the chat template of a model behind llama.cpp's server, as a hint for reading its
//! replies.

use haft_core::ModelError;
use haft_extract::Format;
use serde::Deserialize;
use tracing::debug;

use super::ChatOpenAi;
use crate::http::{Request, endpoint};
use crate::tool_mode::ToolMode;

/// The `Server` header of llama.cpp (`ggml-org/llama.cpp: tools/server/server-http.cpp`).
const LLAMA_CPP: &str = "llama.cpp";

/// The fields of `GET /props` in use (`ggml-org/llama.cpp: tools/server/README.md`).
#[derive(Deserialize)]
struct Properties {
    chat_template: String,
}

impl ChatOpenAi {
    /// Queries the template once, if the server is llama.cpp and the reply may contain calls in its
    /// text. Other servers are not queried.
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
        self.asked.get_or_init(ask).await;
    }

    async fn chat_template(&self) -> Result<String, ModelError> {
        let base = self.base_url.trim().trim_end_matches('/');
        let url = endpoint(base.trim_end_matches("/v1"), "props")?;
        let request = self.authorized(Request::get(self.api(), url));
        let properties: Properties = self.transport.fetch_as(&request).await?;
        Ok(properties.chat_template)
    }
}
