//! The items of a reply and their events: each item is opened, filled and closed before the next
//! one (OpenAI's API reference, "Streaming events").

mod item;

use serde::Serialize;
use serde_json::{Map, Value, json};

use self::item::{Content, Open};
use super::super::frames::event;
use super::tools::{ClientName, INPUT, ToolKind};
use crate::kept_replies::secret_id;

/// The start of encrypted content that is the signature of readable reasoning.
pub(super) const SIGNATURE: &str = "haft.signature:";

/// The start of encrypted content that is reasoning of another provider which nobody can read.
pub(super) const REDACTED: &str = "haft.redacted:";

/// In which form reasoning is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReasoningForm {
    /// As the text of the reasoning.
    Text,
    /// As its summary, which the client asked for.
    Summary,
}

/// How an item ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemStatus {
    Completed,
    /// The reply reached its limit.
    Incomplete,
}

/// The items of a reply so far, and the numbers of their events.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    pub(super) items: Vec<Value>,
    open: Option<Open>,
    sequence: u64,
}

/// An event with more of an item.
#[derive(Serialize)]
struct Delta<'a> {
    r#type: &'static str,
    sequence_number: u64,
    item_id: &'a str,
    output_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_index: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_index: Option<u8>,
    delta: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    logprobs: Option<[u8; 0]>,
}

impl Output {
    /// Writes an event with these fields.
    pub(super) fn event(&mut self, kind: &'static str, fields: Value, out: &mut Vec<u8>) {
        let mut all = Map::new();
        all.insert("type".to_owned(), kind.into());
        all.insert("sequence_number".to_owned(), self.next().into());
        if let Value::Object(fields) = fields {
            all.extend(fields);
        }
        event(Some(kind), &all, out);
    }

    /// The number of the next event.
    pub(super) fn next(&mut self) -> u64 {
        let number = self.sequence;
        self.sequence += 1;
        number
    }

    pub(super) fn text(&mut self, text: &str, out: &mut Vec<u8>) {
        if !matches!(self.content(), Some(Content::Message)) {
            self.open("msg_", Content::Message, out);
        }
        self.delta(text, out);
    }

    pub(super) fn reasoning(&mut self, text: &str, form: ReasoningForm, out: &mut Vec<u8>) {
        let unsigned = |content: &Content| {
            matches!(
                content,
                Content::Reasoning {
                    encrypted: None,
                    ..
                }
            )
        };
        if !self.content().is_some_and(unsigned) {
            let encrypted = None;
            self.open("rs_", Content::Reasoning { form, encrypted }, out);
        }
        self.delta(text, out);
    }

    /// Writes the signature of the reasoning; later reasoning is another item.
    pub(super) fn signature(&mut self, signature: &str, form: ReasoningForm, out: &mut Vec<u8>) {
        if !matches!(self.content(), Some(Content::Reasoning { .. })) {
            let encrypted = None;
            self.open("rs_", Content::Reasoning { form, encrypted }, out);
        }
        if let Some(Open {
            content: Content::Reasoning { encrypted, .. },
            ..
        }) = &mut self.open
        {
            let whole = encrypted.get_or_insert_with(|| SIGNATURE.to_owned());
            whole.push_str(signature);
        }
    }

    pub(super) fn redacted_reasoning(&mut self, data: &str, out: &mut Vec<u8>) {
        let form = ReasoningForm::Summary;
        let encrypted = Some(format!("{REDACTED}{data}"));
        self.open("rs_", Content::Reasoning { form, encrypted }, out);
        self.close(ItemStatus::Completed, out);
    }

    /// Opens a call whose arguments follow.
    pub(super) fn call(&mut self, call_id: &str, tool: ClientName, out: &mut Vec<u8>) {
        let prefix = match tool.kind {
            ToolKind::Function => "fc_",
            ToolKind::Custom => "ctc_",
        };
        let call_id = call_id.to_owned();
        self.open(prefix, Content::Call { call_id, tool }, out);
    }

    /// Writes more of the arguments of the open call. The text of a custom tool is inside them, so it
    /// is written at their end.
    pub(super) fn arguments(&mut self, fragment: &str, out: &mut Vec<u8>) {
        let is_custom = |content: &Content| matches!(content, Content::Call { tool, .. } if tool.kind == ToolKind::Custom);
        if self.content().is_some_and(is_custom) {
            if let Some(open) = &mut self.open {
                open.text.push_str(fragment);
            }
        } else {
            self.delta(fragment, out);
        }
    }

    fn content(&self) -> Option<&Content> {
        self.open.as_ref().map(|open| &open.content)
    }

    fn open(&mut self, prefix: &str, content: Content, out: &mut Vec<u8>) {
        self.close(ItemStatus::Completed, out);
        let open = Open {
            id: secret_id(prefix),
            content,
            text: String::new(),
        };
        let output_index = self.items.len();
        let mut item = open.item("in_progress");
        if let Some(content) = item.get_mut("content") {
            *content = json!([]);
        }
        if let Some(summary) = item.get_mut("summary") {
            *summary = json!([]);
        }
        let added = json!({"output_index": output_index, "item": item});
        self.event("response.output_item.added", added, out);
        if let Some((kind, _)) = open.part_events() {
            let part = open.located(output_index, "part", open.part());
            self.event(kind, part, out);
        }
        self.open = Some(open);
    }

    fn delta(&mut self, more: &str, out: &mut Vec<u8>) {
        let (sequence_number, output_index) = (self.next(), self.items.len());
        let Some(open) = &mut self.open else { return };
        open.text.push_str(more);
        let (kind, _, _) = open.text_events();
        let delta = Delta {
            r#type: kind,
            sequence_number,
            item_id: &open.id,
            output_index,
            content_index: open.is_content().then_some(0),
            summary_index: open.is_summary().then_some(0),
            delta: more,
            logprobs: matches!(open.content, Content::Message).then_some([]),
        };
        event(Some(kind), &delta, out);
    }

    /// Closes the open item, if there is one.
    pub(super) fn close(&mut self, status: ItemStatus, out: &mut Vec<u8>) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let output_index = self.items.len();
        if let Content::Call { tool, .. } = &open.content {
            match tool.kind {
                ToolKind::Function if open.text.is_empty() => "{}".clone_into(&mut open.text),
                ToolKind::Function => {}
                ToolKind::Custom => {
                    let input = custom_input(&open.text);
                    open.text.clear();
                    self.open = Some(open);
                    self.delta(&input, out);
                    let Some(filled) = self.open.take() else {
                        return;
                    };
                    open = filled;
                }
            }
        }
        if !open.is_unreadable() {
            let (_, kind, field) = open.text_events();
            let mut done = open.located(output_index, field, open.text.as_str().into());
            if let (Content::Message, Some(done)) = (&open.content, done.as_object_mut()) {
                done.insert("logprobs".to_owned(), json!([]));
            }
            self.event(kind, done, out);
            if let Some((_, kind)) = open.part_events() {
                let part = open.located(output_index, "part", open.part());
                self.event(kind, part, out);
            }
        }
        let item = open.item(match status {
            ItemStatus::Completed => "completed",
            ItemStatus::Incomplete => "incomplete",
        });
        let done = json!({"output_index": output_index, "item": item});
        self.event("response.output_item.done", done, out);
        self.items.push(item);
    }
}

/// The text in the arguments of a custom tool's call.
fn custom_input(arguments: &str) -> String {
    let parsed: Value = serde_json::from_str(arguments).unwrap_or_default();
    match parsed.get(INPUT) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => arguments.to_owned(),
    }
}
