//! The plan of an evaluation: its cases, its model, and the settings that affect the results.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etcetera::BaseStrategy;
use haft::eval::{Dataset, EvalOptions, Flaky, RunHeader, Subject};
use haft::extract::Format;
use haft::models::{BareCalls, ToolMode};
use haft::{RecoveryStep, Routing};

use crate::args::EvalArgs;
use crate::failure::{Exit, Failure};
use crate::model;
use crate::settings::{Settings, Source};

/// The plan of one run.
pub(super) struct Plan {
    pub(super) dataset: Dataset,
    pub(super) subject: Subject,
    /// The reason for the choice of the model.
    pub(super) reason: String,
    pub(super) options: EvalOptions,
    pub(super) header: RunHeader,
    pub(super) run_path: PathBuf,
}

/// Opens the model and fixes the settings that affect the results.
pub(super) async fn plan(
    arguments: &EvalArgs,
    settings: &Settings,
    dataset: Dataset,
) -> Result<Plan, Failure> {
    let ChosenSubject { subject, reason } = subject(settings).await?;
    let left_out = arguments.without.iter();
    let mut agent = settings.agent_options();
    agent.recovery = left_out.fold(agent.recovery, |steps, step| steps.without(*step));
    let options = EvalOptions {
        agent,
        executor: settings.executor_options(),
        synonyms: settings.synonyms.value.clone().unwrap_or_default(),
        jobs: arguments.jobs.into(),
    };
    let mut header = RunHeader::new(&dataset, &subject);
    header.options = described(settings, &options);
    let run_path = match &arguments.run {
        Some(path) => path.clone(),
        None => own_path(&header)?,
    };
    Ok(Plan {
        dataset,
        subject,
        reason,
        options,
        header,
        run_path,
    })
}

/// What is evaluated, and why.
struct ChosenSubject {
    subject: Subject,
    reason: String,
}

async fn subject(settings: &Settings) -> Result<ChosenSubject, Failure> {
    match &settings.model.value {
        Some(name) if Flaky::is_named(name) => {
            let flaky: Flaky = name.parse().map_err(|error| Failure {
                exit: Exit::Usage,
                ..Failure::from(error)
            })?;
            Ok(ChosenSubject {
                subject: Subject::Flaky(flaky),
                reason: "simulation: no model is asked".to_owned(),
            })
        }
        _ => {
            let opened = model::open(settings, None).await?;
            Ok(ChosenSubject {
                subject: Subject::Model(opened.model),
                reason: opened.reason,
            })
        }
    }
}

/// The settings that affect the results and differ from the default.
fn described(settings: &Settings, options: &EvalOptions) -> BTreeMap<String, String> {
    let without = RecoveryStep::ALL
        .into_iter()
        .filter(|step| !options.agent.recovery.has(*step));
    let without = without
        .map(RecoveryStep::name)
        .collect::<Vec<_>>()
        .join(",");
    let tool_mode = settings
        .tool_mode
        .value
        .filter(|mode| *mode != ToolMode::default());
    let format = settings
        .format
        .value
        .clone()
        .filter(|name| name != Format::Auto.name());
    let bare_calls = settings.bare_calls.value;
    let bare_calls = bare_calls.filter(|when| *when != BareCalls::default());
    let thought_calls = settings.thought_calls.value.filter(|on| *on);
    let route = Some(options.agent.routing).filter(|when| *when != Routing::default());
    let tool_choice = match &options.agent.selection {
        None => Some("all tools".to_owned()),
        Some(selection) if selection.search_tools => Some("search_tools".to_owned()),
        Some(_) => None,
    };
    let tool_groups = settings.tool_groups.value.as_ref();
    let tool_groups = tool_groups.filter(|_| settings.tool_groups.source != Source::Default);
    let settings = [
        ("tool choice", tool_choice),
        (
            "tool_groups",
            tool_groups.map(|tool_groups| format!("{tool_groups:?}")),
        ),
        ("without", Some(without).filter(|names| !names.is_empty())),
        ("system", settings.system.value.clone()),
        (
            "temperature",
            settings.temperature.value.map(|number| number.to_string()),
        ),
        (
            "timeout",
            settings
                .timeout
                .value
                .map(|time| format!("{} s", time.as_secs_f64())),
        ),
        (
            "context",
            settings.context.value.map(|tokens| tokens.to_string()),
        ),
        ("tool mode", tool_mode.map(|mode| mode.to_string())),
        ("format", format),
        ("bare calls", bare_calls.map(|when| when.name().to_owned())),
        ("thought calls", thought_calls.map(|on| on.to_string())),
        ("route", route.map(|when| when.name().to_owned())),
    ];
    let set = settings
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    set.collect()
}

/// A run file specific to this header, so that different runs never share a file.
fn own_path(header: &RunHeader) -> Result<PathBuf, Failure> {
    let strategy = etcetera::choose_base_strategy()
        .map_err(|error| Failure::new(error.to_string()).with_hint("name a file with --run"))?;
    let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    let name: String = format!("{}-{}", header.dataset, header.model)
        .chars()
        .map(plain)
        .take(80)
        .collect();
    Ok(folder
        .join("haft")
        .join("eval")
        .join(format!("{name}-{}.jsonl", header.hash())))
}
