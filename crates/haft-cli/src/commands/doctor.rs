//! `haft doctor`: checks the installation and reports how to fix problems.
//!
//! `findings` turns results into lines, `served` those about a named model, `permissions` checks
//! files that other users may read. Models are listed but not run, and servers are started only to
//! list their tools.

mod findings;
#[cfg(unix)]
mod permissions;
mod served;

use haft::models::{ModelSpec, ServedSurvey, choose_model, open_model, survey, survey_model};
use haft::tools::{McpConfig, McpServers};
use serde_json::json;

use self::findings::{Finding, State};
use crate::args::{DoctorArgs, HomeSpec, ModelArgs, Verbosity};
use crate::failure::{Exit, Failure};
use crate::model;
use crate::output::{print_json, print_text};
use crate::settings::Settings;
use crate::text::one_line;
use crate::toolbox::{open_home, remembering};
use crate::trace::Trace;
use crate::trust::Trust;

/// The maximum length of a finding, in characters.
const TEXT_LIMIT: usize = 300;

pub(crate) async fn run(
    arguments: DoctorArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let model = ModelArgs {
        model: arguments.model,
        ..ModelArgs::default()
    };
    let settings = Settings::load(&model, arguments.mcp.mcp.as_deref(), trust).await?;
    let trace = Trace::new(verbosity);
    // It may be asked about, which nothing else may talk into.
    let config = settings.mcp_config().await;
    trace.wait("looking around");
    let models = settings.for_models();
    let (found, servers, home) = tokio::join!(
        survey(&models),
        servers(config),
        home(arguments.home.as_ref())
    );
    let mut findings = vec![findings::file(&settings)];
    findings.extend(findings::ollama(
        &found.ollama,
        &settings.ollama_host.source,
    ));
    findings.push(findings::openai(found.openai.as_ref()));
    findings.push(findings::anthropic(&found.anthropic));
    findings.push(findings::builtin());
    findings.extend(findings::servers(&settings, &servers));
    #[cfg(unix)]
    findings.extend(permissions::open_files(&settings));
    findings.extend(home);
    let answering = answering(&settings).await;
    findings.extend(answering.findings);
    let has_failed = findings
        .iter()
        .any(|finding| finding.state == State::Failed);
    trace.clear();
    if arguments.json {
        let model = answering.model;
        print_json(&json!({"findings": findings, "models": found, "model": model}))?;
    } else {
        print_text(&table(&findings))?;
    }
    if let Ok(Some(servers)) = servers {
        servers.shutdown().await;
    }
    Ok(if has_failed {
        Exit::Failure
    } else {
        Exit::Success
    })
}

/// What is known of them from earlier makes their start shorter, and what is seen now is kept.
async fn servers(
    config: Result<Option<McpConfig>, Failure>,
) -> Result<Option<McpServers>, Failure> {
    let mut options = remembering();
    options.wait = true;
    Ok(match config? {
        Some(config) => Some(McpServers::start_with(&config, options).await),
        None => None,
    })
}

/// The smart-home backend, and whether it answers.
async fn home(spec: Option<&HomeSpec>) -> Option<Finding> {
    const SUBJECT: &str = "home";
    let home = match open_home(spec) {
        Ok(home) => home?,
        Err(failure) => return Some(Finding::of(State::Failed, SUBJECT, failure)),
    };
    Some(match home.check().await {
        Ok(health) => {
            let text = format!(
                "{}: {} devices, {} of them online",
                home.label(),
                health.devices,
                health.online
            );
            Finding::new(State::Ok, SUBJECT, text)
        }
        Err(error) => Finding::of(State::Failed, SUBJECT, error.into()),
    })
}

/// The model that `haft ask` would use.
struct Answering {
    /// What its server tells about it, if a model of a server is named.
    model: Option<ServedSurvey>,
    /// The last one is about `haft ask` itself.
    findings: Vec<Finding>,
}

impl Answering {
    fn of(finding: Finding) -> Self {
        Self {
            model: None,
            findings: vec![finding],
        }
    }
}

/// Finds out which model `haft ask` would use. The server of a named one is asked about it.
async fn answering(settings: &Settings) -> Answering {
    const SUBJECT: &str = "haft ask";
    let models = settings.for_models();
    let spec = match model::named(settings) {
        Ok(Some(spec)) => spec,
        Ok(None) => {
            let choice = choose_model(&models).await;
            let text = format!("would take {} ({})", choice.spec, choice.reason);
            return Answering::of(Finding::new(State::Ok, SUBJECT, text));
        }
        Err(failure) => return Answering::of(Finding::of(State::Failed, SUBJECT, failure)),
    };
    if let Err(error) = open_model(&spec, &models) {
        return Answering::of(Finding::of(State::Failed, SUBJECT, error.into()));
    }
    let text = format!("would take {spec} ({})", settings.model.source);
    let ModelSpec::Served(model) = &spec else {
        return Answering::of(Finding::new(State::Ok, SUBJECT, text));
    };
    let survey = survey_model(model, &models).await;
    let about = served::finding(model, &survey);
    let last = match about.state {
        State::Failed => {
            let text = format!("{text}, which cannot answer");
            Finding::new(State::Failed, SUBJECT, text)
        }
        _ => Finding::new(State::Ok, SUBJECT, text),
    };
    Answering {
        model: Some(survey),
        findings: vec![about, last],
    }
}

fn table(findings: &[Finding]) -> String {
    let width = findings
        .iter()
        .map(|finding| finding.subject.chars().count())
        .max();
    let width = width.unwrap_or_default();
    let mut lines = Vec::new();
    for finding in findings {
        let text = one_line(&finding.text, TEXT_LIMIT);
        lines.push(format!(
            "{:<8} {:<width$}  {text}",
            finding.state.word(),
            finding.subject
        ));
        if let Some(hint) = &finding.hint {
            let hint = one_line(hint, TEXT_LIMIT);
            lines.push(format!("{:<8} {:<width$}  hint: {hint}", "", ""));
        }
    }
    lines.join("\n")
}
