//! The configuration of a model server, and its status.

use std::collections::BTreeMap;

use haft_models::{ModelServer, ServerKind};

/// A model server and what it is used for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Upstream {
    /// The server.
    pub server: ModelServer,
    /// What it is called in logs and counters; host and port by default.
    pub name: String,
    /// Its models that clients may have: exact names, or beginnings that end with `*`. All that
    /// it has where there are none.
    pub models: Vec<String>,
    /// More names for its models: what a client says, and what the server calls it.
    pub aliases: BTreeMap<String, String>,
    /// The maximum number of requests at the same time; unlimited by default. Others wait.
    pub max_in_flight: Option<usize>,
    /// Whether it is only used where all others that have the model fail.
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

/// How an upstream is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamStatus {
    /// Its name.
    pub name: String,
    /// What it speaks.
    pub kind: ServerKind,
    /// Whether it is in use: its last requests did not fail.
    pub is_healthy: bool,
    /// Requests under way.
    pub in_flight: usize,
    /// Requests that wait for a place and could get one here.
    pub waiting: usize,
    /// Requests so far.
    pub requests: u64,
    /// Those of them that failed by the server's fault.
    pub failures: u64,
}
