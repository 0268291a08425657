//! `[[upstream]]` of `haft.toml`: the model servers behind `haft serve`.

use std::collections::BTreeMap;

use haft::models::Secret;
use haft::types::mask_url;
use serde::{Deserialize, Deserializer};

use super::environment::environment;
use crate::failure::Failure;

/// The known keys of a table.
pub(super) const KEYS: &[&str] = &[
    "url",
    "name",
    "key_env",
    "models",
    "aliases",
    "max_in_flight",
    "fallback",
];

/// One model server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpstreamSettings {
    /// The address, optionally with a kind as prefix: `ollama:http://127.0.0.1:11434`.
    pub(crate) url: String,
    pub(crate) name: Option<String>,
    /// The environment variable with its key.
    key_env: Option<String>,
    #[serde(default)]
    pub(crate) models: Vec<String>,
    #[serde(default)]
    pub(crate) aliases: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "max_in_flight")]
    pub(crate) max_in_flight: Option<usize>,
    #[serde(default)]
    pub(crate) fallback: bool,
}

impl UpstreamSettings {
    /// The key, if one is configured.
    pub(crate) fn key(&self) -> Result<Option<Secret>, Failure> {
        let Some(variable) = &self.key_env else {
            return Ok(None);
        };
        let key = environment(variable).ok_or_else(|| {
            let url = mask_url(&self.url);
            Failure::new(format!(
                "The key of the upstream {url} is to be in {variable}, which is not set"
            ))
            .with_hint(format!(
                "set {variable}, or leave `key_env` out of its [[upstream]]"
            ))
        })?;
        Ok(Some(Secret::new(key)))
    }
}

fn max_in_flight<'de, D: Deserializer<'de>>(input: D) -> Result<Option<usize>, D::Error> {
    let number = usize::deserialize(input)?;
    if (1..=10_000).contains(&number) {
        Ok(Some(number))
    } else {
        Err(serde::de::Error::custom(
            "max_in_flight goes from 1 to 10000",
        ))
    }
}
