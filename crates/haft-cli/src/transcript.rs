//! A conversation as text: for the terminal, as Markdown, and as JSON that can be read back.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use haft::tools::redacted;
use haft::types::ContentBlock;
use haft::{AiMessage, Content, Message};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::text::one_line;

/// The maximum length of a result in a short view, in characters.
const RESULT_LIMIT: usize = 300;

/// How much of a conversation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Long results are cut, and there is no reasoning.
    Short,
    Full,
}

/// A conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transcript<'a> {
    pub(crate) title: &'a str,
    /// The model that answered last.
    pub(crate) model: &'a str,
    pub(crate) messages: &'a [Message],
}

impl Transcript<'_> {
    /// One paragraph for each message, for a terminal.
    pub(crate) fn text(&self, detail: Detail) -> String {
        let paragraphs = self.messages.iter().map(|message| match message {
            Message::Human(question) => format!("> {}", question_text(&question.content)),
            Message::Ai(reply) => reply_text(reply, detail),
            Message::Tool(result) => format!("  -> {}", result_text(&result.content, detail)),
            Message::System(_) => String::new(),
        });
        let paragraphs: Vec<_> = paragraphs.filter(|text| !text.is_empty()).collect();
        paragraphs.join("\n")
    }

    /// A document with everything that was said and done.
    pub(crate) fn markdown(&self) -> String {
        let mut parts = vec![
            format!("# {}", self.title),
            format!("Model: {}", self.model),
        ];
        for message in self.messages {
            match message {
                Message::Human(question) => {
                    parts.push("## User".to_owned());
                    parts.push(question.content.text());
                    parts.extend(question.content.blocks().iter().filter_map(attached));
                }
                Message::Ai(reply) => {
                    parts.push("## Assistant".to_owned());
                    parts.extend(Some(reply.content.text()).filter(|text| !text.trim().is_empty()));
                    let calls = reply.tool_calls.iter();
                    parts.extend(calls.map(|call| {
                        let call = format!("{} {}", call.name, redacted(&call.args));
                        format!("Call:\n\n{}", fenced(&call))
                    }));
                }
                Message::Tool(result) => {
                    let name = result.name.as_deref().unwrap_or("the tool");
                    let text = fenced(&result.content.text());
                    parts.push(format!("Result of {name}:\n\n{text}"));
                }
                Message::System(_) => {}
            }
        }
        parts.join("\n\n")
    }

    /// One object with the messages in their standard form; see [`messages_of`].
    pub(crate) fn json(&self) -> Value {
        json!({"title": self.title, "model": self.model, "messages": self.messages})
    }

    /// Writes a new file, as JSON if its name ends so, else as Markdown. Only the user can read it.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let is_json = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let text = match is_json {
            true => format!("{:#}\n", self.json()),
            false => self.markdown() + "\n",
        };
        write_new(path, &text)
    }
}

/// Writes a file that is not there yet, for the user alone.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let failure = Failure::new(format!("{} cannot be written: {error}", path.display()));
        match error.kind() {
            std::io::ErrorKind::AlreadyExists => failure.with_hint("choose another name"),
            _ => failure,
        }
    })
}

/// The messages of a JSON document: an object with `messages`, or their array.
pub(crate) fn messages_of(text: &str, name: &str) -> Result<Vec<Message>, Failure> {
    let faulty = |error: serde_json::Error| {
        Failure::new(format!("{name} is no conversation: {error}"))
            .with_hint("`haft sessions export ID --format json` and /save FILE.json write them")
    };
    let value: Value = serde_json::from_str(text).map_err(faulty)?;
    let messages = match value {
        Value::Object(mut fields) => fields.remove("messages").unwrap_or_default(),
        other => other,
    };
    serde_json::from_value(messages).map_err(faulty)
}

fn question_text(content: &Content) -> String {
    let beside = content.blocks().iter().map(|block| match block {
        ContentBlock::Image(_) => " [picture]".to_owned(),
        ContentBlock::Attachment { title, .. } => format!(" [{title}]"),
        _ => String::new(),
    });
    content.text() + &beside.collect::<String>()
}

fn reply_text(reply: &AiMessage, detail: Detail) -> String {
    let mut lines = Vec::new();
    if detail == Detail::Full {
        let thoughts = reply
            .content
            .blocks()
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Thinking { thinking, .. } => Some(format!("(thought) {thinking}")),
                _ => None,
            });
        lines.extend(thoughts);
    }
    lines.extend(Some(reply.content.text()).filter(|text| !text.trim().is_empty()));
    let calls = reply.tool_calls.iter();
    lines.extend(calls.map(|call| format!("  {} {}", call.name, redacted(&call.args))));
    lines.join("\n")
}

fn result_text(content: &Content, detail: Detail) -> String {
    match detail {
        Detail::Full => content.text(),
        Detail::Short => one_line(&content.text(), RESULT_LIMIT),
    }
}

/// What goes with a question, in Markdown.
fn attached(block: &ContentBlock) -> Option<String> {
    match block {
        ContentBlock::Attachment { title, text } => Some(format!("{title}:\n\n{}", fenced(text))),
        ContentBlock::Image(_) => Some("(a picture)".to_owned()),
        _ => None,
    }
}

/// `text` in a fence that is longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests;
