//! `haft select`: prints the tools that fit a query, best first.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::Path;

use haft::select::{RankedTool, ToolSelector, ToolText};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::definitions::{self, Definition};
use crate::args::{SelectArgs, Verbosity};
use crate::bounded::{self, MAX_TEXT};
use crate::failure::{Exit, Failure};
use crate::jsonl::{self, Answers, Input, Work, parse, part};
use crate::output::{print_json, write_raw};
use crate::text::one_line;

/// The maximum length of a description in characters.
const DESCRIPTION: usize = 60;

/// The maximum length of a name in characters.
const NAME: usize = 64;

const EXAMPLE: &str = "write one: haft select --tools tools.json \"Is the front door locked?\"";

/// Reads on a separate thread, so that Ctrl-C works while it waits for input.
pub(crate) async fn run(arguments: SelectArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let (done, result) = oneshot::channel();
    std::thread::spawn(move || done.send(select(&arguments, verbosity)));
    match result.await {
        Ok(result) => result,
        Err(_) => Err(Failure::new("The query could not be read to its end")),
    }
}

fn select(arguments: &SelectArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let tools = Tools::new(definitions::from_file(&arguments.tools, definitions::read)?);
    let top = arguments.top.map(usize::from);
    if arguments.jsonl {
        let path = match arguments.query.as_slice() {
            [] => None,
            [path] => Some(Path::new(path)),
            _ => {
                return Err(
                    Failure::usage("With --jsonl there can be one file at the most")
                        .with_hint("join the files first: cat a.jsonl b.jsonl | haft select ..."),
                );
            }
        };
        let work = Work {
            answer: move |line: &[u8], answers: &mut Answers| tools.answer(line, top, answers),
            warn: |_, _| {},
        };
        return jsonl::run(Input::open(path, "query")?, work, verbosity);
    }
    let query = query(&arguments.query)?;
    let chosen = tools.chosen(&query, top);
    if arguments.json {
        print_json(&tools.report(&chosen))?;
    } else {
        write_raw(&tools.table(&chosen))?;
        if !verbosity.quiet {
            anstream::eprintln!("{} of {} tools", chosen.len(), tools.definitions.len());
        }
    }
    Ok(Exit::Success)
}

/// Words, or stdin for none and for `-`.
fn query(words: &[String]) -> Result<String, Failure> {
    let from_stdin = match words {
        [] => !io::stdin().is_terminal(),
        [word] => word == "-",
        _ => false,
    };
    let query = if from_stdin {
        let name = "The query on stdin";
        bounded::text_of(bounded::read_all(io::stdin().lock(), MAX_TEXT, name)?, name)?
    } else {
        words.join(" ")
    };
    if query.trim().is_empty() {
        return Err(Failure::usage("There is no query").with_hint(EXAMPLE));
    }
    Ok(query)
}

/// The tools in the file.
struct Tools {
    definitions: Vec<Definition>,
    selector: ToolSelector,
}

/// The raw fields of a line.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    query: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    tools: Vec<&'a str>,
}

#[derive(Serialize)]
struct Report<'a> {
    tools: Vec<ToolReport<'a>>,
    of: usize,
}

#[derive(Serialize)]
struct ToolReport<'a> {
    name: &'a str,
    /// The estimated probability that it is the right one; the sum over a set is 1.
    share: f32,
}

impl Tools {
    fn new(definitions: Vec<Definition>) -> Self {
        let examples: Vec<Vec<&str>> = definitions
            .iter()
            .map(|tool| tool.examples.iter().map(String::as_str).collect())
            .collect();
        let texts = definitions.iter().zip(&examples).map(|(tool, examples)| {
            ToolText::new(&tool.name, &tool.description, &tool.parameters).with_examples(examples)
        });
        let selector = ToolSelector::new(texts);
        drop(examples);
        Self {
            selector,
            definitions,
        }
    }

    fn chosen(&self, query: &str, top: Option<usize>) -> Vec<RankedTool> {
        match top {
            Some(top) => self.selector.best(query, top),
            None => self.selector.fitting(query),
        }
    }

    fn answer(&self, line: &[u8], top: Option<usize>, answers: &mut Answers) {
        let line: Line<'_> = match parse(line) {
            Ok(line) => line,
            Err(error) => return answers.refuse(&Value::Null, &error),
        };
        let Some(query) = line.query else {
            return answers.refuse(&line.id, "`query` is missing");
        };
        let Some(query) = part::<String>(query) else {
            return answers.refuse(&line.id, "`query` is not a string");
        };
        let chosen = self.chosen(&query, top);
        answers.push(&Answer {
            id: &line.id,
            tools: chosen.iter().map(|tool| self.name(*tool)).collect(),
        });
    }

    fn report(&self, chosen: &[RankedTool]) -> Report<'_> {
        let tools = chosen.iter().map(|tool| ToolReport {
            name: self.name(*tool),
            share: tool.share,
        });
        Report {
            tools: tools.collect(),
            of: self.definitions.len(),
        }
    }

    /// The table for users: share, name and description of each tool.
    fn table(&self, chosen: &[RankedTool]) -> String {
        let names: Vec<_> = chosen
            .iter()
            .map(|tool| one_line(self.name(*tool), NAME))
            .collect();
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or_default();
        let mut table = String::new();
        for (tool, name) in chosen.iter().zip(&names) {
            let definition = self.definitions.get(tool.index);
            let description = definition.map_or("", |tool| tool.description.as_str());
            let description = one_line(description, DESCRIPTION);
            let line = format!("{:5.1} %  {name:width$}  {description}", 100.0 * tool.share);
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{}", line.trim_end());
        }
        table
    }

    fn name(&self, tool: RankedTool) -> &str {
        self.definitions
            .get(tool.index)
            .map_or("", |tool| &tool.name)
    }
}
