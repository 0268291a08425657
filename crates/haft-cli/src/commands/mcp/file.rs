//! `haft mcp list`, `add` and `remove`: shows and edits the file of MCP servers. No server is
//! started.

use std::path::PathBuf;

use haft::tools::{McpConfig, McpDocument, ToolsError};
use haft::types::{mask_arguments, mask_url};
use serde_json::{Map, Value, json};

use crate::args::{McpAddArgs, McpFileArgs, McpListArgs, McpRemoveArgs, ModelArgs};
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::settings::Settings;
use crate::text::one_line;
use crate::trust::{Trust, claims_of_servers, is_remembered, remember};

/// The file to which a server is added if no file is named and none exists.
const DEFAULT_FILE: &str = ".mcp.json";

/// The maximum length of a server's command or address in a list, in characters.
const TARGET_LIMIT: usize = 100;

/// The file from the flag or the settings.
async fn file(arguments: &McpFileArgs, trust: Trust) -> Result<PathBuf, Failure> {
    let trust = trust.without_asking();
    let flag = arguments.file.as_deref();
    let settings = Settings::load(&ModelArgs::default(), flag, trust).await?;
    Ok(settings.mcp.value.unwrap_or_else(|| DEFAULT_FILE.into()))
}

pub(super) async fn list(arguments: &McpListArgs, trust: Trust) -> Result<Exit, Failure> {
    let document = McpDocument::open(file(&arguments.file, trust).await?)?;
    let entries = document.entries();
    let problems = problems(&document)?;
    if arguments.json {
        let listed = entries.iter().map(|(name, server)| {
            let problem = problems.get(name).cloned().unwrap_or_default();
            described(name, server, &problem)
        });
        print_json(&listed.collect::<Vec<_>>())?;
        return Ok(Exit::Success);
    }
    if entries.is_empty() {
        let path = document.path().display();
        return Err(Failure::new(format!("There are no servers in {path}"))
            .with_hint("add one: haft mcp add time uvx mcp-server-time"));
    }
    let lengths = entries.iter().map(|(name, _)| name.chars().count());
    let width = lengths.max().unwrap_or_default();
    for (name, server) in &entries {
        let name = one_line(name, TARGET_LIMIT);
        let target = one_line(&target(server), TARGET_LIMIT);
        let transport = transport(server);
        let mut line = format!("{name:<width$}  {transport:<5}  {target}");
        if is_disabled(server) {
            line += "  (disabled)";
        }
        print_text(&line)?;
        if let Some(problem) = problems.get(name.as_str()) {
            let (message, hint) = (&problem["message"], problem["hint"].as_str());
            let message = message.as_str().unwrap_or_default();
            print_text(&format!("{:width$}  error: {message}", ""))?;
            if let Some(hint) = hint {
                print_text(&format!("{:width$}  hint: {hint}", ""))?;
            }
        }
    }
    Ok(Exit::Success)
}

pub(super) async fn add(arguments: &McpAddArgs, trust: Trust) -> Result<Exit, Failure> {
    let name = arguments.name.trim();
    if name.is_empty() || name.starts_with('-') {
        return Err(Failure::usage("A server needs a name")
            .with_hint("haft mcp add NAME COMMAND [ARGUMENT]..."));
    }
    let server = entry(arguments)?;
    check(name, &server)?;
    let file = file(&arguments.file, trust).await?;
    let document = change(file, |document| document.add(name, &server))?;
    let path = document.path().display();
    print_text(&format!(
        "Added {name} to {path}; try it with: haft mcp test {name}"
    ))?;
    Ok(Exit::Success)
}

pub(super) async fn remove(arguments: &McpRemoveArgs, trust: Trust) -> Result<Exit, Failure> {
    let file = file(&arguments.file, trust).await?;
    let document = change(file, |document| document.remove(&arguments.name))?;
    let path = document.path().display();
    print_text(&format!("Removed {} from {path}", arguments.name))?;
    Ok(Exit::Success)
}

/// Whether the content of a file is trusted by the user, or empty.
fn is_trusted(document: &McpDocument) -> bool {
    let text = document.text();
    claims_of_servers(text).is_empty() || is_remembered(document.path(), text)
}

/// Changes the file. A trusted file stays trusted, because the user made the change.
fn change(
    file: PathBuf,
    change: impl FnOnce(&mut McpDocument) -> Result<(), ToolsError>,
) -> Result<McpDocument, Failure> {
    let mut was_trusted = false;
    let document = McpDocument::change(file, |document| {
        was_trusted = is_trusted(document);
        change(document)
    })?;
    if was_trusted {
        remember(document.path(), document.text());
    }
    Ok(document)
}

/// The entry of a server in the form of other hosts.
fn entry(arguments: &McpAddArgs) -> Result<Value, Failure> {
    let mut entry = Map::new();
    let mut add = |name: &str, value: Value| entry.insert(name.to_owned(), value);
    let pairs = |pairs: &[(String, String)]| -> Value {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)));
        Value::Object(pairs.collect())
    };
    let (target, rest) = arguments.target.split_first().unzip();
    let target = target.map(String::as_str).unwrap_or_default();
    let rest = rest.unwrap_or_default();
    if target.starts_with("http://") || target.starts_with("https://") {
        if let Some(surplus) = rest.first() {
            let message = format!("An address takes no arguments, and here is {surplus:?}");
            return Err(Failure::usage(message).with_hint("flags go before the address"));
        }
        if !arguments.env.is_empty() {
            return Err(
                Failure::usage("--env is for a command, and this is an address")
                    .with_hint("a key for an address goes into --header"),
            );
        }
        add("type", json!("http"));
        add("url", json!(target));
        if !arguments.header.is_empty() {
            add("headers", pairs(&arguments.header));
        }
    } else {
        if !arguments.header.is_empty() {
            return Err(
                Failure::usage("--header is for an address, and this is a command")
                    .with_hint("a key for a command goes into --env"),
            );
        }
        add("command", json!(target));
        if !rest.is_empty() {
            add("args", json!(rest));
        }
        if !arguments.env.is_empty() {
            add("env", pairs(&arguments.env));
        }
    }
    for (name, list) in [
        ("include", &arguments.include),
        ("exclude", &arguments.exclude),
    ] {
        if !list.is_empty() {
            add(name, json!(list));
        }
    }
    Ok(Value::Object(entry))
}

/// Reports errors that would occur at the start of the server, except for variables that may be set
/// by then.
fn check(name: &str, server: &Value) -> Result<(), Failure> {
    let text = json!({"mcpServers": {name: server}}).to_string();
    let config = McpConfig::parse(&text, "this command")?;
    match config.problems().next() {
        Some(problem) if !problem.message.ends_with("which is not set") => {
            let failure = Failure::usage(problem.message.clone());
            Err(match &problem.hint {
                Some(hint) => failure.with_hint(hint.clone()),
                None => failure,
            })
        }
        _ => Ok(()),
    }
}

/// The problems of servers, by name.
fn problems(document: &McpDocument) -> Result<Map<String, Value>, Failure> {
    if document.entries().is_empty() {
        return Ok(Map::new());
    }
    let config = McpConfig::parse(document.text(), &document.path().display().to_string())?;
    let described = config.problems().map(|problem| {
        let json = json!({"message": problem.message, "hint": problem.hint});
        (problem.server.clone(), json)
    });
    Ok(described.collect())
}

/// A server as JSON for programs. Values of variables and headers are omitted, and secrets in
/// addresses and arguments are masked.
fn described(name: &str, server: &Value, problem: &Value) -> Value {
    let names = |field: &str| {
        let object = server.get(field).and_then(Value::as_object);
        object.map(|object| object.keys().cloned().collect::<Vec<_>>())
    };
    json!({
        "name": name,
        "transport": transport(server),
        "command": server.get("command"),
        "args": server.get("args").map(|args| match args.as_array() {
            Some(words) => json!(mask_arguments(&words.iter().map(text).collect::<Vec<_>>())),
            None => args.clone(),
        }),
        "url": server.get("url").map(|url| mask_url(&text(url))),
        "env": names("env"),
        "headers": names("headers"),
        "include": server.get("include"),
        "exclude": server.get("exclude"),
        "disabled": is_disabled(server),
        "problem": problem,
    })
}

fn transport(server: &Value) -> &str {
    let is_there = |field: &str| server.get(field).is_some();
    match server.get("type").and_then(Value::as_str) {
        Some(named) => named,
        None if is_there("command") => "stdio",
        None if is_there("url") => "http",
        None => "-",
    }
}

/// The command or address of a server, with its secrets masked.
fn target(server: &Value) -> String {
    if let Some(url) = server.get("url") {
        return mask_url(&text(url));
    }
    let args = server.get("args").and_then(Value::as_array);
    let command = server.get("command").into_iter();
    let words: Vec<_> = command
        .chain(args.into_iter().flatten())
        .map(text)
        .collect();
    mask_arguments(&words).join(" ")
}

fn text(value: &Value) -> String {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string())
}

fn is_disabled(server: &Value) -> bool {
    server.get("disabled") == Some(&Value::Bool(true))
}
