//! Requests and replies of embeddings, from one API to another (OpenAI's API reference, "Create
//! embeddings"; `ollama/ollama: docs/api.md`, "Generate Embeddings").

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use haft_core::{ModelError, ModelErrorKind};
use haft_models::ServerKind;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A path of embeddings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmbeddingApi {
    /// `POST /v1/embeddings` of OpenAI's API.
    OpenAi,
    /// `POST /api/embed` of Ollama's.
    Ollama,
    /// `POST /api/embeddings` of Ollama's: one text.
    OllamaOne,
}

/// The form of the vectors in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Numbers.
    Floats,
    /// Little-endian 32-bit floats in Base64.
    Base64,
}

/// A request that can be written for either kind of server.
#[derive(Debug)]
pub(super) struct EmbeddingRequest {
    texts: Vec<String>,
    dimensions: Option<Value>,
    truncate: Option<Value>,
    pub(super) encoding: Encoding,
    /// The names of fields that the other API does not have.
    left_out: Vec<&'static str>,
}

/// The vectors, one for each text.
#[derive(Debug, Default)]
pub(super) struct Embedded {
    vectors: Vec<Vec<f32>>,
    /// The tokens of the texts.
    pub(super) tokens: u64,
}

impl EmbeddingApi {
    pub(super) const ALL: &[Self] = &[Self::OpenAi, Self::Ollama, Self::OllamaOne];

    /// The path at the gateway.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/v1/embeddings",
            Self::Ollama => "/api/embed",
            Self::OllamaOne => "/api/embeddings",
        }
    }

    /// The path at a server, whose address has the version of OpenAI's API already.
    pub(super) fn path_at_server(self) -> &'static str {
        match self {
            Self::OpenAi => "embeddings",
            Self::Ollama | Self::OllamaOne => self.path(),
        }
    }

    /// The kind of servers that have this path.
    pub(super) fn server(self) -> ServerKind {
        match self {
            Self::OpenAi => ServerKind::OpenAi,
            Self::Ollama | Self::OllamaOne => ServerKind::Ollama,
        }
    }

    /// The path that servers of the other kind are asked at.
    pub(super) fn other(self) -> Self {
        match self {
            Self::OpenAi => Self::Ollama,
            Self::Ollama | Self::OllamaOne => Self::OpenAi,
        }
    }

    /// The fields without a counterpart in the other API.
    fn without_counterpart(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["user"],
            Self::Ollama | Self::OllamaOne => &["truncate", "options", "keep_alive"],
        }
    }

    /// The reply for a client of this API.
    pub(super) fn reply(self, model: &str, embedded: &Embedded, encoding: Encoding) -> Value {
        let (vectors, tokens) = (&embedded.vectors, embedded.tokens);
        match self {
            Self::OpenAi => {
                let data = vectors.iter().enumerate().map(|(index, vector)| {
                    let vector = encoding.written(vector);
                    json!({"object": "embedding", "index": index, "embedding": vector})
                });
                json!({
                    "object": "list",
                    "data": data.collect::<Vec<_>>(),
                    "model": model,
                    "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
                })
            }
            Self::Ollama => {
                json!({"model": model, "embeddings": vectors, "prompt_eval_count": tokens})
            }
            Self::OllamaOne => {
                json!({"embedding": vectors.first().map(Vec::as_slice).unwrap_or_default()})
            }
        }
    }
}

impl Encoding {
    fn written(self, vector: &[f32]) -> Value {
        match self {
            Self::Floats => json!(vector),
            Self::Base64 => {
                let bytes: Vec<u8> = vector.iter().flat_map(|one| one.to_le_bytes()).collect();
                STANDARD.encode(bytes).into()
            }
        }
    }
}

impl EmbeddingRequest {
    /// Reads a request; the error says why it cannot be written for servers of the other API.
    pub(super) fn read(api: EmbeddingApi, body: &Value) -> Result<Self, String> {
        let given = |name: &str| body.get(name).filter(|value| !value.is_null());
        let name = match api {
            EmbeddingApi::OpenAi | EmbeddingApi::Ollama => "input",
            EmbeddingApi::OllamaOne => "prompt",
        };
        let texts = texts(name, given(name).unwrap_or(&Value::Null))?;
        if api == EmbeddingApi::OpenAi && (texts.is_empty() || texts.iter().any(String::is_empty)) {
            return Err("`input` is empty; expected a text or texts".to_owned());
        }
        let encoding = match given("encoding_format").and_then(Value::as_str) {
            Some("base64") => Encoding::Base64,
            Some("float") | None => Encoding::Floats,
            Some(other) => {
                let message = format!("`encoding_format` is \"{other}\"; expected float or base64");
                return Err(message);
            }
        };
        let left_out = api.without_counterpart().iter().copied();
        Ok(Self {
            texts: match api {
                EmbeddingApi::OpenAi => texts,
                // Ollama answers an empty text with no vector.
                _ if texts.iter().all(String::is_empty) => Vec::new(),
                _ => texts,
            },
            dimensions: given("dimensions").cloned(),
            // OpenAI's clients expect an error for a text that is too long.
            truncate: (api == EmbeddingApi::OpenAi).then_some(Value::Bool(false)),
            encoding,
            left_out: left_out.filter(|name| given(name).is_some()).collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The names of the fields that were left out, as the value of a header.
    pub(super) fn dropped(&self) -> Option<HeaderValue> {
        let names = (!self.left_out.is_empty()).then(|| self.left_out.join(", "));
        names.and_then(|names| HeaderValue::from_str(&names).ok())
    }

    /// The request for a server of this API, which calls the model `model`.
    pub(super) fn body_for(&self, api: EmbeddingApi, model: &str) -> Value {
        let mut body = Map::new();
        body.insert("model".to_owned(), model.into());
        body.insert("input".to_owned(), self.texts.clone().into());
        if let Some(dimensions) = &self.dimensions {
            body.insert("dimensions".to_owned(), dimensions.clone());
        }
        if let (EmbeddingApi::Ollama, Some(truncate)) = (api, &self.truncate) {
            body.insert("truncate".to_owned(), truncate.clone());
        }
        body.into()
    }
}

/// The texts of a field: one or several. Ollama embeds no tokens.
fn texts(name: &str, input: &Value) -> Result<Vec<String>, String> {
    let expected = || format!("`{name}` is missing or wrong; expected a text or texts");
    match input {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Array(items) if items.iter().any(|item| item.is_number() || item.is_array()) => Err(
            format!("`{name}` has tokens, which this model's server cannot embed; send texts"),
        ),
        Value::Array(items) => {
            let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
            texts.collect::<Option<_>>().ok_or_else(expected)
        }
        _ => Err(expected()),
    }
}

impl Embedded {
    /// Reads the reply of a server of this API to a request with `expected` texts.
    pub(super) fn read(api: EmbeddingApi, text: &str, expected: usize) -> Result<Self, ModelError> {
        let embedded = match api {
            EmbeddingApi::OpenAi => Self::of_openai(serde_json::from_str(text)),
            EmbeddingApi::Ollama | EmbeddingApi::OllamaOne => {
                Self::of_ollama(serde_json::from_str(text))
            }
        }?;
        if embedded.vectors.len() != expected {
            let found = embedded.vectors.len();
            return Err(not_an_answer(&format!(
                "{found} vectors for {expected} texts"
            )));
        }
        Ok(embedded)
    }

    fn of_openai(reply: Result<OpenAiReply, serde_json::Error>) -> Result<Self, ModelError> {
        let mut reply = reply.map_err(|error| not_an_answer(&error))?;
        reply.data.sort_by_key(|one| one.index);
        let vectors = reply.data.into_iter().map(|one| one.embedding);
        Ok(Self {
            vectors: vectors.collect(),
            tokens: reply.usage.map_or(0, |usage| usage.prompt_tokens),
        })
    }

    fn of_ollama(reply: Result<OllamaReply, serde_json::Error>) -> Result<Self, ModelError> {
        let reply = reply.map_err(|error| not_an_answer(&error))?;
        Ok(Self {
            vectors: reply.embeddings,
            tokens: reply.prompt_eval_count,
        })
    }
}

/// The reply of `/v1/embeddings`.
#[derive(Deserialize)]
struct OpenAiReply {
    data: Vec<OpenAiVector>,
    usage: Option<OpenAiUsage>,
}

#[derive(Deserialize)]
struct OpenAiVector {
    #[serde(default)]
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct OpenAiUsage {
    #[serde(default)]
    prompt_tokens: u64,
}

/// The reply of `/api/embed`.
#[derive(Deserialize)]
struct OllamaReply {
    embeddings: Vec<Vec<f32>>,
    #[serde(default)]
    prompt_eval_count: u64,
}

/// The error for a reply that is not one of embeddings.
pub(super) fn not_an_answer(detail: &impl ToString) -> ModelError {
    let message = "The model server's answer is not one of embeddings";
    ModelError::new(ModelErrorKind::Malformed, message).with_detail(detail.to_string())
}
