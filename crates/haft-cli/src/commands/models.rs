//! `haft models`: lists the models that can be named, and what they can do.
//!
//! `haft doctor` says more about the servers, and about one model that is named. `models/get.rs` says
//! where to get a model file, `models/nearby.rs` finds servers that are not configured, and those of
//! the gateway.

mod get;
mod nearby;

use futures_util::future::join_all;
use haft::models::{ModelSettings, ModelSpec, Survey, ToolSupport, survey, survey_model};
use serde::Serialize;

use crate::args::{ModelArgs, ModelsArgs, ModelsCommand, Verbosity};
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::settings::Settings;
use crate::trace::Trace;
use crate::trust::Trust;

#[derive(Debug, Serialize)]
struct Row {
    /// Its name for `--model`.
    model: String,
    tools: ToolSupport,
    /// Whether it can think before it answers, if its server tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinks: Option<bool>,
    /// The context size in tokens, if its server tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<u64>,
}

/// How many models are asked about; a server answers within milliseconds.
const DESCRIBED: usize = 50;

pub(crate) async fn run(
    arguments: ModelsArgs,
    verbosity: Verbosity,
    trust: Trust,
) -> Result<Exit, Failure> {
    if let Some(ModelsCommand::Get) = arguments.command {
        return get::run();
    }
    let trust = trust.without_asking();
    let settings = Settings::load(&ModelArgs::default(), None, trust).await?;
    let trace = Trace::new(verbosity);
    trace.wait("looking around");
    let models = settings.for_models();
    let (found, nearby) = tokio::join!(survey(&models), nearby::find(&settings, &models));
    let mut rows = rows(&found);
    describe(&mut rows, &models).await;
    let last = rows.pop();
    rows.extend(nearby);
    rows.extend(last);
    trace.clear();
    let openai = found.openai.as_ref();
    let problems = [
        found.ollama.problem.as_ref(),
        openai.and_then(|openai| openai.problem.as_ref()),
    ];
    for problem in problems.into_iter().flatten() {
        trace.note("missing", problem);
    }
    if arguments.json {
        print_json(&rows)?;
    } else {
        print_text(&table(&rows))?;
    }
    Ok(Exit::Success)
}

fn rows(found: &Survey) -> Vec<Row> {
    let row = |model: String, tools: ToolSupport| Row {
        model,
        tools,
        thinks: None,
        context: None,
    };
    let ollama = found.ollama.models.iter();
    let ollama = ollama.map(|model| row(format!("ollama:{}", model.name), model.tools));
    let openai = found.openai.iter().flat_map(|server| {
        server.models.iter().map(move |name| {
            let tools = server.tools.get(name).copied().unwrap_or_default();
            row(format!("openai:{name}"), tools)
        })
    });
    let builtin = row("builtin".to_owned(), ToolSupport::Supported);
    ollama.chain(openai).chain([builtin]).collect()
}

/// Asks the servers about the first models.
async fn describe(rows: &mut [Row], settings: &ModelSettings) {
    let asked = rows.iter_mut().take(DESCRIBED).map(async |row| {
        if let Ok(ModelSpec::Served(model)) = row.model.parse() {
            let told = survey_model(&model, settings).await;
            (row.thinks, row.context) = (told.thinks, told.context);
            if row.tools == ToolSupport::Unknown {
                row.tools = told.tools;
            }
        }
    });
    join_all(asked).await;
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.model.chars().count()).max();
    let width = width.unwrap_or_default();
    let lines = rows.iter().map(|row| {
        let tools = match row.tools {
            ToolSupport::Supported => "tools",
            ToolSupport::Missing => "no tools from its server: they are taught in its prompt",
            ToolSupport::Unknown => "the server does not tell about tools",
        };
        let thinks = if row.thinks == Some(true) {
            ", thinks"
        } else {
            ""
        };
        let context = row
            .context
            .map(|tokens| format!(", {tokens} tokens of context"));
        let context = context.unwrap_or_default();
        format!("{:<width$}  {tools}{thinks}{context}", row.model)
    });
    lines.collect::<Vec<_>>().join("\n")
}
