//! `haft classify`: shows the intents of a query, and the tool groups it would get.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use haft::select::{Classification, Intent, IntentClassifier, OpenReason, ToolGroups};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use crate::args::{ClassifyArgs, Verbosity};
use crate::bounded::{self, MAX_TEXT};
use crate::failure::{Exit, Failure};
use crate::jsonl::{self, Answers, Input, Work, parse, part};
use crate::output::{print_json, write_raw};

/// The length of the longest bar, in characters.
const BAR: f32 = 40.0;

/// Reads on a separate thread, so that Ctrl-C works while it waits for input.
pub(crate) async fn run(arguments: ClassifyArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let (done, result) = oneshot::channel();
    std::thread::spawn(move || done.send(classify(&arguments, verbosity)));
    match result.await {
        Ok(result) => result,
        Err(_) => Err(Failure::new("The queries could not be read to their end")),
    }
}

fn classify(arguments: &ClassifyArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let tool_groups = ToolGroups::default();
    if arguments.jsonl {
        let input = Input::open(file(&arguments.text)?, "query")?;
        let work = Work {
            answer: move |line: &[u8], answers: &mut Answers| answer(line, &tool_groups, answers),
            warn: |_, _| {},
        };
        return jsonl::run(input, work, verbosity);
    }
    let text = query(&arguments.text)?;
    let found = IntentClassifier::default().classify(&text);
    if arguments.json {
        print_json(&whole(&text, &found, &tool_groups))?;
    } else {
        write_raw(&page(&text, &found, &tool_groups))?;
    }
    Ok(Exit::Success)
}

/// The named file, if any.
fn file(words: &[String]) -> Result<Option<&Path>, Failure> {
    match words {
        [] => Ok(None),
        [name] => Ok(Some(Path::new(name))),
        _ => Err(Failure::usage("--jsonl takes one file").with_hint("quote a name with spaces")),
    }
}

fn query(words: &[String]) -> Result<String, Failure> {
    let name = match words {
        [] => None,
        [word] if word == "-" => Some(Path::new("-")),
        words => return Ok(words.join(" ")),
    };
    let input = Input::open(name, "query")?;
    let bytes = bounded::read_all(input.stream, MAX_TEXT, &input.name)?;
    bounded::text_of(bytes, &input.name)
}

/// A line of `--jsonl`, with the fields that could be read.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

/// The answer for one query.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    label: &'static str,
    scores: Value,
    tool_groups: Option<Vec<&'a str>>,
}

fn answer(line: &[u8], tool_groups: &ToolGroups, answers: &mut Answers) {
    let line = match parse::<Line<'_>>(line) {
        Ok(line) => line,
        Err(error) => return answers.refuse(&Value::Null, &error),
    };
    let Some(text) = line.text else {
        return answers.refuse(&line.id, "`text` is missing");
    };
    let Some(text) = part::<String>(text) else {
        return answers.refuse(&line.id, "`text` is not a string");
    };
    let found = IntentClassifier::default().classify(&text);
    answers.push(&Answer {
        id: &line.id,
        label: found.label().name(),
        scores: scores(&found),
        tool_groups: tool_groups.choose(&text, &found).ok(),
    });
}

/// The classification as JSON.
fn whole(text: &str, found: &Classification, tool_groups: &ToolGroups) -> Value {
    let intents: Vec<_> = found.intents().iter().map(Intent::name).collect();
    json!({
        "label": found.label().name(),
        "scores": scores(found),
        "tool_groups": tool_groups.choose(text, found).ok(),
        "intents": intents,
        "open": found.open().map(OpenReason::phrase),
        "rule": found.rule(),
        "is_device_query": found.is_device_query(),
        "is_datetime_query": found.is_datetime_query(),
        "is_device_control_query": found.is_device_control_query(),
    })
}

fn scores(found: &Classification) -> Value {
    let scores = found.scores().iter().map(|(intent, score)| {
        let rounded = (f64::from(score) * 10_000.0).round() / 10_000.0;
        (intent.name().to_owned(), json!(rounded))
    });
    Value::Object(scores.collect::<Map<_, _>>())
}

/// The classification as text: the most probable intent first, then the tool groups.
fn page(text: &str, found: &Classification, tool_groups: &ToolGroups) -> String {
    const LABEL: Style = AnsiColor::Green.on_default().bold();
    const DIM: Style = Style::new().dimmed();
    let coloured = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let mut ranked: Vec<_> = found.scores().iter().collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut page = String::new();
    for (intent, score) in ranked {
        let style = match intent == found.label() {
            _ if !coloured => Style::new(),
            true => LABEL,
            false => DIM,
        };
        let bar = if io::stdout().is_terminal() {
            bar(score)
        } else {
            String::new()
        };
        let line = format!("{intent:<13}{:>4.0} %  {bar}", score * 100.0);
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{style}{}{style:#}", line.trim_end());
    }
    let tool_groups = match tool_groups.choose(text, found) {
        Ok(names) if names.is_empty() => "none".to_owned(),
        Ok(names) => names.join(", "),
        Err(reason) => format!("nothing is withheld: {}", reason.phrase()),
    };
    let _ = writeln!(page, "\n{:<13}{tool_groups}", "tool_groups");
    if let Some(rule) = found.rule() {
        let _ = writeln!(page, "{:<13}{rule}", "rule");
    }
    page
}

fn bar(score: f32) -> String {
    let steps = (1_u8..).take_while(|step| f32::from(*step) <= (score * BAR).min(BAR));
    steps.map(|_| '█').collect()
}
