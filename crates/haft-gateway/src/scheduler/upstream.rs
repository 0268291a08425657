//! The configuration of a model server, and its status.

use std::collections::BTreeMap;

use haft_models::{ModelServer, ServerKind};

/// A model server and its configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Upstream {
    /// The server.
    pub server: ModelServer,
    /// Its name in logs and metrics; host and port by default.
    pub name: String,
    /// The models that clients may use: exact names, or prefixes that end with `*`. Empty means all
    /// models of the server.
    pub models: Vec<String>,
    /// Aliases of its models: the client's name, and the server's name.
    pub aliases: BTreeMap<String, String>,
    /// The maximum number of requests at the same time; unlimited by default. Others wait.
    pub max_in_flight: Option<usize>,
    /// Whether it is only used if all others with the model fail.
    pub fallback: bool,
}

impl From<ModelServer> for Upstream {
    fn from(server: ModelServer) -> Self {
        Self {
            name: server.host(),
            server,
            models: Vec::new(),
            aliases: BTreeMap::new(),
            max_in_flight: None,
            fallback: false,
        }
    }
}

/// The status of an upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamStatus {
    /// Its name.
    pub name: String,
    /// The API of the server.
    pub kind: ServerKind,
    /// Whether it is in use: its latest requests did not fail.
    pub is_healthy: bool,
    /// The number of running requests.
    pub in_flight: usize,
    /// The number of waiting requests that could be served here.
    pub waiting: usize,
    /// The number of requests so far.
    pub requests: u64,
    /// The number of requests that failed because of the server.
    pub failures: u64,
}
