//! `haft eval --list`: which datasets there are, and how to get them.

use haft::eval::DATASET_SOURCES;

use super::table::{labelled, wrapped};
use super::width;
use crate::failure::{Exit, Failure};
use crate::output::{print_json, write_raw};

pub(super) fn run(json: bool) -> Result<Exit, Failure> {
    if json {
        print_json(&DATASET_SOURCES)?;
        return Ok(Exit::Success);
    }
    let width = width().unwrap_or(usize::MAX);
    let mut text = String::new();
    for source in &DATASET_SOURCES {
        text += &wrapped(&format!("{}: {}", source.name, source.about), width, "  ");
        text += &labelled("  source   ", source.source, width, "    ");
        text += &labelled("  licence  ", source.licence, width, "    ");
        // Commands are copied, so that they stay on one line.
        for command in source.commands {
            text += &format!("  $ {command}\n");
        }
        text.push('\n');
    }
    text += &wrapped(
        "Any folder with cases.jsonl and tools.jsonl, or a file of cases, will do; the guide \"Measure a model\" describes them.",
        width,
        "",
    );
    write_raw(&text)?;
    Ok(Exit::Success)
}
