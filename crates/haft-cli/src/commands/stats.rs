//! `haft stats`: shows the success of first tries and recovery for each model.

mod page;

use std::time::{Duration, SystemTime};

use anstyle::{AnsiColor, Style};
use haft::{AttemptStore, AttemptSummary, ModelSummary};
use serde_json::json;

use self::page::Page;
use crate::args::{ModelArgs, StatsArgs, Verbosity};
use crate::attempts;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, write_raw};
use crate::settings::Settings;
use crate::text::plain;
use crate::trust::Trust;

pub(crate) async fn run(
    arguments: StatsArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    let settings = Settings::load(&ModelArgs::default(), None, trust.without_asking()).await?;
    let store = match &arguments.store.store {
        Some(address) => AttemptStore::connect(address)?,
        None => AttemptStore::open(attempts::file()?),
    };
    let summary = match arguments.since {
        Some(past) => store.summary_since(ago(past)).await?,
        None => store.summary().await?,
    };
    let chosen = chosen(&summary, arguments.model.as_deref());
    if arguments.json {
        print_json(&json!({"file": store.place(), "models": chosen}))?;
        return Ok(Exit::Success);
    }
    write_raw(&Page::for_stdout().of(&chosen))?;
    if chosen.is_empty() && !verbosity.quiet {
        let is_off = settings.attempts.value == Some(false);
        tell_why_empty(&arguments, &summary, is_off);
    }
    Ok(Exit::Success)
}

fn ago(past: Duration) -> SystemTime {
    let since = SystemTime::now().checked_sub(past);
    since.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The models with a name that contains `part`, ignoring case.
fn chosen<'a>(summary: &'a AttemptSummary, part: Option<&str>) -> Vec<&'a ModelSummary> {
    let part = part.unwrap_or_default().to_lowercase();
    let models = summary.models.iter();
    models
        .filter(|model| model.model.to_lowercase().contains(&part))
        .collect()
}

/// Explains on stderr why there are no statistics, with a hint.
fn tell_why_empty(arguments: &StatsArgs, summary: &AttemptSummary, is_off: bool) {
    const CAUTION: Style = AnsiColor::Yellow.on_default();
    let names: Vec<_> = summary.models.iter().map(|m| m.model.as_str()).collect();
    let (what, hint) = match &arguments.model {
        Some(part) if !names.is_empty() => (
            format!("no model whose name holds \"{part}\" was asked"),
            format!("there are: {}", names.join(", ")),
        ),
        _ if is_off => (
            "no questions are counted".to_owned(),
            "[store] attempts = false in haft.toml switches it off".to_owned(),
        ),
        _ if arguments.since.is_some() => (
            "no questions are counted in that time".to_owned(),
            "leave out --since to see all".to_owned(),
        ),
        _ => (
            "no questions are counted yet".to_owned(),
            "ask one: haft ask \"What time is it in Tokyo?\"".to_owned(),
        ),
    };
    anstream::eprintln!("{}", plain(&what));
    anstream::eprintln!("{CAUTION}hint:{CAUTION:#} {}", plain(&hint));
}
