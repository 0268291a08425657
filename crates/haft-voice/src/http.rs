//! Speech-to-text over HTTP: `POST {base}/audio/transcriptions`, OpenAI's API, which
//! faster-whisper-server, speaches, LocalAI, vLLM and whisper.cpp's server also implement.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use haft_core::{Secrets, mask_url};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::Value;
use url::Url;

use crate::error::{VoiceError, VoiceErrorKind};
use crate::pcm::Pcm;
use crate::transcriber::Transcriber;
use crate::transcript::words_of;

const PATH: &str = "/audio/transcriptions";
/// The timeout of connecting to the server.
const CONNECT: Duration = Duration::from_secs(10);
/// The maximum size of a response in bytes; a transcript of two minutes is under 4 kB.
const MOST_BYTES: usize = 256 * 1024;
/// The maximum length of a server's error text that is shown, in characters.
const SHOWN: usize = 300;

/// Speech-to-text with OpenAI's API.
#[derive(Clone)]
pub struct HttpTranscriber {
    client: reqwest::Client,
    url: Url,
    model: String,
    key: Option<HeaderValue>,
    language: Option<String>,
    limit: Duration,
}

impl HttpTranscriber {
    /// The model `model` of the server at `base`, such as `http://127.0.0.1:8000/v1`. Timeout: 60 s.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when the address is invalid, or this machine cannot make
    /// HTTP connections.
    pub fn new(base: &str, model: impl Into<String>) -> Result<Self, VoiceError> {
        let url = address(base)?;
        Ok(Self {
            client: client(&url)?,
            url,
            model: model.into(),
            key: None,
            language: None,
            limit: Duration::from_secs(60),
        })
    }

    /// Sets the key, which is sent as a bearer token and never shown.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] when it contains invalid characters.
    pub fn with_key(mut self, key: &str) -> Result<Self, VoiceError> {
        let value = HeaderValue::from_str(&format!("Bearer {key}"));
        let mut value = value.map_err(|_| {
            configuration("The key contains invalid characters")
                .with_hint("copy the key again, without line breaks")
        })?;
        value.set_sensitive(true);
        self.key = Some(value);
        Ok(self)
    }

    /// Sets the spoken language, such as `en`; without it the server detects it.
    #[must_use]
    pub fn with_language(mut self, language: impl Into<String>) -> Self {
        self.language = Some(language.into());
        self
    }

    /// Sets the timeout.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The request body as multipart/form-data (RFC 7578).
    fn form(&self, audio: &Pcm) -> Form {
        // Random, so that the probability that the audio contains it is 1 in 2^128.
        let boundary = format!("haft-{:032x}", fastrand::u128(..));
        let mut body = Vec::new();
        let fields = [
            ("model", Some(self.model.as_str())),
            ("response_format", Some("json")),
            ("language", self.language.as_deref()),
        ];
        for (name, value) in fields {
            let Some(value) = value else { continue };
            let part = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend(part.as_bytes());
        }
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; \
             filename=\"speech.wav\"\r\nContent-Type: audio/wav\r\n\r\n"
        );
        body.extend(head.as_bytes());
        body.extend(audio.to_wav());
        body.extend(format!("\r\n--{boundary}--\r\n").as_bytes());
        Form {
            content_type: format!("multipart/form-data; boundary={boundary}"),
            body,
        }
    }
}

struct Form {
    content_type: String,
    body: Vec<u8>,
}

impl fmt::Debug for HttpTranscriber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpTranscriber")
            .field("url", &mask_url(self.url.as_str()))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Transcriber for HttpTranscriber {
    async fn transcribe(&self, audio: &Pcm) -> Result<String, VoiceError> {
        let Form { content_type, body } = self.form(audio);
        let mut request = self
            .client
            .post(self.url.clone())
            .timeout(self.limit)
            .header(CONTENT_TYPE, content_type)
            .body(body);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key.clone());
        }
        let response = request.send().await.map_err(|error| self.failed(error))?;
        let status = response.status();
        let mut bytes = Vec::new();
        let mut stream = response.bytes_stream();
        while let Some(piece) = stream.next().await {
            bytes.extend(piece.map_err(|error| self.failed(error))?);
            if bytes.len() > MOST_BYTES {
                let error = transcription("The answer of speech-to-text is not a transcript");
                return Err(error.with_detail("it is longer than any transcript"));
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if !status.is_success() {
            return Err(refused(status, &self.secrets().mask(&text)));
        }
        let answer: Option<Value> = serde_json::from_str(&text).ok();
        match answer.as_ref().and_then(|answer| answer.get("text")?.as_str()) {
            Some(words) => Ok(words_of(words)),
            None => Err(transcription("The answer of speech-to-text is not a transcript")
                .with_hint("check that this is the address of a speech-to-text server, such as http://127.0.0.1:8000/v1")
                .with_detail(shown(&self.secrets().mask(&text)))),
        }
    }
}

impl HttpTranscriber {
    /// The secrets of the request, which the server may repeat in an error.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        if let Some(Ok(key)) = self.key.as_ref().map(HeaderValue::to_str) {
            secrets.add_header(key);
        }
        secrets.add_url(self.url.as_str());
        secrets
    }

    fn failed(&self, error: reqwest::Error) -> VoiceError {
        let address = self.url.origin().ascii_serialization();
        let (kind, message) = if error.is_timeout() {
            let seconds = self.limit.as_secs_f64();
            let message = format!("Speech-to-text gave no answer within {seconds} seconds");
            (VoiceErrorKind::Timeout, message)
        } else if error.is_connect() {
            let message = format!("No speech-to-text server answers at {address}");
            (VoiceErrorKind::Transcription, message)
        } else {
            let message = "The speech-to-text server ended its answer early".to_owned();
            (VoiceErrorKind::Transcription, message)
        };
        VoiceError::new(kind, message)
            .with_hint("check that the speech-to-text server runs, and its address")
            .with_detail(causes(&error.without_url()))
    }
}

fn address(base: &str) -> Result<Url, VoiceError> {
    let wrong = || {
        configuration(&format!(
            "{:?} is not the address of a speech-to-text server",
            mask_url(base)
        ))
        .with_hint("write it like http://127.0.0.1:8000/v1")
    };
    let mut url = Url::parse(base).map_err(|_| wrong())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with(PATH) {
        url.set_path(&format!("{path}{PATH}"));
    }
    Ok(url)
}

fn client(url: &Url) -> Result<reqwest::Client, VoiceError> {
    // Fails if the program has already installed another provider, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("haft/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // A redirected request would pass on its key, or lose its body.
        .redirect(reqwest::redirect::Policy::none());
    if haft_models::is_loopback(url) {
        // Proxies cannot reach servers on this machine.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| {
        configuration("This machine cannot make HTTP connections")
            .with_hint("look at its certificates and proxy settings")
            .with_detail(causes(&error))
    })
}

fn refused(status: reqwest::StatusCode, text: &str) -> VoiceError {
    let hint = match status.as_u16() {
        401 | 403 => "see that the key is right",
        404 => "see that the address and the model are right",
        _ => "read the log of the speech-to-text server",
    };
    let number = status.as_u16();
    transcription(&format!(
        "The speech-to-text server refused the audio with status {number}"
    ))
    .with_hint(hint)
    .with_detail(format!("{status}: {}", shown(text)))
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

fn configuration(message: &str) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Configuration, message)
}

fn transcription(message: &str) -> VoiceError {
    VoiceError::new(VoiceErrorKind::Transcription, message)
}
