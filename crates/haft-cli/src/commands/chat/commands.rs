//! The commands of the chat, which begin with a slash.

use haft::tools::ApprovalMode;

use crate::failure::Failure;
use crate::nearest::nearest;

/// A command of the chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Tools,
    Model(Option<String>),
    Mcp,
    Approve(Option<ApprovalMode>),
    Reset,
    /// The file.
    Save(Option<String>),
    /// A session or a file.
    Load(Option<String>),
    Retry,
    /// The number of the call; without it the last one.
    Expand(Option<usize>),
    Help,
    Exit,
}

/// Each command as it is typed, and what it does.
pub(super) const HELP: [(&str, &str); 11] = [
    ("/tools", "list the tools"),
    ("/model [NAME]", "show the model, or go on with another one"),
    ("/mcp", "show the MCP servers"),
    (
        "/approve [WHEN]",
        "show or set which calls are asked about: never, destructive, always",
    ),
    ("/reset", "begin a new conversation; this one stays kept"),
    (
        "/save FILE",
        "write the conversation into a new file: Markdown, or JSON as .json",
    ),
    (
        "/load [ID|FILE]",
        "list the kept conversations, or go on with one",
    ),
    ("/retry", "ask the last question again"),
    ("/expand [N]", "show all of call N, or of the last one"),
    ("/help", "show this help"),
    ("/exit", "leave; Ctrl-D does so too"),
];

/// What can be typed beside commands.
pub(super) const KEYS: &str = "\
@FILE attaches a text file, @\"MY FILE\" one with spaces; @@ is a plain @. Tab completes.
Alt-Enter, or \\ at its end, begins a new line. A line that begins with a space is a question.";

/// The names of the commands.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HELP.iter().filter_map(|(usage, _)| usage.split(' ').next())
}

/// The command in a line; `None` if the line is a question. A path, such as `/etc/hosts`, begins a
/// question.
pub(super) fn parse(line: &str) -> Option<Result<Command, Failure>> {
    let name = line
        .split_whitespace()
        .next()
        .filter(|_| line.starts_with('/'))?;
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphabetic());
    if !name.strip_prefix('/').is_some_and(is_name) {
        return None;
    }
    let rest = line.get(name.len()..).unwrap_or_default().trim();
    Some(command(name, rest))
}

fn command(name: &str, rest: &str) -> Result<Command, Failure> {
    let argument = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    let plain = |command: Command| match &argument {
        None => Ok(command),
        Some(rest) => Err(Failure::usage(format!(
            "{name} takes nothing, and got \"{rest}\""
        ))),
    };
    match name {
        "/tools" => plain(Command::Tools),
        "/model" => Ok(Command::Model(argument)),
        "/mcp" => plain(Command::Mcp),
        "/approve" => approve(argument),
        "/reset" => plain(Command::Reset),
        "/save" => Ok(Command::Save(argument)),
        "/load" => Ok(Command::Load(argument)),
        "/retry" => plain(Command::Retry),
        "/expand" => expand(argument),
        "/help" | "/" => plain(Command::Help),
        "/exit" | "/quit" => plain(Command::Exit),
        unknown => {
            let hint = match nearest(unknown, names()) {
                Some(near) => format!("did you mean {near}?"),
                None => "/help shows the commands; a question may begin with a space".to_owned(),
            };
            Err(Failure::usage(format!("There is no command {unknown}")).with_hint(hint))
        }
    }
}

fn approve(argument: Option<String>) -> Result<Command, Failure> {
    let mode = argument.map(|mode| mode.parse().map_err(Failure::usage));
    Ok(Command::Approve(mode.transpose()?))
}

fn expand(argument: Option<String>) -> Result<Command, Failure> {
    let number = argument.map(|text| {
        let number = text.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| Failure::usage(format!("\"{text}\" is not the number of a call")))
    });
    Ok(Command::Expand(number.transpose()?))
}

#[cfg(test)]
mod tests;
