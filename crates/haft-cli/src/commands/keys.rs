//! `haft keys`: the keys of the gateway's users.

use haft::gateway::{Key, KeyLimits, KeyStore};
use serde_json::json;

use crate::args::{KeysAddArgs, KeysArgs, KeysCommand};
use crate::attempts::state_file;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};

/// The store of keys that was named, or the file in the state folder.
pub(crate) async fn store(address: Option<&str>) -> Result<KeyStore, Failure> {
    Ok(match address {
        Some(address) => KeyStore::connect(address).await?,
        None => KeyStore::open(state_file("keys.db")?),
    })
}

pub(crate) async fn run(arguments: KeysArgs) -> Result<Exit, Failure> {
    let store = store(arguments.store.as_deref()).await?;
    match arguments.command {
        KeysCommand::Add(arguments) => add(&store, arguments).await?,
        KeysCommand::List { json: true } => print_json(&store.list().await?)?,
        KeysCommand::List { json: false } => print_text(&table(&store.list().await?))?,
        KeysCommand::Revoke { name } => {
            if !store.revoke(&name).await? {
                let message = format!("There is no key \"{name}\" to revoke");
                return Err(Failure::new(message).with_hint("see: haft keys list"));
            }
            print_text(&format!("{name} is revoked"))?;
        }
    }
    Ok(Exit::Success)
}

/// Prints the secret alone on stdout, so that a script can store it.
async fn add(store: &KeyStore, arguments: KeysAddArgs) -> Result<(), Failure> {
    let mut limits = KeyLimits::default();
    limits.models = arguments.models;
    limits.server_tools = !arguments.no_server_tools;
    limits.requests_per_minute = arguments.requests_per_minute;
    limits.tokens_per_minute = arguments.tokens_per_minute;
    limits.tokens_per_day = arguments.tokens_per_day;
    limits.priority = arguments.priority;
    let secret = store.add(&arguments.name, &limits).await?;
    if arguments.json {
        return print_json(&json!({"name": arguments.name, "key": secret}));
    }
    anstream::eprintln!(
        "The key of {}. It is shown only now; clients send it as their API key.",
        arguments.name
    );
    print_text(&secret)
}

fn table(keys: &[Key]) -> String {
    let width = keys.iter().map(|key| key.name.len()).max();
    let width = width.unwrap_or_default();
    let rows = keys.iter().map(|key| {
        let used = key.used_today;
        let state = if key.is_revoked {
            "revoked".to_owned()
        } else {
            format!("{} requests, {} tokens today", used.requests, used.tokens())
        };
        format!("{:<width$}  {state}  {}", key.name, limits(&key.limits))
            .trim_end()
            .to_owned()
    });
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        return "no keys".to_owned();
    }
    rows.join("\n")
}

/// The limits in words; empty if there are none.
fn limits(limits: &KeyLimits) -> String {
    let mut parts = Vec::new();
    if !limits.models.is_empty() {
        parts.push(format!("models {}", limits.models.join(",")));
    }
    if let Some(most) = limits.requests_per_minute {
        parts.push(format!("{most} requests/min"));
    }
    if let Some(most) = limits.tokens_per_minute {
        parts.push(format!("{most} tokens/min"));
    }
    if let Some(most) = limits.tokens_per_day {
        parts.push(format!("{most} tokens/day"));
    }
    if limits.priority != haft::gateway::Priority::Normal {
        parts.push(format!("{} priority", limits.priority.name()));
    }
    if !limits.server_tools {
        parts.push("no server tools".to_owned());
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!("({})", parts.join(", ")),
    }
}
