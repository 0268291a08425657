//! A key of a user or an application, with its limits.

use std::num::NonZeroU16;
use std::str::FromStr;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// A key as the operator sees it. Its secret is shown only once, when the key is added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Key {
    /// The name of the user or the application.
    pub name: String,
    /// What the key allows.
    pub limits: KeyLimits,
    /// When the key was added.
    #[serde(serialize_with = "seconds_since_1970")]
    pub created_at: SystemTime,
    /// Whether the key was revoked.
    pub is_revoked: bool,
    /// What was used with the key today; a day begins at midnight UTC.
    pub used_today: KeyUsage,
}

/// What a key allows. By default everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct KeyLimits {
    /// The models that may be used, by the names that clients use; empty for all.
    pub models: Vec<String>,
    /// Whether the tools of the gateway are offered; true by default.
    pub server_tools: bool,
    /// The maximum number of requests per minute.
    pub requests_per_minute: Option<u32>,
    /// The maximum number of tokens per minute, prompts and replies together.
    pub tokens_per_minute: Option<u64>,
    /// The maximum number of tokens per day, prompts and replies together.
    pub tokens_per_day: Option<u64>,
    /// The share in busy model servers.
    pub priority: Priority,
}

impl Default for KeyLimits {
    fn default() -> Self {
        Self {
            models: Vec::new(),
            server_tools: true,
            requests_per_minute: None,
            tokens_per_minute: None,
            tokens_per_day: None,
            priority: Priority::default(),
        }
    }
}

/// The share of a key in model servers that others wait for too. No priority starves another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// One request for four of normal priority.
    Low,
    /// The default.
    #[default]
    Normal,
    /// Four requests for one of normal priority.
    High,
}

impl Priority {
    /// The number of requests that are served for one of low priority.
    pub(crate) fn weight(self) -> NonZeroU16 {
        let weight = match self {
            Self::Low => 1,
            Self::Normal => 4,
            Self::High => 16,
        };
        NonZeroU16::new(weight).unwrap_or(NonZeroU16::MIN)
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

impl FromStr for Priority {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all = [Self::Low, Self::Normal, Self::High];
        let mut all = all.into_iter();
        all.find(|priority| priority.name() == name)
            .ok_or("it may be low, normal or high")
    }
}

/// What was used with a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KeyUsage {
    /// The number of requests.
    pub requests: u64,
    /// The tokens of prompts, as the model servers count them.
    pub input_tokens: u64,
    /// The tokens of replies.
    pub output_tokens: u64,
}

impl KeyUsage {
    /// The tokens of prompts and replies together.
    #[must_use]
    pub fn tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

fn seconds_since_1970<S: serde::Serializer>(time: &SystemTime, out: S) -> Result<S::Ok, S::Error> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    out.serialize_u64(since.unwrap_or_default().as_secs())
}
