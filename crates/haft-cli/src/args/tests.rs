//! Every command line that the README, the book and the help show is understood.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, Parser};

use super::Cli;

/// The words of a command up to the end of the line, a comment, or what a shell does with its
/// output. Quotes are removed.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(letter),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            ('#', None) if word.is_none() => break,
            ('|' | '>' | '<' | '&' | ';', None) => break,
            (_, None) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The command lines of `haft` in a line of a shell, without variables before them and programs
/// that feed them.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices("haft ").map(|(start, _)| start);
    let begins = |start: &usize| {
        let before = line.get(..*start).unwrap_or_default().trim_end();
        let last = before.rsplit(' ').next().unwrap_or_default();
        before.is_empty() || matches!(last, "$" | "|" | "&&") || last.contains('=')
    };
    starts.filter(begins).filter_map(|start| line.get(start..))
}

/// The lines of the shell blocks of a page, with continued lines joined.
fn shell_lines(page: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut is_shell, mut is_continued) = (false, false);
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_shell = matches!(language, "sh" | "console" | "bash");
            is_continued = false;
        } else if is_shell {
            let text = line.strip_suffix('\\').unwrap_or(line);
            match lines.last_mut().filter(|_| is_continued) {
                Some(last) => last.push_str(text.trim_start()),
                None => lines.push(text.to_owned()),
            }
            is_continued = line.ends_with('\\');
        }
    }
    lines
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// Whether this build lacks the feature of a command.
fn is_left_out(words: &[String]) -> bool {
    let durable = ["run", "runs", "work", "approvals", "store"];
    let command = words.get(1).map_or("", String::as_str);
    // Without the feature, only the gateway and its keys have a store.
    let names_a_store = words.iter().any(|word| word == "--store");
    let needs_it = names_a_store && !["serve", "keys"].contains(&command);
    !cfg!(feature = "durable") && (durable.contains(&command) || needs_it)
}

fn check(place: &str, line: &str) -> usize {
    let mut checked = 0;
    for command in commands(line) {
        let words = words(command);
        if is_left_out(&words) {
            continue;
        }
        let parsed = Cli::try_parse_from(&words);
        assert!(
            parsed.is_ok(),
            "{place}: {command}\n{}",
            parsed.unwrap_err()
        );
        checked += 1;
    }
    checked
}

#[test]
fn commands_of_readme_and_book_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut found);
    let mut checked = 0;
    for page in found {
        let text = fs::read_to_string(&page).unwrap();
        for line in shell_lines(&text) {
            checked += check(&page.display().to_string(), &line);
        }
    }
    assert!(checked > 60, "{checked} commands were found");
}

/// Checks the examples of a command and those below it.
fn check_help(command: &Command) -> usize {
    let help = command.get_after_help().map(ToString::to_string);
    let lines = help.iter().flat_map(|help| help.lines());
    let examples: usize = lines.map(|line| check(command.get_name(), line)).sum();
    examples + command.get_subcommands().map(check_help).sum::<usize>()
}

#[test]
fn examples_in_the_help_are_understood() {
    let checked = check_help(&Cli::command());
    assert!(checked > 40, "{checked} examples were found");
}
