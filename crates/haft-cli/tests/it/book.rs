//! The transcripts of the README and the book (blocks of `console`) are what the commands print.
//!
//! The blocks of a page run in its order in one folder, so that later ones find the files of earlier
//! ones. `cat FILE` creates the file that it shows. Numbers and dates may differ, and output that is
//! not shown is not compared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Machine;

/// Beginnings of commands that need a server, a person or a network.
const NOT_RUN: [&str; 8] = [
    "haft serve",
    "haft mcp serve",
    "haft ask --home demo \"Unlock",
    "haft ask \"What is new?\"",
    "haft keys list",
    "haft classify --jsonl",
    "curl",
    "npm",
];

/// A command of a transcript, and what follows it.
struct Step<'a> {
    command: String,
    output: Vec<&'a str>,
}

/// The transcripts of a page.
fn transcripts(page: &str) -> Vec<Vec<Step<'_>>> {
    let mut found = Vec::new();
    let mut block: Option<Vec<Step<'_>>> = None;
    for line in page.lines() {
        match (line, &mut block) {
            ("```console", _) => block = Some(Vec::new()),
            ("```", Some(_)) => found.extend(block.take()),
            (_, Some(steps)) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    command: command.replace("cargo run --release --", "haft"),
                    output: Vec::new(),
                }),
                (None, Some(step)) => step.output.push(line),
                (None, None) => panic!("a transcript begins with a command, not: {line}"),
            },
            _ => {}
        }
    }
    found
}

/// A text with a mark for each number, name of a day or month, and key.
fn masked(text: &str) -> String {
    const NAMES: [&str; 19] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ];
    let mut marked = String::new();
    for letter in text.trim_end().chars() {
        let mark = if letter.is_ascii_digit() { '0' } else { letter };
        if mark != '0' || !marked.ends_with('0') {
            marked.push(mark);
        }
    }
    for name in NAMES {
        marked = marked.replace(name, "(name)");
    }
    let lines = marked.lines();
    let lines = lines.map(|line| {
        if line.starts_with("haft_") {
            "(key)"
        } else {
            line
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs a command in a shell, with both outputs as a terminal shows them.
fn printed(machine: &Machine, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_haft")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", binary.display());
    let mut shell = machine.command(&[]);
    let environment: Vec<_> = shell
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    shell = std::process::Command::new("sh");
    shell.env_clear().envs(environment).env("PATH", path);
    shell.current_dir(machine.path(""));
    let output = shell.args(["-c", &format!("({command}) 2>&1")]).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

fn check(page: &Path) -> usize {
    let text = fs::read_to_string(page).unwrap();
    let machine = Machine::new();
    let mut checked = 0;
    for block in transcripts(&text) {
        for step in block {
            let wanted = step.output.join("\n");
            if let Some(file) = step.command.strip_prefix("cat ") {
                machine.write(file, format!("{wanted}\n"));
                continue;
            }
            if NOT_RUN.iter().any(|start| step.command.starts_with(start)) {
                continue;
            }
            let printed = printed(&machine, &step.command);
            if wanted.is_empty() {
                continue;
            }
            let place = page.display();
            assert_eq!(
                masked(&printed),
                masked(&wanted),
                "{place}: {}",
                step.command
            );
            checked += 1;
        }
    }
    checked
}

/// The blocks behind a comment that names the file with their text, and that file.
fn copies(page: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    for part in page.split("<!-- the text of ").skip(1) {
        let (file, rest) = part.split_once(" -->").unwrap();
        let mut lines = rest.trim_start().lines();
        assert!(lines.next().unwrap().starts_with("```"), "no block: {file}");
        let lines: Vec<&str> = lines.take_while(|line| *line != "```").collect();
        found.push((file, lines.join("\n")));
    }
    found
}

#[test]
fn copied_files_are_in_the_book_as_they_are() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let mut checked = 0;
    for page in ["clients.md", "codex.md"] {
        let page = fs::read_to_string(guide.join(page)).unwrap();
        for (file, copy) in copies(&page) {
            let original = fs::read_to_string(guide.join(file)).unwrap();
            assert_eq!(copy, original.trim_end(), "{file}");
            checked += 1;
        }
    }
    assert_eq!(checked, 12);
}

/// The pages of the book, and the README.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "docs/formats", "docs/guide", "docs/reference"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages
}

#[test]
fn every_page_is_in_the_summary() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let pages = pages().into_iter().skip(1).map(|page| {
        let page = page.strip_prefix(&docs).unwrap().display().to_string();
        format!("]({page})")
    });
    let is_missing = |page: &String| page != "](SUMMARY.md)" && !summary.contains(page.as_str());
    let missing: Vec<String> = pages.filter(is_missing).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn links_lead_to_files() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let targets = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.contains(' ')) {
            let file = target.split('#').next().unwrap();
            let path = page.parent().unwrap().join(file);
            assert!(
                file.is_empty() || path.exists(),
                "{}: {target}",
                page.display()
            );
        }
    }
}

#[test]
fn transcripts_are_what_the_commands_print() {
    let checked: usize = pages().iter().map(|page| check(page)).sum();
    assert!(checked > 12, "{checked} commands were run");
}
