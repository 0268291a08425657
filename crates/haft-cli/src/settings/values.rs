//! Reads single values of the settings file.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use haft::tools::Synonym;
use haft::types::RecoveryStep;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::renamed;
use crate::args::{duration, seconds};

/// Reads one of the names that a type knows.
pub(super) fn named<'de, D, T>(input: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let value = String::deserialize(input)?.parse();
    value.map(Some).map_err(D::Error::custom)
}

/// Reads whether each recovery step is enabled, by its name.
pub(super) fn recovery<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<BTreeMap<RecoveryStep, bool>, D::Error> {
    let named = BTreeMap::<String, bool>::deserialize(input)?;
    let steps = named.into_iter().map(|(name, in_use)| {
        let step = renamed::key("recovery", &name).parse();
        step.map(|step| (step, in_use))
    });
    steps.collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// Reads a sampling temperature, from 0 to 2.
pub(super) fn temperature<'de, D: Deserializer<'de>>(input: D) -> Result<Option<f64>, D::Error> {
    let number = f64::deserialize(input)?;
    if (0.0..=2.0).contains(&number) {
        Ok(Some(number))
    } else {
        Err(D::Error::custom("a temperature goes from 0 to 2"))
    }
}

/// Reads a context size in tokens.
pub(super) fn context<'de, D: Deserializer<'de>>(input: D) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(input)?;
    if (512..=10_000_000).contains(&number) {
        Ok(Some(number))
    } else {
        Err(D::Error::custom(
            "a context goes from 512 to 10000000 tokens",
        ))
    }
}

/// Reads a length of output in characters.
pub(super) fn output<'de, D: Deserializer<'de>>(input: D) -> Result<Option<usize>, D::Error> {
    let number = usize::deserialize(input)?;
    if (100..=10_000_000).contains(&number) {
        Ok(Some(number))
    } else {
        Err(D::Error::custom(
            "max_output goes from 100 to 10000000 characters",
        ))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SynonymEntry {
    tool: String,
    given: String,
    parameter: String,
}

/// Reads other names of parameters.
pub(super) fn synonyms<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<Vec<Synonym>>, D::Error> {
    let entries = Vec::<SynonymEntry>::deserialize(input)?;
    let synonym = |entry: SynonymEntry| Synonym {
        tool: entry.tool,
        given: entry.given,
        parameter: entry.parameter,
    };
    Ok(Some(entries.into_iter().map(synonym).collect()))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Seconds(f64),
    Text(String),
}

/// Reads a length of time: seconds, or a text such as "30s".
pub(super) fn time<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Duration>, D::Error> {
    let time = match Time::deserialize(input) {
        Ok(Time::Seconds(number)) => seconds(number),
        Ok(Time::Text(text)) => duration(&text),
        Err(_) => Err("write seconds, or a time like \"30s\"".to_owned()),
    };
    time.map(Some).map_err(D::Error::custom)
}
