//! `haft tools`: lists tools, shows one, runs one without a model (in `call`), converts them for a
//! provider, and makes a grammar of their calls.

mod call;

use haft::extract::{Format, ToolSet};
use haft::models::{to_anthropic_tools, to_qwen_tools};
use serde_json::{Value, json};

use crate::args::{ModelArgs, Provider, ToolArgs, ToolsCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::output::{print_json, print_text};
use crate::settings::Settings;
use crate::text::one_line;
use crate::toolbox::{Entry, Toolbox};
use crate::trace::Trace;
use crate::trust::Trust;

/// The maximum length of a description in the list, in characters.
const DESCRIPTION_LIMIT: usize = 100;

pub(crate) async fn run(
    command: ToolsCommand,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let mut trace = Trace::new(verbosity);
    let arguments = tool_arguments(&command);
    let settings =
        Settings::load(&ModelArgs::default(), arguments.mcp.mcp.as_deref(), trust).await?;
    let search = settings.web_search.search_without_fallback();
    let mut interrupts = Interrupts::listen()?;
    let gathering = Toolbox::gather(&arguments, &settings, &search, &trace);
    let toolbox = interrupts.unless(gathering).await??;
    let working = async {
        match &command {
            ToolsCommand::List { json, .. } => list(&toolbox, *json),
            ToolsCommand::Show { name, .. } => show(toolbox.get(name)?),
            ToolsCommand::Convert { to, .. } => convert(&toolbox, *to),
            ToolsCommand::Grammar { format, .. } => grammar(&toolbox, format),
            ToolsCommand::Call(arguments) => {
                toolbox.get(&arguments.name)?;
                call::run(arguments, &toolbox.executor(&settings, None)?, &mut trace).await
            }
        }
    };
    let worked = interrupts.unless(working).await;
    // A second shutdown signal does not wait for the servers.
    let stopped = interrupts.unless(toolbox.servers.shutdown()).await;
    let exit = worked??;
    stopped?;
    Ok(exit)
}

/// The tools that the command needs: only the named one, if there is one.
fn tool_arguments(command: &ToolsCommand) -> ToolArgs {
    let (tools, name) = match command {
        ToolsCommand::List { tools, .. }
        | ToolsCommand::Convert { tools, .. }
        | ToolsCommand::Grammar { tools, .. } => (tools, None),
        ToolsCommand::Show { name, tools } => (tools, Some(name)),
        ToolsCommand::Call(arguments) => (&arguments.tools, Some(&arguments.name)),
    };
    let mut tools = tools.clone();
    if tools.only.is_empty() {
        tools.only.extend(name.cloned());
    }
    tools
}

fn list(toolbox: &Toolbox, as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        let tools: Vec<_> = toolbox.entries.iter().map(described).collect();
        print_json(&tools)?;
        return Ok(Exit::Success);
    }
    let longest = |text: fn(&Entry) -> &str| {
        let lengths = toolbox
            .entries
            .iter()
            .map(|entry| text(entry).chars().count());
        lengths.max().unwrap_or_default()
    };
    let name_width = longest(|entry| entry.tool.name());
    let origin_width = longest(|entry| &entry.origin);
    for entry in &toolbox.entries {
        let effect = if entry.tool.annotations().read_only {
            "reads"
        } else {
            "acts"
        };
        let first_line = entry.tool.description().lines().next().unwrap_or_default();
        let line = format!(
            "{:<name_width$}  {:<origin_width$}  {effect:<5}  {}",
            entry.tool.name(),
            entry.origin,
            one_line(first_line, DESCRIPTION_LIMIT),
        );
        print_text(&line)?;
    }
    Ok(Exit::Success)
}

fn show(entry: &Entry) -> Result<Exit, Failure> {
    let schema = serde_json::to_string_pretty(entry.tool.schema())
        .map_err(|error| Failure::new(format!("The schema cannot be shown: {error}")))?;
    let effect = if entry.tool.annotations().read_only {
        "changes nothing"
    } else {
        "may change something"
    };
    print_text(&format!(
        "{} ({}, {effect})\n\n{}\n\n{schema}",
        entry.tool.name(),
        entry.origin,
        entry.tool.description(),
    ))?;
    Ok(Exit::Success)
}

fn convert(toolbox: &Toolbox, provider: Provider) -> Result<Exit, Failure> {
    let tools = toolbox.tools();
    match provider {
        // Both APIs wrap a tool in the same way.
        Provider::Ollama | Provider::Openai => print_json(&to_qwen_tools(Some(&tools)))?,
        Provider::Anthropic => print_json(&to_anthropic_tools(&tools)?)?,
    }
    Ok(Exit::Success)
}

fn grammar(toolbox: &Toolbox, name: &str) -> Result<Exit, Failure> {
    let tools = ToolSet::new(&toolbox.tools());
    let grammar = Format::named(name).and_then(|format| format.structural_tag(&tools));
    let grammar = grammar.ok_or_else(|| {
        let all = Format::all().filter(|format| format.structural_tag(&tools).is_some());
        let names: Vec<_> = all.map(Format::name).collect();
        let name = one_line(name, DESCRIPTION_LIMIT);
        Failure::usage(format!(
            "There is no grammar for calls in the format \"{name}\""
        ))
        .with_hint(format!(
            "name one with JSON arguments: {}",
            names.join(", ")
        ))
    })?;
    print_json(&grammar)?;
    Ok(Exit::Success)
}

/// A tool for programs.
fn described(entry: &Entry) -> Value {
    let annotations = entry.tool.annotations();
    json!({
        "name": entry.tool.name(),
        "origin": entry.origin,
        "read_only": annotations.read_only,
        "destructive": annotations.destructive,
        "description": entry.tool.description(),
        "schema": entry.tool.schema(),
    })
}
