//! `[gateway.limits]` of `haft.toml`: the ceilings of `haft serve`.

use std::time::Duration;

use haft::gateway::GatewayLimits;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::settings::values;

/// The highest number that a limit may have; more is probably a typing error.
const MOST: usize = 1_000_000;

/// The limits that are set; the others follow from the machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LimitsSection {
    #[serde(deserialize_with = "count")]
    conversations: Option<usize>,
    #[serde(deserialize_with = "count")]
    connections: Option<usize>,
    #[serde(deserialize_with = "count")]
    connections_per_address: Option<usize>,
    /// The number of requests that may wait for a model server.
    #[serde(deserialize_with = "count")]
    pub(crate) waiting: Option<usize>,
    #[serde(deserialize_with = "values::time")]
    first_request: Option<Duration>,
    #[serde(deserialize_with = "values::time")]
    drain: Option<Duration>,
}

impl LimitsSection {
    /// Sets these limits.
    pub(crate) fn apply(&self, limits: &mut GatewayLimits) {
        if let Some(connections) = self.connections {
            limits.connections = connections;
            limits.conversations = limits.conversations.min(connections);
            limits.connections_per_address = connections.div_ceil(2);
        }
        let set = |to: &mut usize, value: Option<usize>| *to = value.unwrap_or(*to);
        set(&mut limits.conversations, self.conversations);
        set(
            &mut limits.connections_per_address,
            self.connections_per_address,
        );
        limits.first_request = self.first_request.unwrap_or(limits.first_request);
        limits.drain = self.drain.unwrap_or(limits.drain);
    }

    /// The limits that are set, as `haft config show` prints them.
    pub(super) fn row(&self) -> Map<String, Value> {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64().into());
        let count = |count: Option<usize>| count.map(Value::from);
        let set = [
            ("conversations", count(self.conversations)),
            ("connections", count(self.connections)),
            (
                "connections_per_address",
                count(self.connections_per_address),
            ),
            ("waiting", count(self.waiting)),
            ("first_request", seconds(self.first_request)),
            ("drain", seconds(self.drain)),
        ];
        let set = set.into_iter();
        set.filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

fn count<'de, D: Deserializer<'de>>(input: D) -> Result<Option<usize>, D::Error> {
    let number = usize::deserialize(input)?;
    if (1..=MOST).contains(&number) {
        return Ok(Some(number));
    }
    let message = format!("a limit goes from 1 to {MOST}");
    Err(serde::de::Error::custom(message))
}
