//! `haft models`: lists the models that can be named, and whether their servers give them tools.
//!
//! `haft doctor` says more about the servers, and about one model that is named. `models/get.rs` says
//! where to get a model file.

mod get;

use haft::models::{Survey, ToolSupport, survey};
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
}

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
    let found = survey(&settings.for_models()).await;
    trace.clear();
    let openai = found.openai.as_ref();
    let problems = [
        found.ollama.problem.as_ref(),
        openai.and_then(|openai| openai.problem.as_ref()),
    ];
    for problem in problems.into_iter().flatten() {
        trace.note("missing", problem);
    }
    let rows = rows(&found);
    if arguments.json {
        print_json(&rows)?;
    } else {
        print_text(&table(&rows))?;
    }
    Ok(Exit::Success)
}

fn rows(found: &Survey) -> Vec<Row> {
    let ollama = found.ollama.models.iter().map(|model| Row {
        model: format!("ollama:{}", model.name),
        tools: model.tools,
    });
    let openai = found.openai.iter().flat_map(|server| {
        server.models.iter().map(|name| Row {
            model: format!("openai:{name}"),
            tools: server.tools.get(name).copied().unwrap_or_default(),
        })
    });
    let builtin = Row {
        model: "builtin".to_owned(),
        tools: ToolSupport::Supported,
    };
    ollama.chain(openai).chain([builtin]).collect()
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
        format!("{:<width$}  {tools}", row.model)
    });
    lines.collect::<Vec<_>>().join("\n")
}
