//! The line editor of the chat: history, several lines, pasted text, completion.
//!
//! It reads in a thread of its own, so that MCP servers are attended to while the user types.

use std::borrow::Cow;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, Config, Context, Editor, Helper, KeyCode, KeyEvent, Modifiers,
};

use super::commands;
use super::input::Line;
use crate::attempts::state_file;
use crate::failure::Failure;

const PROMPT: &str = "> ";

/// The number of lines that are remembered.
const HISTORY: usize = 1000;

/// The maximum number of names that a completion offers.
const OFFERED: usize = 200;

/// Lines from a terminal.
pub(super) struct LineEditor {
    /// Lent to the thread that reads.
    editor: Option<Editor<Assistance, FileHistory>>,
    /// The file of the history; `None` if there is no place for it.
    history: Option<PathBuf>,
    /// How the terminal was before, for an end in the middle of a line.
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl LineEditor {
    pub(super) fn open() -> Result<Self, Failure> {
        let config = Config::builder()
            .max_history_size(HISTORY)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(|error| unusable(&error))?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_config(config).map_err(|error| unusable(&error))?;
        editor.set_helper(Some(Assistance));
        editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), Cmd::Newline);
        let history = state_file("history").ok().filter(|file| make_folder(file));
        if let Some(file) = &history
            && file.exists()
            && let Err(error) = editor.load_history(file)
        {
            tracing::debug!(%error, "the history of the chat is not read");
        }
        Ok(Self {
            editor: Some(editor),
            history,
            #[cfg(unix)]
            before: rustix::termios::tcgetattr(std::io::stdin()).ok(),
        })
    }

    /// Reads a line, which may consist of several.
    pub(super) async fn read(&mut self) -> Result<Line, Failure> {
        let Some(mut editor) = self.editor.take() else {
            return Ok(Line::End);
        };
        let reading = tokio::task::spawn_blocking(move || {
            let line = editor.readline(PROMPT);
            (editor, line)
        });
        let Ok((editor, line)) = reading.await else {
            return Ok(Line::End);
        };
        let editor = self.editor.insert(editor);
        match line {
            Ok(line) => {
                let added = editor.add_history_entry(line.as_str());
                if let (Ok(true), Some(file)) = (added, &self.history)
                    && let Err(error) = editor.append_history(file)
                {
                    tracing::debug!(%error, "the history of the chat is not written");
                }
                Ok(Line::Text(line.replace("\\\n", "\n")))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Cleared),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(unusable(&error)),
        }
    }
}

/// Restores the terminal if a signal ends the chat while a line is read.
#[cfg(unix)]
impl Drop for LineEditor {
    fn drop(&mut self) {
        const END_OF_BRACKETED_PASTE: &str = "\u{1b}[?2004l\n";
        if self.editor.is_some() {
            return;
        }
        if let Some(before) = &self.before {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
            let _ = crate::output::write_raw(END_OF_BRACKETED_PASTE);
        }
    }
}

fn unusable(error: &ReadlineError) -> Failure {
    Failure::new(format!("The terminal cannot be read: {error}"))
        .with_hint("pipe the questions in, one per line, or use `haft ask`")
}

/// Makes the folder of the file, which only the user can read; false if that fails.
fn make_folder(file: &Path) -> bool {
    let Some(folder) = file.parent() else {
        return false;
    };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).is_ok()
}

/// Completion, and whether a line goes on.
struct Assistance;

impl Helper for Assistance {}

impl Hinter for Assistance {
    type Hint = String;
}

impl Highlighter for Assistance {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(
        &'s self,
        prompt: &'p str,
        _default: bool,
    ) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for Assistance {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match context.input().ends_with('\\') {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Assistance {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        Ok(completed(line.get(..place).unwrap_or_default()))
    }
}

/// The completions of what stands before the cursor, and where the completed part begins.
fn completed(before: &str) -> (usize, Vec<Pair>) {
    if before.starts_with('/') && !before.contains(' ') {
        let names = commands::names().filter(|name| name.starts_with(before));
        let pairs = names.map(|name| Pair {
            display: name.to_owned(),
            replacement: format!("{name} "),
        });
        return (0, pairs.collect());
    }
    let begin = before.rfind(char::is_whitespace).map_or(0, |end| end + 1);
    match before.get(begin..).and_then(|word| word.strip_prefix('@')) {
        Some(path) => (begin, files(path)),
        None => (before.len(), Vec::new()),
    }
}

/// The files and folders whose path begins so. Hidden ones only where a dot is typed.
fn files(typed: &str) -> Vec<Pair> {
    let (folder, begin) = match typed.rfind('/') {
        Some(end) => typed.split_at_checked(end + 1).unwrap_or((typed, "")),
        None => ("", typed),
    };
    let path = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.path().is_dir();
            let fits =
                name.starts_with(begin) && (begin.starts_with('.') || !name.starts_with('.'));
            let is_shown = fits && !name.chars().any(char::is_control);
            is_shown.then(|| name + if is_folder { "/" } else { "" })
        })
        .take(OFFERED)
        .collect();
    names.sort();
    let pair = |name: String| Pair {
        replacement: match name.contains(' ') {
            true => format!("@\"{folder}{name}\""),
            false => format!("@{folder}{name}"),
        },
        display: name,
    };
    names.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests;
