//! `haft extract`: finds the tool calls in a model's reply.
//!
//! `reading` reads a reply; `people` and `trail` show it. With `--jsonl`, `lines` answers a line.

mod lines;
mod people;
mod reading;
mod trail;

use std::path::Path;

use anstyle::{AnsiColor, Style};
use haft::extract::{ExtractOptions, Format, ToolSet};
use tokio::sync::oneshot;

use self::lines::Defaults;
use self::people::Paper;
use self::reading::{Manner, Reading};
use self::trail::Trail;
use crate::args::{ExtractArgs, Verbosity};
use crate::bounded;
use crate::commands::definitions;
use crate::failure::{Exit, Failure};
use crate::jsonl::{self, Answers, Input, MAX_LINE, Work, without_mark};
use crate::nearest::nearest;
use crate::output::{print_json, write_raw};
use crate::text::one_line;

/// The maximum length of an unknown name in messages, in characters.
const WORD_LIMIT: usize = 60;

const CAUTION: Style = AnsiColor::Yellow.on_default();

/// Reads on a separate thread, so that Ctrl-C works while it waits for input.
pub(crate) async fn run(arguments: ExtractArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let (done, result) = oneshot::channel();
    std::thread::spawn(move || done.send(extract(&arguments, verbosity)));
    match result.await {
        Ok(result) => result,
        Err(_) => Err(Failure::new("The reply could not be read to its end")),
    }
}

fn extract(arguments: &ExtractArgs, verbosity: Verbosity) -> Result<Exit, Failure> {
    let tools = match &arguments.tools {
        Some(path) => definitions::from_file(path, definitions::tool_set)?,
        None => ToolSet::any(),
    };
    let mut options = match &arguments.template {
        Some(path) => from_template(path, verbosity)?,
        None => ExtractOptions::default(),
    };
    options.text_mode = arguments.text_mode;
    options.bare_calls = arguments.bare_calls.unwrap_or_default();
    options.thought_calls = arguments.thought_calls;
    options.starts_thinking |= arguments.starts_thinking;
    if let Some(name) = &arguments.format {
        options.format = Format::named(name).unwrap_or_else(|| {
            warn_of_format(name, verbosity);
            Format::Auto
        });
    }
    let manner = Manner {
        options,
        guessed: !arguments.starts_thinking,
        split: arguments.split,
    };
    let input = Input::open(arguments.file.as_deref(), "reply")?;
    if arguments.jsonl {
        let defaults = Defaults::new(tools, manner);
        let work = Work {
            answer: move |line: &[u8], answers: &mut Answers| defaults.answer(line, answers),
            warn: warn_of_format,
        };
        return jsonl::run(input, work, verbosity);
    }
    let reply = bounded::read_all(input.stream, MAX_LINE, &input.name)?;
    let reply = without_mark(&reply);
    if arguments.json {
        print_json(&Reading::of(reply, &tools, manner).report(None))?;
        return Ok(Exit::Success);
    }
    let mut reading = Reading::default();
    let mut trail = Trail::default();
    reading::feed(reply, &tools, manner, &mut |piece| {
        if arguments.explain {
            trail.add(&piece);
        }
        reading.add(piece);
    });
    let paper = Paper::stdout();
    if arguments.explain {
        let trail = trail.laid_over(&String::from_utf8_lossy(reply));
        write_raw(&paper.explained(&trail, &reading))?;
    } else {
        write_raw(&paper.whole(&reading))?;
    }
    if reading.is_empty() && !verbosity.quiet {
        anstream::eprintln!("no calls");
    }
    Ok(Exit::Success)
}

/// The hints of a chat template about the reply; a warning if there are none.
fn from_template(path: &Path, verbosity: Verbosity) -> Result<ExtractOptions, Failure> {
    let options = ExtractOptions::from_chat_template(&bounded::read_text(path)?);
    if options.format == Format::Auto && !verbosity.quiet {
        let path = path.display();
        anstream::eprintln!(
            "{CAUTION}warning:{CAUTION:#} {path} shows no format of calls, so all are recognised"
        );
    }
    Ok(options)
}

/// Warns about an unknown format and names the fallback.
fn warn_of_format(name: &str, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    let name = one_line(name, WORD_LIMIT);
    let near = nearest(&name, Format::all().map(Format::name));
    let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    anstream::eprintln!(
        "{CAUTION}warning:{CAUTION:#} there is no format \"{name}\", so all are recognised{near}"
    );
}
