//! The findings of `haft doctor`: lines with a state and an optional hint.

use haft::models::{AnthropicSurvey, ModelSurvey, OllamaSurvey, OpenAiSurvey, ToolSupport};
use haft::tools::McpServers;
use serde::Serialize;

use crate::failure::Failure;
use crate::settings::{Settings, Source};
use crate::trace::took;
use crate::trust::TRUST_IT;

/// A small model that calls tools and runs on any machine.
const SMALL_MODEL: &str = "install a small model that can call tools: ollama pull qwen3:0.6b";

const GET_OLLAMA: &str =
    "if there is no Ollama yet: https://ollama.com, then ollama pull qwen3:0.6b";

/// The maximum number of models listed per server.
pub(super) const MODELS_NAMED: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Present and working.
    Ok,
    /// Working, but something should be changed.
    Warning,
    /// Not set up, and not needed.
    Optional,
    /// Absent, although something that is set up could use it.
    Missing,
    /// Configured, but not working.
    Failed,
}

#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) state: State,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) hint: Option<String>,
}

impl State {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Optional => "optional",
            Self::Missing => "missing",
            Self::Failed => "failed",
        }
    }
}

impl Finding {
    pub(super) fn new(state: State, subject: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            state,
            subject: subject.into(),
            text: text.into(),
            hint: None,
        }
    }

    pub(super) fn of(state: State, subject: &str, failure: Failure) -> Self {
        Self {
            hint: failure.hint,
            ..Self::new(state, subject, failure.message)
        }
    }

    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

pub(super) fn file(settings: &Settings) -> Finding {
    match &settings.file {
        Some(path) => Finding::new(State::Ok, "settings", path.display().to_string()),
        None => Finding::new(
            State::Optional,
            "settings",
            "no haft.toml, so the defaults hold",
        ),
    }
}

/// An Ollama that does not answer has failed if its address is configured, and is optional else.
pub(super) fn ollama(found: &OllamaSurvey, source: &Source) -> Vec<Finding> {
    const SUBJECT: &str = "Ollama";
    let address = &found.address;
    if let Some(problem) = &found.problem {
        let hint = found.hint.as_deref().unwrap_or("is it running?");
        let state = match source {
            Source::Default => State::Optional,
            Source::Flag(_) | Source::Environment(_) | Source::File(_) => State::Failed,
        };
        let finding = Finding::new(state, SUBJECT, problem.as_str());
        return vec![finding.with_hint(format!("{hint}; {GET_OLLAMA}"))];
    }
    let version = found.version.as_deref().unwrap_or("of unknown version");
    let text = format!("{version} at {address}, {} models", found.models.len());
    let mut findings = vec![Finding::new(State::Ok, SUBJECT, text)];
    findings.extend(found.models.iter().map(ollama_model));
    if !found.models.iter().any(|model| model.calls_tools) {
        let finding = Finding::new(State::Missing, SUBJECT, "no model with native tools");
        findings.push(finding.with_hint(SMALL_MODEL));
    }
    findings
}

fn ollama_model(model: &ModelSurvey) -> Finding {
    let (state, tools) = match model.calls_tools {
        true => (State::Ok, "can call tools"),
        false => (State::Missing, "no native tools, so they would go as text"),
    };
    let megabytes = model.size_bytes / 1_000_000;
    let loaded = if model.loaded { ", loaded" } else { "" };
    let text = format!("{tools}, {megabytes} MB{loaded}");
    Finding::new(state, format!("ollama:{}", model.name), text)
}

pub(super) fn openai(found: Option<&OpenAiSurvey>) -> Finding {
    const SUBJECT: &str = "OpenAI";
    let Some(found) = found else {
        return Finding::new(State::Optional, SUBJECT, "neither a key nor an address")
            .with_hint("set OPENAI_API_KEY, or OPENAI_BASE_URL for another server");
    };
    if let Some(problem) = &found.problem {
        let finding = Finding::new(State::Failed, SUBJECT, problem.as_str());
        let address = format!(
            "check OPENAI_BASE_URL and OPENAI_API_KEY ({})",
            found.address
        );
        return finding.with_hint(found.hint.as_deref().unwrap_or(&address));
    }
    let named: Vec<_> = found
        .models
        .iter()
        .take(MODELS_NAMED)
        .map(String::as_str)
        .collect();
    let more = if found.models.len() > MODELS_NAMED {
        ", ..."
    } else {
        ""
    };
    let count = found.models.len();
    let text = format!(
        "{}, {count} models: {}{more}",
        found.address,
        named.join(", ")
    );
    let without: Vec<_> = found
        .tools
        .iter()
        .filter(|(_, tools)| **tools == ToolSupport::Missing)
        .map(|(name, _)| name.as_str())
        .collect();
    if without.is_empty() {
        return Finding::new(State::Ok, SUBJECT, text);
    }
    let text = format!(
        "{text}; the server gives no tools to {}",
        without.join(", ")
    );
    Finding::new(State::Warning, SUBJECT, text).with_hint("tools are taught in its prompt instead")
}

pub(super) fn anthropic(found: &AnthropicSurvey) -> Finding {
    const SUBJECT: &str = "Anthropic";
    if found.key_set {
        return Finding::new(State::Ok, SUBJECT, "the key is set; it was not tried");
    }
    Finding::new(State::Optional, SUBJECT, "no key").with_hint("set ANTHROPIC_API_KEY")
}

pub(super) fn builtin() -> Finding {
    let text = "always there: no language model, but it knows the time and operates devices";
    Finding::new(State::Ok, "builtin", text)
}

/// `found` is `None` if the file is not trusted.
pub(super) fn servers(
    settings: &Settings,
    found: &Result<Option<McpServers>, Failure>,
) -> Vec<Finding> {
    const SUBJECT: &str = "MCP";
    let Some(path) = &settings.mcp.value else {
        return vec![
            Finding::new(State::Optional, SUBJECT, "no servers are configured")
                .with_hint("write them into .mcp.json, or name a file with --mcp"),
        ];
    };
    let servers = match found {
        Ok(Some(servers)) => servers,
        Ok(None) => {
            let reason = settings.untrusted_mcp().unwrap_or_default();
            let text = format!("{reason}, so its servers are not used");
            return vec![Finding::new(State::Missing, SUBJECT, text).with_hint(TRUST_IT)];
        }
        Err(failure) => return vec![Finding::of(State::Failed, SUBJECT, failure.clone())],
    };
    let count = servers.statuses().len() + servers.failures().len();
    let text = format!("{} names {count} servers", path.display());
    let mut findings = vec![Finding::new(State::Ok, SUBJECT, text)];
    findings.extend(servers.statuses().iter().map(|status| {
        let (tools, time) = (status.tools, took(status.started_in));
        let text = format!("{tools} tools over {}, started in {time}", status.transport);
        Finding::new(State::Ok, format!("MCP {}", status.server), text)
    }));
    findings.extend(servers.left_out(&[]).into_iter().map(|one| {
        let finding = Finding::new(
            State::Missing,
            format!("MCP {}", one.server),
            one.to_string(),
        );
        finding.with_hint("the server's author has to change the tool; `exclude` ends this line")
    }));
    findings.extend(servers.failures().iter().map(|failure| Finding {
        hint: failure.hint.clone(),
        ..Finding::new(
            State::Failed,
            format!("MCP {}", failure.server),
            &failure.message,
        )
    }));
    findings
}
