//! `haft config`: prints every effective setting and its source; writes and changes the settings
//! file, which `config/file.rs` does.

mod file;

use serde_json::{Value, json};

use crate::args::ConfigCommand;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, print_text};
use crate::settings::{Row, Settings};
use crate::text::one_line;
use crate::trust::Trust;

/// The maximum length of a value in the table, in characters.
const VALUE_LIMIT: usize = 60;

pub(crate) async fn run(command: ConfigCommand, trust: Trust) -> Result<Exit, Failure> {
    match command {
        ConfigCommand::Show { json, model, mcp } => {
            let settings = Settings::load(&model, mcp.mcp.as_deref(), trust.without_asking());
            show(&settings.await?, json)
        }
        ConfigCommand::Init(arguments) => file::init(&arguments),
        ConfigCommand::Set(arguments) => file::set(&arguments),
        ConfigCommand::Path => file::path(),
    }
}

fn show(settings: &Settings, json: bool) -> Result<Exit, Failure> {
    if json {
        let file = settings
            .file
            .as_ref()
            .map(|path| path.display().to_string());
        print_json(&json!({"file": file, "settings": settings.rows()}))?;
    } else {
        print_text(&table(&settings.rows()))?;
    }
    Ok(Exit::Success)
}

fn table(rows: &[Row]) -> String {
    let values: Vec<_> = rows.iter().map(|row| shown(&row.value)).collect();
    let width = values
        .iter()
        .map(|value| value.chars().count())
        .max()
        .unwrap_or_default();
    let line =
        |(row, value): (&Row, &String)| format!("{:<26} {value:<width$}  {}", row.name, row.source);
    let lines: Vec<_> = rows.iter().zip(&values).map(line).collect();
    lines.join("\n")
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => one_line(text, VALUE_LIMIT),
        other => one_line(&other.to_string(), VALUE_LIMIT),
    }
}
