//! What only llama.cpp's server has: pages about itself, and the number of tokens of a conversation
//! (`ggml-org/llama.cpp: tools/server/README.md`, `GET /props`, `GET /slots`, `POST
//! /apply-template`, `POST /tokenize`).
//!
//! Other servers are never asked at these paths.

use std::sync::Arc;

use haft_core::ModelError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ChatOpenAi, encode};
use crate::bound::BoundTools;
use crate::client_request::ClientRequest;
use crate::http::{Endpoint, Framing, Request, body_of, endpoint};

/// The owner of every model in the list of such a server.
const OWNER: &str = "llamacpp";

/// A conversation as the model reads it.
#[derive(Deserialize)]
struct Prompt {
    prompt: String,
}

/// The tokens of a text, which are numbers.
#[derive(Deserialize)]
struct Tokens {
    tokens: Vec<Value>,
}

impl ChatOpenAi {
    /// Whether the server is llama.cpp's.
    ///
    /// # Errors
    ///
    /// Any error of the request.
    pub(super) async fn is_llama_cpp(&self) -> Result<bool, ModelError> {
        let url = endpoint(&self.base_url, "models")?;
        let list: Value = self.fetched(&self.transport, url).await?;
        let models = list.get("data").and_then(Value::as_array);
        let mut owners = models.into_iter().flatten().map(|one| one.get("owned_by"));
        Ok(owners.any(|owner| owner.and_then(Value::as_str) == Some(OWNER)))
    }

    /// A page of the server about itself.
    ///
    /// # Errors
    ///
    /// Any error of the request.
    pub(super) async fn page(&self, path: &str) -> Result<String, ModelError> {
        let mut url = self.beside_v1(path)?;
        if !self.model.is_empty() {
            url = url.with_query(|url| {
                url.query_pairs_mut().append_pair("model", &self.model);
            })?;
        }
        let request = self.authorized(Request::get(self.api(), url));
        self.transport.fetch(&request).await
    }

    /// The number of tokens of a conversation in the model's chat template, with tools.
    ///
    /// # Errors
    ///
    /// Any error of the two requests.
    pub(super) async fn tokens(&self, request: &ClientRequest) -> Result<u64, ModelError> {
        let bound = BoundTools::new(&request.tools)?;
        let tools: Vec<_> = encode::harmless(encode::tools(&bound.tools, &bound.names)).collect();
        let mut asked = json!({
            "model": self.model,
            "messages": encode::messages(&request.messages, &bound.names),
        });
        if let (false, Some(asked)) = (tools.is_empty(), asked.as_object_mut()) {
            asked.insert("tools".to_owned(), json!(tools));
        }
        let url = self.beside_v1("apply-template")?;
        let Prompt { prompt } = self.posted(url, &asked).await?;
        // As the server itself reads a prompt: with special tokens, and with the one that begins it.
        let text = json!({
            "model": self.model,
            "content": prompt,
            "add_special": true,
            "parse_special": true,
        });
        let Tokens { tokens } = self.posted(self.beside_v1("tokenize")?, &text).await?;
        Ok(tokens.len() as u64)
    }

    async fn posted<T: serde::de::DeserializeOwned>(
        &self,
        url: Arc<Endpoint>,
        body: &Value,
    ) -> Result<T, ModelError> {
        let request = Request::post(self.api(), url, body_of(body)?, Framing::Whole);
        self.transport.fetch_as(&self.authorized(request)).await
    }
}
