//! One suite for every provider: the same conversation and the same fault must have the same
//! result, whatever the API.
//!
//! [`PROVIDERS`] is the table. A provider's file says how to build its model, how its server
//! writes a reply, and how to read a request. The other files hold the tests, each of which runs
//! for all rows, streamed and in one piece.

mod anthropic;
mod conversation;
mod faults;
mod generation;
mod ollama;
mod openai;
mod same_calls;
mod text_calls;

use std::sync::Arc;
use std::time::Duration;

use haft_core::ChatModel;
use haft_models::{Limits, Transport};
use haft_testing::{CapturedLog, Reply, ScriptedServer};
use serde_json::Value;

/// The rows.
const PROVIDERS: &[Provider] = &[openai::PROVIDER, anthropic::PROVIDER, ollama::PROVIDER];

/// The key of every model; it must not appear anywhere.
const KEY: &str = "sk-hush-0123456789";

/// The name of the requested model.
const MODEL: &str = "tiny";

/// One provider, as the suite needs it.
struct Provider {
    name: &'static str,
    /// The model [`MODEL`] at a server's root address, with [`KEY`] as its key.
    model: fn(Setup<'_>) -> Arc<dyn ChatModel>,
    /// How its server writes a reply.
    reply: fn(streamed: bool, said: &Said<'_>) -> Reply,
    /// A stream with the text "Hel" and without an end marker.
    unfinished: fn() -> Reply,
    /// A stream, or a whole reply, that is not JSON where JSON must be.
    malformed: fn(streamed: bool) -> Reply,
    /// How its server lists its models.
    models: fn(names: &[&str]) -> Reply,
    /// The conversation in a request.
    messages: fn(body: &Value) -> Vec<Sent>,
    /// The names of the tools in a request.
    tools: fn(body: &Value) -> Vec<String>,
}

/// How to build a model.
struct Setup<'a> {
    /// The server's address without a path.
    url: &'a str,
    streamed: bool,
    transport: Transport,
}

/// What a server says.
#[derive(Default)]
struct Said<'a> {
    text: &'a str,
    /// Id, name and arguments of each call.
    calls: Vec<(&'a str, &'a str, Value)>,
}

/// A message as it was sent.
#[derive(Debug, Default, PartialEq)]
struct Sent {
    /// `system`, `user`, `assistant` or `tool`.
    role: String,
    text: String,
    /// Id (empty on wires without ids), name and arguments of each call.
    calls: Vec<(String, String, Value)>,
    /// The id of the call that is answered; empty on wires without ids.
    answers: String,
}

/// Limits with which faults show quickly.
fn quick() -> Limits {
    let mut limits = Limits::default();
    limits.retry_wait = Duration::from_millis(1);
    limits
}

impl Provider {
    fn at(&self, server: &ScriptedServer, streamed: bool) -> Arc<dyn ChatModel> {
        self.within(server, streamed, quick())
    }

    fn within(
        &self,
        server: &ScriptedServer,
        streamed: bool,
        limits: Limits,
    ) -> Arc<dyn ChatModel> {
        (self.model)(Setup {
            url: server.url(),
            streamed,
            transport: Transport::http().with_limits(limits),
        })
    }

    fn says(&self, streamed: bool, text: &str) -> Reply {
        let said = Said {
            text,
            ..Said::default()
        };
        (self.reply)(streamed, &said)
    }
}

/// Every row, streamed and in one piece.
#[expect(
    clippy::print_stdout,
    reason = "a failed assertion shows which row it was about"
)]
fn rows() -> impl Iterator<Item = (&'static Provider, bool)> {
    CapturedLog::of_program();
    let rows = PROVIDERS
        .iter()
        .flat_map(|provider| [(provider, true), (provider, false)]);
    rows.inspect(|(provider, streamed)| println!("{} streamed: {streamed}", provider.name))
}
