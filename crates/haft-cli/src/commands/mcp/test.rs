//! `haft mcp test`: starts servers, reports what they offer, and stops them.

use std::sync::Arc;

use haft::Tool;
use haft::tools::{McpConfig, McpFailure, McpLeftOut, McpServers, McpStatus};
use haft::types::ToolSource;
use serde_json::{Value, json};

use crate::args::{McpTestArgs, ModelArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::nearest::nearest;
use crate::output::{print_json, print_text};
use crate::settings::Settings;
use crate::text::{one_line, plain};
use crate::trace::{Trace, took};
use crate::trust::{TRUST_IT, Trust};

/// The maximum length of a warning or a list of names in characters.
const TEXT_LIMIT: usize = 1000;

pub(super) async fn run(
    arguments: &McpTestArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let flag = arguments.file.file.as_deref();
    let settings = Settings::load(&ModelArgs::default(), flag, trust).await?;
    let config = match settings.mcp_config().await? {
        Some(config) => config,
        None => match settings.untrusted_mcp() {
            Some(reason) => {
                return Err(
                    Failure::new(format!("{reason}, so nothing is started")).with_hint(TRUST_IT)
                );
            }
            None => McpConfig::default(),
        },
    };
    let config = picked(config, &arguments.names)?;
    let trace = Trace::new(verbosity);
    trace.wait("starting MCP servers");
    let servers = McpServers::start(&config).await;
    trace.clear();
    let names: Vec<String> = config.names().map(str::to_owned).collect();
    let reports: Vec<_> = names
        .iter()
        .map(|name| Report::of(name, &servers))
        .collect();
    let failed = !servers.failures().is_empty();
    if arguments.json {
        print_json(&reports.iter().map(Report::json).collect::<Vec<_>>())?;
    } else {
        for report in &reports {
            print_text(&report.text())?;
        }
    }
    servers.shutdown().await;
    Ok(if failed { Exit::Failure } else { Exit::Success })
}

/// The servers with these names; all if none is named.
fn picked(mut config: McpConfig, names: &[String]) -> Result<McpConfig, Failure> {
    if names.is_empty() {
        if config.names().next().is_some() {
            return Ok(config);
        }
        return Err(Failure::new("There are no servers to test")
            .with_hint("add one: haft mcp add time uvx mcp-server-time"));
    }
    if let Some(unknown) = names
        .iter()
        .find(|name| !config.names().any(|known| known == *name))
    {
        let hint = match nearest(unknown, config.names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "there are: {}",
                config.names().collect::<Vec<_>>().join(", ")
            ),
        };
        return Err(Failure::usage(format!("There is no server \"{unknown}\"")).with_hint(hint));
    }
    let others: Vec<String> = config
        .names()
        .filter(|known| !names.iter().any(|name| name == known))
        .map(str::to_owned)
        .collect();
    for other in others {
        config.take(&other);
    }
    Ok(config)
}

/// The test result of one server.
struct Report<'a> {
    name: &'a str,
    status: Option<&'a McpStatus>,
    failure: Option<&'a McpFailure>,
    tools: Vec<Arc<dyn Tool>>,
    left_out: Vec<McpLeftOut>,
}

impl<'a> Report<'a> {
    fn of(name: &'a str, servers: &'a McpServers) -> Self {
        let is_its = |tool: &Arc<dyn Tool>| match tool.source() {
            ToolSource::Mcp { server } => server == name,
            ToolSource::Custom => false,
        };
        Self {
            name,
            status: servers
                .statuses()
                .iter()
                .find(|status| status.server == name),
            failure: servers
                .failures()
                .iter()
                .find(|failure| failure.server == name),
            tools: servers.tools().into_iter().filter(is_its).collect(),
            left_out: servers
                .left_out(&[])
                .into_iter()
                .filter(|one| one.server == name)
                .collect(),
        }
    }

    /// The result as text.
    fn text(&self) -> String {
        let name = one_line(self.name, TEXT_LIMIT);
        let mut lines = Vec::new();
        if let Some(status) = self.status {
            let started = took(status.started_in);
            let protocol = status.protocol.as_deref().unwrap_or("unknown");
            let tools = self.tools.len();
            lines.push(format!(
                "{name}: ok, {}, MCP {protocol}, {tools} tools, {started}",
                status.transport
            ));
            let all: Vec<_> = self.tools.iter().map(Tool::name).collect();
            lines.push(format!(
                "  tools    {}",
                one_line(&all.join(", "), TEXT_LIMIT)
            ));
            let asked = self
                .tools
                .iter()
                .filter(|tool| tool.annotations().destructive);
            let asked: Vec<_> = asked.map(Tool::name).collect();
            if !asked.is_empty() {
                let asked = one_line(&asked.join(", "), TEXT_LIMIT);
                lines.push(format!("  asks     {asked}"));
            }
            for one in &self.left_out {
                let one = one.to_string();
                lines.push(format!("  left out {}", one_line(&one, TEXT_LIMIT)));
            }
            for warning in &status.warnings {
                lines.push(format!("  warning  {}", one_line(warning, TEXT_LIMIT)));
            }
        }
        if let Some(failure) = self.failure {
            let message = plain(&failure.message).replace('\n', "\n  ");
            lines.push(format!("{name}: failed, {message}"));
            if let Some(hint) = &failure.hint {
                lines.push(format!("  hint: {}", one_line(hint, TEXT_LIMIT)));
            }
        }
        lines.join("\n")
    }

    /// The result as JSON.
    fn json(&self) -> Value {
        let tools = self.tools.iter().map(|tool| {
            let annotations = tool.annotations();
            json!({
                "name": tool.name(),
                "read_only": annotations.read_only,
                "asks": annotations.destructive,
            })
        });
        json!({
            "name": self.name,
            "ok": self.status.is_some(),
            "transport": self.status.map(|status| status.transport),
            "protocol": self.status.and_then(|status| status.protocol.as_ref()),
            "started_in_ms": self.status.map(|status| status.started_in.as_millis() as u64),
            "tools": tools.collect::<Vec<_>>(),
            "left_out": self.left_out,
            "warnings": self.status.map(|status| &status.warnings),
            "failure": self.failure.map(|failure| &failure.message),
            "hint": self.failure.and_then(|failure| failure.hint.as_ref()),
        })
    }
}
