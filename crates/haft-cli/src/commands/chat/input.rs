//! Where the lines of a chat come from: the line editor at a terminal, else stdin.

use std::io::{self, BufRead, IsTerminal, Read};

use super::editor::LineEditor;
use crate::failure::Failure;

/// The maximum length of a line from a pipe in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

/// The source of lines.
pub(super) enum Input {
    Terminal(Box<LineEditor>),
    Pipe,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// Ctrl-C: what was typed is gone.
    Cleared,
    /// The end of the input, or Ctrl-D.
    End,
}

impl Input {
    /// The line editor if both stdin and stdout are a terminal.
    pub(super) fn open() -> Result<Self, Failure> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            return Ok(Self::Terminal(Box::new(LineEditor::open()?)));
        }
        Ok(Self::Pipe)
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// The next line.
    pub(super) async fn read(&mut self) -> Result<Line, Failure> {
        match self {
            Self::Terminal(editor) => editor.read().await,
            Self::Pipe => match tokio::task::spawn_blocking(read_line).await {
                Ok(line) => line,
                Err(_) => Ok(Line::End),
            },
        }
    }
}

fn read_line() -> Result<Line, Failure> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock().take(LONGEST_LINE + 1);
    let length = stdin.read_until(b'\n', &mut bytes)?;
    if u64::try_from(length).unwrap_or(u64::MAX) > LONGEST_LINE {
        return Err(Failure::new("A line on stdin is longer than 1 MiB")
            .with_hint("a long text goes with one question: cat FILE | haft ask \"Summarise\""));
    }
    if length == 0 {
        return Ok(Line::End);
    }
    let line = String::from_utf8(bytes);
    let line = line.map_err(|_| Failure::new("A line on stdin is not text in UTF-8"))?;
    Ok(Line::Text(line.trim_end_matches(['\n', '\r']).to_owned()))
}
